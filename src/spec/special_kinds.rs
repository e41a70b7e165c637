//! The types with only one field each: font, font size, page size, mail piece, colour, and the `pdf` and `svg` objects.

use std::cmp::Ordering;

use serde_json::Value;

use super::field::{FieldKind, FieldType};
use super::kinds::{Integer, OneOf, in_range, whole_number};
use super::mail_piece::MailPiece;
use super::meant;
use super::page::WantedPage;
use super::render_spec::Rgb;
use super::suggestion::nearest;
use super::violation::ViolationKind;
use super::violation_collector::ViolationCollector;
use super::wording::{alternatives, counted, shown};
use crate::catalogue::{FONT_COUNT, FontNames};

/// The only string allowed as `font_size`.
const AUTO: &str = "auto";
/// Red, green, blue.
const CHANNELS: usize = 3;

/// The number of a font that is loaded.
#[derive(Debug)]
pub(super) struct FontNumber;

/// Most ranges of numbers that a message lists.
const RANGES_NAMED: usize = 16;

impl FieldType for FontNumber {
    type Value = u16;

    fn check(&self, input: &Value, collector: &mut ViolationCollector) -> Option<u16> {
        let meant = input.as_str().and_then(|text| meant::font(text, collector.fonts()));
        let meant = meant.map(|(id, name)| format!("{} ({name})", id.get()));
        let number = whole_number(input, meant, collector)?;
        if collector.fonts().operators().next().is_none() {
            in_range(number, 1, FONT_COUNT.into(), input, collector)?;
        } else if !collector.fonts().iter().any(|(id, _)| i64::from(id.get()) == number) {
            let message = format!("Input should be {}, got {number}", loaded(collector.fonts()));
            collector.report(ViolationKind::LiteralError, message);
            return None;
        }
        u16::try_from(number).ok()
    }

    fn describe(&self) -> FieldKind {
        FieldKind::FontId
    }

    fn to_json(&self, value: &u16) -> Value {
        Value::from(*value)
    }
}

/// The numbers of the fonts, such as `1 to 90, 1001 or 1003`.
fn loaded(fonts: &FontNames) -> String {
    let mut ranges: Vec<(u16, u16)> = Vec::new();
    for (id, _) in fonts.iter() {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == id.get() => *last = id.get(),
            _ => ranges.push((id.get(), id.get())),
        }
    }
    let shown = |&(first, last): &(u16, u16)| {
        if first == last { first.to_string() } else { format!("{first} to {last}") }
    };
    let named: Vec<String> = ranges.iter().take(RANGES_NAMED).map(shown).collect();
    match ranges.len().saturating_sub(RANGES_NAMED) {
        0 => alternatives(&named),
        _ => format!("{} or another of those that GET /api/v1/fonts lists", named.join(", ")),
    }
}

/// The name of a page size.
#[derive(Debug)]
pub(super) struct PageName(pub(super) OneOf<WantedPage>);

impl FieldType for PageName {
    type Value = WantedPage;

    fn check(&self, input: &Value, collector: &mut ViolationCollector) -> Option<WantedPage> {
        self.0.check_meant(input, meant::page_size, collector)
    }

    fn describe(&self) -> FieldKind {
        self.0.describe()
    }

    fn to_json(&self, value: &WantedPage) -> Value {
        self.0.to_json(value)
    }
}

/// The name of a mail piece.
#[derive(Debug)]
pub(super) struct MailPieceName;

impl FieldType for MailPieceName {
    type Value = &'static MailPiece;

    fn check(&self, input: &Value, collector: &mut ViolationCollector) -> Option<&'static MailPiece> {
        let found = input.as_str().and_then(MailPiece::from_name);
        if found.is_none() {
            let names = || MailPiece::all().iter().map(|piece| piece.name.as_str());
            let meant = input.as_str().and_then(|given| nearest(given, names())).map(|name| format!("'{name}'"));
            let (got, meant) = (shown(input), meant::suggestion(meant));
            let message = format!(
                "Input should be a name that GET /api/v1/mail-pieces or longhand mail-pieces lists, got {got}{meant}"
            );
            collector.report(ViolationKind::LiteralError, message);
        }
        found
    }

    fn describe(&self) -> FieldKind {
        FieldKind::OneOf(MailPiece::all().iter().map(|piece| piece.name.as_str()).collect())
    }
}

/// A whole number of pixels, or `auto`.
#[derive(Debug)]
pub(super) struct FontSizeOrAuto {
    /// Smallest size, px.
    pub(super) min: u16,
    /// Largest size, px.
    pub(super) max: u16,
}

/// `font_size` as in the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WantedSize {
    /// This many pixels.
    Px(u16),
    /// The largest that fits.
    Auto,
}

impl FieldType for FontSizeOrAuto {
    type Value = WantedSize;

    fn check(&self, input: &Value, collector: &mut ViolationCollector) -> Option<WantedSize> {
        if input.as_str() == Some(AUTO) {
            return Some(WantedSize::Auto);
        }
        if !input.is_number() {
            let kind = if input.is_string() { ViolationKind::LiteralError } else { ViolationKind::IntType };
            let meant = meant::suggestion(input.as_str().and_then(|text| {
                let size = meant::number(text, self.min, self.max).map(|size| size.to_string());
                size.or_else(|| text.trim().eq_ignore_ascii_case(AUTO).then(|| format!("'{AUTO}'")))
            }));
            let (min, max, got) = (self.min, self.max, shown(input));
            let message =
                format!("Input should be an integer from {min} to {max} or the string '{AUTO}', got {got}{meant}");
            collector.report(kind, message);
            return None;
        }
        let whole = whole_number(input, None::<u16>, collector)?;
        in_range(whole, self.min.into(), self.max.into(), input, collector)?;
        u16::try_from(whole).ok().map(WantedSize::Px)
    }

    fn describe(&self) -> FieldKind {
        FieldKind::FontSize { min: self.min.into(), max: self.max.into() }
    }

    fn to_json(&self, value: &WantedSize) -> Value {
        match value {
            WantedSize::Px(px) => Value::from(*px),
            WantedSize::Auto => Value::from(AUTO),
        }
    }
}

/// An array of three channels.
#[derive(Debug)]
pub(super) struct Color;

impl FieldType for Color {
    type Value = Rgb;

    fn check(&self, input: &Value, collector: &mut ViolationCollector) -> Option<Rgb> {
        let Some(items) = input.as_array() else {
            let meant = input
                .as_str()
                .and_then(meant::color)
                .map(|Rgb([red, green, blue])| format!("[{red}, {green}, {blue}]"));
            let (got, meant) = (shown(input), meant::suggestion(meant));
            let message = format!("Input should be an array [red, green, blue], got {got}{meant}");
            collector.report(ViolationKind::ListType, message);
            return None;
        };
        let bound = match items.len().cmp(&CHANNELS) {
            Ordering::Less => Some((ViolationKind::TooShort, "at least")),
            Ordering::Greater => Some((ViolationKind::TooLong, "at most")),
            Ordering::Equal => None,
        };
        if let Some((kind, bound)) = bound {
            let (limit, got) = (counted(CHANNELS, "item", "items"), items.len());
            collector.report(kind, format!("Array should have {bound} {limit} (red, green, blue), got {got}"));
        }
        let channel = Integer { min: u8::MIN, max: u8::MAX };
        let channels: Vec<Option<u8>> = items
            .iter()
            .take(CHANNELS)
            .enumerate()
            .map(|(index, item)| collector.inside(index, |collector| channel.check(item, collector)))
            .collect();
        match (bound, channels.as_slice()) {
            (None, [Some(red), Some(green), Some(blue)]) => Some(Rgb([*red, *green, *blue])),
            _ => None,
        }
    }

    fn describe(&self) -> FieldKind {
        FieldKind::Color
    }

    fn to_json(&self, value: &Rgb) -> Value {
        Value::from(value.0.to_vec())
    }
}
