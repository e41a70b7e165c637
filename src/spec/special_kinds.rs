//! The types of a few fields each: font, font size, mail piece and colour.

use serde_json::Value;

use super::field::{FieldKind, FieldType};
use super::kinds::{ITEMS, Integer, Parts, in_range, whole_number};
use super::mail_piece::MailPiece;
use super::meant;
use super::rgb::Rgb;
use super::suggestion::nearest;
use super::violation::ViolationKind;
use super::violation_collector::ViolationCollector;
use super::wording::alternatives;
use crate::catalogue::{FONT_COUNT, FontNames};

/// The only string allowed as `font_size`.
const AUTO: &str = "auto";
/// Red, green, blue.
const CHANNELS: usize = 3;
const OF_COLOR: Parts = Parts { part: ["item (red, green, blue)", "items (red, green, blue)"], ..ITEMS };

/// The number of a font that is loaded.
#[derive(Debug)]
pub(super) struct FontNumber;

/// Most ranges of numbers that a message lists.
const RANGES_NAMED: usize = 16;

impl FieldType for FontNumber {
    type Value = u16;

    fn check(&self, input: &Value, collector: &mut ViolationCollector) -> Option<u16> {
        let meant = input.as_str().and_then(|text| meant::font(text, &collector.fonts));
        let meant = meant.map(|(id, name)| format!("{} ({name})", id.get()));
        let number = whole_number(input, meant, collector)?;
        if collector.fonts.operators().next().is_none() {
            in_range(number, 1, FONT_COUNT.into(), input, collector)?;
        } else if !collector.fonts.iter().any(|(id, _)| i64::from(id.get()) == number) {
            let expected = loaded(&collector.fonts);
            return collector.unexpected(ViolationKind::LiteralError, expected, &Value::from(number), None);
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

/// The name of a mail piece.
#[derive(Debug)]
pub(super) struct MailPieceName;

impl FieldType for MailPieceName {
    type Value = &'static MailPiece;

    fn check(&self, input: &Value, collector: &mut ViolationCollector) -> Option<&'static MailPiece> {
        let found = input.as_str().and_then(MailPiece::from_name);
        found.or_else(|| {
            let names = MailPiece::all().iter().map(|piece| piece.name.as_str());
            let meant = input.as_str().and_then(|given| nearest(given, names)).map(|name| format!("'{name}'"));
            let expected = "a name that GET /api/v1/mail-pieces or longhand mail-pieces lists";
            collector.unexpected(ViolationKind::LiteralError, expected, input, meant)
        })
    }

    fn describe(&self) -> FieldKind {
        FieldKind::OneOf(MailPiece::all().iter().map(|piece| piece.name.as_str()).collect())
    }
}

/// The font sizes that may be named, px.
pub(super) const FONT_SIZES: Integer<u16> = Integer { min: 12, max: 400 };

/// A whole number of pixels, or `auto`.
#[derive(Debug)]
pub(super) struct FontSizeOrAuto;

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
            let meant = input.as_str().and_then(|text| {
                let size = meant::number(text, FONT_SIZES.min, FONT_SIZES.max).map(|size| size.to_string());
                size.or_else(|| text.trim().eq_ignore_ascii_case(AUTO).then(|| format!("'{AUTO}'")))
            });
            let expected = format!("an integer from {} to {} or the string '{AUTO}'", FONT_SIZES.min, FONT_SIZES.max);
            return collector.unexpected(kind, expected, input, meant);
        }
        FONT_SIZES.check(input, collector).map(WantedSize::Px)
    }

    fn describe(&self) -> FieldKind {
        FieldKind::FontSize { min: FONT_SIZES.min.into(), max: FONT_SIZES.max.into() }
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
            let meant = input.as_str().and_then(meant::color);
            let meant = meant.map(|Rgb([red, green, blue])| format!("[{red}, {green}, {blue}]"));
            return collector.unexpected(ViolationKind::ListType, "an array [red, green, blue]", input, meant);
        };
        let length = OF_COLOR.check(items.len(), CHANNELS..=CHANNELS, collector);
        let channel = Integer { min: u8::MIN, max: u8::MAX };
        let channels: Vec<Option<u8>> = items
            .iter()
            .take(CHANNELS)
            .enumerate()
            .map(|(index, item)| collector.inside(index, |collector| channel.check(item, collector)))
            .collect();
        let channels: Vec<u8> = channels.into_iter().collect::<Option<_>>()?;
        length.and_then(|()| channels.try_into().ok()).map(Rgb)
    }

    fn describe(&self) -> FieldKind {
        FieldKind::Color
    }

    fn to_json(&self, value: &Rgb) -> Value {
        Value::from(value.0.to_vec())
    }
}
