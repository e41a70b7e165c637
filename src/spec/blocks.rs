//! The `blocks` of a page: texts in boxes of their own.
//!
//! Each block is a page of its own with other margins: [`RenderSpec::texts`] makes a specification of it, in which
//! the box stands for the text area. So every stage treats a block as it treats a page, and a block alone on a page is
//! the page with those margins.

use serde_json::{Map, Value};

use super::field::{FieldKind, FieldType, Object, ObjectDescription, ObjectFields};
use super::field_table::field_table;
use super::kinds::{Integer, Number, OneOf, OrNull, Text};
use super::render_spec::{Alignment, VerticalAlignment};
use super::special_kinds::{Color, FontNumber, FontSizeOrAuto};
use super::violation::ViolationKind;
use super::violation_collector::ViolationCollector;
use super::wording::{counted, shown};
use crate::geometry::{Point, Rect, Size};
use crate::units::{Degrees, Px};

/// Most blocks of a page.
const MOST_BLOCKS: usize = 16;
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
    TEXT text: Text = Text { min_length: 1, max_length: 10_000 }, Required(String::new());
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
    FONT_SIZE font_size: OrNull<FontSizeOrAuto> = OrNull(FontSizeOrAuto { min: 12, max: 400 }), Default(None) in "px";
    /// Largest size that `auto` may choose. Null: that of the request.
    MAX_AUTO_FONT_SIZE max_auto_font_size: OrNull<Integer<u16>> =
        OrNull(Integer { min: 20, max: 400 }), Default(None) in "px";
    /// Alignment of the lines in the box. Null: that of the request.
    TEXT_ALIGNMENT text_alignment: OrNull<OneOf<Alignment>> = OrNull(OneOf(&[
        ("left", Alignment::Left),
        ("center", Alignment::Center),
        ("right", Alignment::Right),
    ])), Default(None);
    /// Position of the lines between the upper and lower edge of the box. Null: that of the request.
    VERTICAL_ALIGNMENT vertical_alignment: OrNull<OneOf<VerticalAlignment>> = OrNull(OneOf(&[
        ("top", VerticalAlignment::Top),
        ("center", VerticalAlignment::Center),
        ("bottom", VerticalAlignment::Bottom),
    ])), Default(None);
    /// Ink colour as [red, green, blue]. Null: that of the request.
    TEXT_COLOR text_color: OrNull<Color> = OrNull(Color), Default(None);
    /// Line height as a multiple of the font size. Null: that of the request.
    LINE_HEIGHT_MULTIPLIER line_height_multiplier: OrNull<Number> =
        OrNull(Number { min: 0.5, max: 4.0 }), Default(None);
    /// Rotation of the whole block about the centre of its box, degrees, clockwise. The rotated box must be on the
    /// page.
    ROTATION rotation: Number = Number { min: -LARGEST_ROTATION, max: LARGEST_ROTATION }, Default(0.0) in "degrees";
}

impl WantedBlock {
    /// The box on the page, before the rotation.
    pub(super) fn area(&self) -> Rect<Px> {
        let point = |x: u16, y: u16| Point::new(Px::new(x.into()), Px::new(y.into()));
        let min = point(self.x, self.y);
        Rect { min, max: min + point(self.width, self.height) }
    }

    /// Its rotation, clockwise on the page.
    pub(super) const fn rotation(&self) -> Degrees {
        Degrees::new(self.rotation)
    }

    /// Reports each side of the box that reaches beyond a page of this size; or the rotation, if only the rotated box
    /// does.
    pub(super) fn check_inside(&self, page: Size<Px>, collector: &mut ViolationCollector) {
        let axes = [
            ([(X.name, self.x), (WIDTH.name, self.width)], ("wide", page.width)),
            ([(Y.name, self.y), (HEIGHT.name, self.height)], ("high", page.height)),
        ];
        let mut is_inside = true;
        for ([(start_name, start), (extent_name, extent)], (dimension, page)) in axes {
            let (end, page) = (u32::from(start) + u32::from(extent), page.get());
            if f64::from(end) > page {
                is_inside = false;
                let name = if f64::from(start) < page { extent_name } else { start_name };
                let message = format!(
                    "{start_name} + {extent_name} should be at most what the page is {dimension}: {start} + {extent} = \
                     {end} px on {page} px"
                );
                collector.report_at(name, ViolationKind::LessThanEqual, message);
            }
        }
        if is_inside && !self.rotated_box_is_on(page) {
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

/// An array of blocks.
#[derive(Debug)]
pub(super) struct BlockList;

impl FieldType for BlockList {
    type Value = Vec<WantedBlock>;

    fn check(&self, input: &Value, collector: &mut ViolationCollector) -> Option<Vec<WantedBlock>> {
        let Some(items) = input.as_array() else {
            let message = format!("Input should be an array of blocks, got {}", shown(input));
            collector.report(ViolationKind::ListType, message);
            return None;
        };
        if items.is_empty() || items.len() > MOST_BLOCKS {
            let (kind, bound) = match items.len() {
                0 => (ViolationKind::TooShort, "at least 1 item".to_owned()),
                _ => (ViolationKind::TooLong, format!("at most {}", counted(MOST_BLOCKS, "item", "items"))),
            };
            collector.report(kind, format!("Array should have {bound}, got {}", items.len()));
            return None;
        }
        let block = Object::<WantedBlock>::NEW;
        let blocks: Vec<Option<WantedBlock>> =
            items.iter().enumerate().map(|(at, item)| collector.inside(at, |inner| block.check(item, inner))).collect();
        blocks.into_iter().collect()
    }

    fn describe(&self) -> FieldKind {
        FieldKind::Blocks { most: MOST_BLOCKS, object: WantedBlock::OBJECT }
    }
}

impl ObjectFields for WantedBlock {
    const OBJECT: ObjectDescription = ObjectDescription {
        schema: "Block",
        meaning: "A text in a box of its own, which is on the page.",
        members: Self::descriptions,
    };
    const EXPECTED: &'static str = "an object with text, x, y, width and height";

    fn of(members: &Map<String, Value>, collector: &mut ViolationCollector) -> Option<Self> {
        Some(Self::read(members, collector))
    }
}
