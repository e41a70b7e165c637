//! The probable meaning of a string where a number, a colour or another name is wanted.

use std::str::FromStr;

use super::page::PageSize;
use super::rgb::Rgb;
use super::suggestion::nearest;
use crate::catalogue::{FontId, FontNames};
use crate::units::MM_PER_INCH;

/// By how much a length may differ from that of a page, in mm.
const LENGTH_TOLERANCE: f64 = 0.6;
/// Lengths without a unit are inches up to this one, and millimetres above it.
const LARGEST_IN_INCHES: f64 = 20.0;

/// The number within the range that a text is.
pub(super) fn number<N: Copy + FromStr + PartialOrd>(text: &str, min: N, max: N) -> Option<N> {
    let number: N = text.trim().replace(',', ".").parse().ok()?;
    (min <= number && number <= max).then_some(number)
}

/// The boolean that a text is.
pub(super) fn boolean(text: &str) -> Option<bool> {
    text.trim().to_ascii_lowercase().parse().ok()
}

/// The font that a text names, by its number or its name, and its name.
pub(super) fn font<'a>(text: &str, fonts: &'a FontNames) -> Option<(FontId, &'a str)> {
    let named = |name: &str| fonts.iter().find(|(_, known)| *known == name);
    let by_number = || fonts.iter().find(|(id, _)| number(text, 1, u16::MAX) == Some(id.get()));
    by_number().or_else(|| named(nearest(text, fonts.iter().map(|(_, name)| name))?))
}

/// The page whose sides a text names, such as `4x6`, `8.5 × 11 in` or `210x297mm`, whichever way round.
pub(super) fn page_size(text: &str) -> Option<&'static str> {
    let text = text.trim().to_lowercase().replace(',', ".");
    let (sides, unit) = text.split_at(text.rfind(|last: char| last.is_ascii_digit())? + 1);
    let (first, second) = sides.split_once(['x', '×', '*'])?;
    let [first, second] =
        [first, second].map(|side| side.trim().trim_end_matches(['"', '″']).trim().parse::<f64>().ok());
    let (first, second) = (first?, second?);
    let mm_per_unit = match unit.trim() {
        "cm" => 10.0,
        "in" | "inch" | "inches" | "\"" | "″" => MM_PER_INCH,
        "" if first.max(second) <= LARGEST_IN_INCHES => MM_PER_INCH,
        "" | "mm" => 1.0,
        _ => return None,
    };
    let sides = [first.min(second) * mm_per_unit, first.max(second) * mm_per_unit];
    PageSize::names().find(|name| {
        let page = PageSize::from_name(name).map(PageSize::portrait_mm);
        page.is_some_and(|page| {
            let (width, height) = (page.width.get(), page.height.get());
            let differences = [width.min(height) - sides[0], width.max(height) - sides[1]];
            differences.into_iter().all(|difference| difference.abs() <= LENGTH_TOLERANCE)
        })
    })
}

/// The colour that a text is: `#1a2b3c`, `#abc` or `rgb(26, 43, 60)`.
pub(super) fn color(text: &str) -> Option<Rgb> {
    let text = text.trim();
    let digits = text.strip_prefix('#').unwrap_or(text);
    let digits: Option<Vec<u8>> = digits.chars().map(|digit| u8::try_from(digit.to_digit(16)?).ok()).collect();
    match digits.as_deref() {
        Some(&[r1, r0, g1, g0, b1, b0]) => return Some(Rgb([16 * r1 + r0, 16 * g1 + g0, 16 * b1 + b0])),
        Some(&[red, green, blue]) => return Some(Rgb([17 * red, 17 * green, 17 * blue])),
        _ => {}
    }
    let inside = text.strip_prefix("rgb(").and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    let channels: Vec<u8> = inside.split(',').map(|channel| channel.trim().parse().ok()).collect::<Option<_>>()?;
    <[u8; 3]>::try_from(channels).ok().map(Rgb)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_font_is_found_by_its_name_or_number() {
        for (text, id) in [
            ("Caveat", 1),
            ("caveat", 1),
            ("patrick-hand", 2),
            ("Patrik Hand", 2),
            ("Caveat Brush", 36),
            ("3", 3),
            ("Kalam", 81),
        ] {
            assert_eq!(font(text, &FontNames::default()).map(|(id, _)| id.get()), Some(id), "{text}");
        }
        for text in ["", "91", "0", "zzzzzz"] {
            assert_eq!(font(text, &FontNames::default()), None, "{text}");
        }
    }

    #[test]
    fn a_page_is_found_by_its_sides() {
        for (text, name) in [
            ("4x6", "postcard_us"),
            ("6x4", "postcard_us"),
            ("5 × 7 in", "card_5x7"),
            ("8.5x11", "letter"),
            ("8,5\" x 11\"", "letter"),
            ("210x297", "a4"),
            ("21x29.7cm", "a4"),
            ("105 x 148 mm", "a6"),
            ("96x135", "card_96x135"),
            ("5x5", "square_5x5"),
        ] {
            assert_eq!(page_size(text), Some(name), "{text}");
        }
        for text in ["", "x", "4x", "4x6 ft", "100x100", "a4", "4x6x2"] {
            assert_eq!(page_size(text), None, "{text}");
        }
    }

    #[test]
    fn a_color_is_read_as_web_pages_write_it() {
        for text in ["#1a2b3c", "1A2B3C", " #1a2b3c", "rgb(26, 43, 60)", "26,43,60"] {
            assert_eq!(color(text), Some(Rgb([26, 43, 60])), "{text}");
        }
        assert_eq!(color("#abc"), Some(Rgb([0xaa, 0xbb, 0xcc])));
        for text in ["", "#", "#12", "#1a2b3c4d", "blue", "rgb(1,2)", "1,2,256", "#ﬀ0000"] {
            assert_eq!(color(text), None, "{text}");
        }
    }

    #[test]
    fn a_number_is_suggested_only_if_the_field_takes_it() {
        assert_eq!(
            (number("3", 1, 90), number(" 3 ", 1, 90), number("91", 1, 90), number("3.5", 1, 90)),
            (Some(3), Some(3), None, None)
        );
        assert_eq!((number("1,5", 0.0, 2.0), number("NaN", 0.0, 2.0)), (Some(1.5), None));
        assert_eq!((boolean("True"), boolean("yes")), (Some(true), None));
    }
}
