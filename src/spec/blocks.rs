//! The `blocks` of a page: texts in boxes of their own.
//!
//! Each block is a page of its own with other margins: [`RenderSpec::texts`] makes a specification of it, in which
//! the box stands for the text area. So every stage treats a block as it treats a page, and a block alone on a page is
//! the page with those margins.

use super::field::ObjectFields;
use super::field_table::field_table;
use super::kinds::{Boolean, Integer, Number, OneOf, OrNull, Text};
use super::page_box::PageBox;
use super::render_spec::{Alignment, BlockPage, VerticalAlignment};
use super::special_kinds::{Color, FontNumber, FontSizeOrAuto};
use super::violation::ViolationKind;
use super::violation_collector::ViolationCollector;
use crate::geometry::Size;
use crate::units::Px;

/// Most blocks of a page.
pub(super) const MOST_BLOCKS: usize = 16;
/// Largest rotation either way, in degrees.
const LARGEST_ROTATION: f64 = 15.0;
/// Where a box begins, and how far it extends, in px.
const START: Integer<u16> = Integer { min: 0, max: 5000 };
const EXTENT: Integer<u16> = Integer { min: 1, max: 5000 };
/// Room for the rounding of a rotated corner, in px.
const ROUNDING: f64 = 1e-6;

field_table! {
    /// A block as in the request; what it leaves out is `None`.
    #[derive(Clone, Debug, PartialEq)]
    pub(super) struct WantedBlock {}

    /// Text of the block. All texts of a request together have at most 10,000 characters.
    TEXT text: Text = Text, Required(String::new());
    /// Distance of the box's left edge from the page's left edge, pixels at 300 DPI.
    X x: Integer<u16> = START, Required(0) in "px";
    /// Distance of the box's upper edge from the page's upper edge, pixels at 300 DPI.
    Y y: Integer<u16> = START, Required(0) in "px";
    /// Width of the box, pixels at 300 DPI.
    WIDTH width: Integer<u16> = EXTENT, Required(1) in "px";
    /// Height of the box, pixels at 300 DPI.
    HEIGHT height: Integer<u16> = EXTENT, Required(1) in "px";
    /// Font of the block. Null: that of the request.
    FONT_ID font_id: OrNull<FontNumber> = OrNull(FontNumber), Default(None);
    /// Font size in pixels, or `auto` for the largest that fits the box. Null: that of the request.
    FONT_SIZE font_size: OrNull<FontSizeOrAuto> = OrNull(FontSizeOrAuto), Default(None) in "px";
    /// Largest size that `auto` may choose. Null: that of the request.
    MAX_AUTO_FONT_SIZE max_auto_font_size: OrNull<Integer<u16>> =
        OrNull(Integer { min: 20, max: 400 }), Default(None) in "px";
    /// Alignment of the lines in the box. Null: that of the request.
    TEXT_ALIGNMENT text_alignment: OrNull<OneOf<Alignment>> =
        OrNull(OneOf(Alignment::NAMES)), Default(None);
    /// Position of the lines between the upper and lower edge of the box. Null: that of the request.
    VERTICAL_ALIGNMENT vertical_alignment: OrNull<OneOf<VerticalAlignment>> =
        OrNull(OneOf(VerticalAlignment::NAMES)), Default(None);
    /// Ink colour as [red, green, blue]. Null: that of the request.
    TEXT_COLOR text_color: OrNull<Color> = OrNull(Color), Default(None);
    /// Line height as a multiple of the font size. Null: that of the request.
    LINE_HEIGHT_MULTIPLIER line_height_multiplier: OrNull<Number> =
        OrNull(Number { min: 0.5, max: 4.0 }), Default(None);
    /// Whether given lines of the block stay whole, in a smaller size where they would wrap. Null: as in the request.
    KEEP_LINES keep_lines: OrNull<Boolean> = OrNull(Boolean), Default(None);
    /// The page of the block where the text takes several: the first, or the last, as for a signature.
    PAGE page: OneOf<BlockPage> = OneOf(BlockPage::NAMES), Default(BlockPage::First);
    /// Rotation of the whole block about the centre of its box, degrees, clockwise. The rotated box must be on the
    /// page.
    ROTATION rotation: Number = Number { min: -LARGEST_ROTATION, max: LARGEST_ROTATION }, Default(0.0) in "degrees";
}

impl WantedBlock {
    /// The box on the page, before the rotation.
    pub(super) const fn area(&self) -> PageBox {
        PageBox { x: self.x, y: self.y, width: self.width, height: self.height }
    }

    /// Reports each side of the box that reaches beyond a page of this size; or the rotation, if only the rotated box
    /// does.
    pub(super) fn check_inside(&self, page: Size<Px>, collector: &mut ViolationCollector) {
        if self.area().check_inside(page, EXTENT.min, collector) && !self.rotated_box_is_on(page) {
            let message = format!(
                "the box, rotated by {} degrees, should be on the page; use a smaller box or rotation, or move it away \
                 from the page's edge",
                self.rotation
            );
            collector.report_at(ROTATION.name, ViolationKind::ValueError, message);
        }
    }

    fn rotated_box_is_on(&self, page: Size<Px>) -> bool {
        let (sin, cos) = self.rotation.to_radians().sin_cos();
        let [width, height] = [self.width, self.height].map(|side| f64::from(side) / 2.0);
        let (across, down) = (width * cos + height * sin.abs(), width * sin.abs() + height * cos);
        let (x, y) = (f64::from(self.x) + width, f64::from(self.y) + height);
        x - across >= -ROUNDING
            && y - down >= -ROUNDING
            && x + across <= page.width.get() + ROUNDING
            && y + down <= page.height.get() + ROUNDING
    }
}

impl ObjectFields for WantedBlock {
    const SCHEMA: &'static str = "Block";
    const MEANING: &'static str = "A text in a box of its own, which is on the page.";
    const EXPECTED: &'static str = "an object with text, x, y, width and height";
}
