//! The `blocks` of a page: texts in boxes of their own.
//!
//! Each block is a page of its own with other margins: [`RenderSpec::writings`] makes a specification of it, in which
//! the box stands for the text area. So every stage treats a block as it treats a page, and a block alone on a page is
//! the page with those margins.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::field::{Absent, Field, FieldDescription, FieldKind, FieldType, refuse_unknown};
use super::kinds::{Integer, Number, OneOf, OrNull, Text};
use super::render_spec::{Alignment, Rgb, VerticalAlignment};
use super::special_kinds::{Color, FontNumber, FontSizeOrAuto, WantedSize};
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

/// A block as in the request; what it leaves out is `None`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WantedBlock {
    pub(super) text: String,
    x: u16,
    y: u16,
    width: u16,
    height: u16,
    pub(super) font_id: Option<u16>,
    pub(super) font_size: Option<WantedSize>,
    pub(super) max_auto_font_size: Option<u16>,
    pub(super) text_alignment: Option<Alignment>,
    pub(super) vertical_alignment: Option<VerticalAlignment>,
    pub(super) text_color: Option<Rgb>,
    pub(super) line_height_multiplier: Option<f64>,
    rotation: f64,
}

static TEXT: Field<Text> = Field {
    name: "text",
    kind: Text { min_length: 1, max_length: 10_000 },
    absent: Absent::Required(String::new()),
    meaning: "Text of the block. All texts of a request together have at most 10,000 characters.",
};

static X: Field<Integer<u16>> = Field {
    name: "x",
    kind: START,
    absent: Absent::Required(0),
    meaning: "Distance of the box's left edge from the page's left edge, pixels at 300 DPI.",
};

static Y: Field<Integer<u16>> = Field {
    name: "y",
    kind: START,
    absent: Absent::Required(0),
    meaning: "Distance of the box's upper edge from the page's upper edge, pixels at 300 DPI.",
};

static WIDTH: Field<Integer<u16>> =
    Field { name: "width", kind: EXTENT, absent: Absent::Required(1), meaning: "Width of the box, pixels at 300 DPI." };

static HEIGHT: Field<Integer<u16>> = Field {
    name: "height",
    kind: EXTENT,
    absent: Absent::Required(1),
    meaning: "Height of the box, pixels at 300 DPI.",
};

static FONT_ID: Field<OrNull<FontNumber>> = Field {
    name: "font_id",
    kind: OrNull(FontNumber),
    absent: Absent::Default(None),
    meaning: "Font of the block. Null: that of the request.",
};

static FONT_SIZE: Field<OrNull<FontSizeOrAuto>> = Field {
    name: "font_size",
    kind: OrNull(FontSizeOrAuto { min: 12, max: 400 }),
    absent: Absent::Default(None),
    meaning: "Font size in pixels, or `auto` for the largest that fits the box. Null: that of the request.",
};

static MAX_AUTO_FONT_SIZE: Field<OrNull<Integer<u16>>> = Field {
    name: "max_auto_font_size",
    kind: OrNull(Integer { min: 20, max: 400 }),
    absent: Absent::Default(None),
    meaning: "Largest size that `auto` may choose. Null: that of the request.",
};

static TEXT_ALIGNMENT: Field<OrNull<OneOf<Alignment>>> = Field {
    name: "text_alignment",
    kind: OrNull(OneOf(&[("left", Alignment::Left), ("center", Alignment::Center), ("right", Alignment::Right)])),
    absent: Absent::Default(None),
    meaning: "Alignment of the lines in the box. Null: that of the request.",
};

static VERTICAL_ALIGNMENT: Field<OrNull<OneOf<VerticalAlignment>>> = Field {
    name: "vertical_alignment",
    kind: OrNull(OneOf(&[
        ("top", VerticalAlignment::Top),
        ("center", VerticalAlignment::Center),
        ("bottom", VerticalAlignment::Bottom),
    ])),
    absent: Absent::Default(None),
    meaning: "Position of the lines between the upper and lower edge of the box. Null: that of the request.",
};

static TEXT_COLOR: Field<OrNull<Color>> = Field {
    name: "text_color",
    kind: OrNull(Color),
    absent: Absent::Default(None),
    meaning: "Ink colour as [red, green, blue]. Null: that of the request.",
};

static LINE_HEIGHT_MULTIPLIER: Field<OrNull<Number>> = Field {
    name: "line_height_multiplier",
    kind: OrNull(Number { min: 0.5, max: 4.0 }),
    absent: Absent::Default(None),
    meaning: "Line height as a multiple of the font size. Null: that of the request.",
};

static ROTATION: Field<Number> = Field {
    name: "rotation",
    kind: Number { min: -LARGEST_ROTATION, max: LARGEST_ROTATION },
    absent: Absent::Default(0.0),
    meaning: "Rotation of the whole block about the centre of its box, degrees, clockwise. The rotated box must be on \
              the page.",
};

static DESCRIPTIONS: LazyLock<Vec<FieldDescription>> = LazyLock::new(|| {
    vec![
        TEXT.describe(),
        X.describe(),
        Y.describe(),
        WIDTH.describe(),
        HEIGHT.describe(),
        FONT_ID.describe(),
        FONT_SIZE.describe(),
        MAX_AUTO_FONT_SIZE.describe(),
        TEXT_ALIGNMENT.describe(),
        VERTICAL_ALIGNMENT.describe(),
        TEXT_COLOR.describe(),
        LINE_HEIGHT_MULTIPLIER.describe(),
        ROTATION.describe(),
    ]
});

impl WantedBlock {
    fn read(members: &Map<String, Value>, collector: &mut ViolationCollector) -> Self {
        Self {
            text: TEXT.read(members, collector),
            x: X.read(members, collector),
            y: Y.read(members, collector),
            width: WIDTH.read(members, collector),
            height: HEIGHT.read(members, collector),
            font_id: FONT_ID.read(members, collector),
            font_size: FONT_SIZE.read(members, collector),
            max_auto_font_size: MAX_AUTO_FONT_SIZE.read(members, collector),
            text_alignment: TEXT_ALIGNMENT.read(members, collector),
            vertical_alignment: VERTICAL_ALIGNMENT.read(members, collector),
            text_color: TEXT_COLOR.read(members, collector),
            line_height_multiplier: LINE_HEIGHT_MULTIPLIER.read(members, collector),
            rotation: ROTATION.read(members, collector),
        }
    }

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
        let blocks: Vec<Option<WantedBlock>> =
            items.iter().enumerate().map(|(at, item)| collector.inside(at, |inner| block(item, inner))).collect();
        blocks.into_iter().collect()
    }

    fn describe(&self) -> FieldKind {
        FieldKind::Blocks { most: MOST_BLOCKS, members: &DESCRIPTIONS }
    }

    fn to_json(&self, _: &Vec<WantedBlock>) -> Value {
        // Blocks have no default, so none is ever described.
        Value::Null
    }
}

fn block(input: &Value, collector: &mut ViolationCollector) -> Option<WantedBlock> {
    let Some(members) = input.as_object() else {
        let message = format!("Input should be an object with text, x, y, width and height, got {}", shown(input));
        collector.report(ViolationKind::ModelType, message);
        return None;
    };
    let block = WantedBlock::read(members, collector);
    refuse_unknown(members, &DESCRIPTIONS, collector);
    Some(block)
}
