//! Suggests the known name that the client probably meant.

/// Names longer than this are not compared: no known name is half as long, and the distance is quadratic.
const LONGEST_COMPARED: usize = 64;
/// Names this short are parts of too many others to be a hint.
const SHORTEST_PART: usize = 3;

/// The known name nearest to `unknown` by edit distance (optimal string alignment, case and separators ignored), if
/// one is near: at most a third of its letters differ, or one of the two is part of the other. The first of equals.
pub(super) fn nearest<'a>(unknown: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if unknown.len() > LONGEST_COMPARED {
        return None;
    }
    let unknown = letters(unknown);
    known
        .into_iter()
        .filter_map(|name| distance_if_near(&unknown, &letters(name)).map(|distance| (distance, name)))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

fn distance_if_near(unknown: &str, known: &str) -> Option<usize> {
    let distance = strsim::osa_distance(unknown, known);
    let few_differ = distance <= (unknown.chars().count().max(known.chars().count()) / 3).max(1);
    let is_part = (unknown.len() >= SHORTEST_PART && known.contains(unknown))
        || (known.len() >= SHORTEST_PART && unknown.contains(known));
    (!unknown.is_empty() && (few_differ || is_part)).then_some(distance)
}

fn letters(name: &str) -> String {
    name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 6] = ["text", "font_id", "font_size", "margin_left", "margin_right", "text_color"];

    #[test]
    fn a_slip_finds_its_name() {
        for (slip, meant) in [
            ("fontSize", "font_size"),
            ("font-size", "font_size"),
            ("FONT_ID", "font_id"),
            ("fnot_id", "font_id"),
            ("texts", "text"),
            ("color", "text_color"),
            ("marginleft", "margin_left"),
        ] {
            assert_eq!(nearest(slip, KNOWN), Some(meant), "{slip}");
        }
    }

    #[test]
    fn a_foreign_name_finds_none() {
        for foreign in ["", "_", "zzzzzz", "x".repeat(10_000).as_str()] {
            assert_eq!(nearest(foreign, KNOWN), None);
        }
    }
}
