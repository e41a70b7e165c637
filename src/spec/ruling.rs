//! The `ruling` of a page: the lines on which it is written.
//!
//! A name stands for the pitch of a common paper. The other values of a name are the defaults of the object.

use serde_json::Value;

use super::field::{FieldKind, FieldType, Object, ObjectFields};
use super::field_table::field_table;
use super::kinds::{Boolean, Number, OneOf, OrNull};
use super::render_spec::Ruling;
use super::rgb::Rgb;
use super::special_kinds::Color;
use super::violation::ViolationKind;
use super::violation_collector::ViolationCollector;
use super::wording::shown;
use crate::units::{BASELINE_DPI, MM_PER_INCH, Px};

/// The names and their pitches in px.
pub(crate) const RULINGS: [(&str, f64); 3] = [
    ("us_college", 9.0 / 32.0 * BASELINE_DPI),
    ("us_wide", 11.0 / 32.0 * BASELINE_DPI),
    ("de_8mm", 8.0 / MM_PER_INCH * BASELINE_DPI),
];

/// Distance of the first rule from the top margin in pitches, if the request names none: letters with accents have
/// room.
const FIRST_RULE_BELOW_MARGIN: f64 = 1.5;

/// The colour of rules if the request names none: the pale blue of writing paper.
const PALE_BLUE: Rgb = Rgb([180, 200, 230]);

field_table! {
    /// `ruling` as in the request: the first rule without a place is [`FIRST_RULE_BELOW_MARGIN`] below the top margin.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(super) struct WantedRuling {}

    /// Distance of two rules, pixels at 300 DPI: 84.375 is US college ruling, 94.488 is 8 mm.
    PITCH pitch: Number = Number { min: 20.0, max: 500.0 }, Required(100.0) in "px";
    /// Distance of the first rule from the page's upper edge, pixels at 300 DPI. Null: one and a half pitches below the
    /// top margin.
    FIRST_BASELINE first_baseline: OrNull<Number> = OrNull(Number { min: 0.0, max: 5000.0 }), Default(None) in "px";
    /// Whether the rules are drawn, between the margins.
    DRAW draw: Boolean = Boolean, Default(false);
    /// Colour of drawn rules as [red, green, blue]. Null: pale blue.
    COLOR color: OrNull<Color> = OrNull(Color), Default(Some(PALE_BLUE));
}

impl WantedRuling {
    const fn named(pitch: f64) -> Self {
        Self { pitch, first_baseline: None, draw: false, color: None }
    }

    /// The ruling of a page with this top margin. `ignored` names the fields that have no effect because of it.
    pub(super) fn on_page(self, margin_top: Px, ignored: Vec<&'static str>) -> Ruling {
        let first_baseline = self.first_baseline.unwrap_or(margin_top.get() + FIRST_RULE_BELOW_MARGIN * self.pitch);
        Ruling {
            pitch: Px::new(self.pitch),
            first_baseline: Px::new(first_baseline),
            drawn: self.draw.then_some(self.color.unwrap_or(PALE_BLUE)),
            ignored,
        }
    }
}

impl ObjectFields for WantedRuling {
    const SCHEMA: &'static str = "Ruling";
    const MEANING: &'static str = "Rules to write on. They go on downwards from the first one.";
    const EXPECTED: &'static str = "an object with a pitch";
}

/// A name, or an object with the pitch.
#[derive(Debug)]
pub(super) struct RulingKind;

impl FieldType for RulingKind {
    type Value = WantedRuling;

    fn check(&self, input: &Value, collector: &mut ViolationCollector) -> Option<WantedRuling> {
        if input.is_object() {
            return Object::NEW.check(input, collector);
        }
        if input.is_string() {
            return OneOf(&RULINGS).check(input, collector).map(WantedRuling::named);
        }
        let names = RULINGS.map(|(name, _)| format!("'{name}'")).join(", ");
        let message = format!("Input should be an object with a pitch, or one of {names}; got {}", shown(input));
        collector.report(ViolationKind::ModelType, message);
        None
    }

    fn describe(&self) -> FieldKind {
        FieldKind::Ruling { names: RULINGS.map(|(name, _)| name).to_vec(), object: WantedRuling::OBJECT }
    }
}
