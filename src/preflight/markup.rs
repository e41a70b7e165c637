//! What marks up a text for a program: tags and entities of HTML, and Markdown.

use super::literal_placeholder::up_to;

/// Longest tag and entity that is looked for, in characters.
const LONGEST_TAG: usize = 200;
/// Longest tag that is shown as it stands, in bytes.
const LONGEST_SHOWN: usize = 12;
const LONGEST_ENTITY: usize = 8;
/// Tags that may be letters in brackets where they open.
const SHORT_TAGS: &[&str] = &["b", "i", "u", "a"];
const TAGS: &[&str] = &[
    "p",
    "em",
    "li",
    "ul",
    "ol",
    "td",
    "tr",
    "h1",
    "h2",
    "h3",
    "br",
    "hr",
    "img",
    "strong",
    "div",
    "span",
    "font",
    "table",
    "style",
    "blockquote",
];
const ENTITIES: &[&str] = &[
    "amp", "lt", "gt", "quot", "apos", "nbsp", "ndash", "mdash", "hellip", "rsquo", "lsquo", "rdquo", "ldquo", "euro",
    "szlig", "copy", "reg", "trade", "deg", "shy", "bull", "middot", "pound", "yen", "cent", "sect", "para", "iexcl",
    "iquest", "laquo", "raquo", "bdquo", "sbquo", "times", "frac12", "hearts", "rarr", "larr",
];
const ENTITY_ENDS: &[&str] = &["uml", "acute", "grave", "circ", "tilde", "cedil", "ring", "slash", "lig"];
/// Signs of Markdown on both sides of what it makes bold.
const BOLD: &[&str] = &["**", "__"];

/// `<br>`, `<p>`, `<span class="x">`, the ends of tags, and comments.
pub(super) fn tag(text: &str) -> Option<String> {
    const COMMENT: &str = "<!--";
    if text.contains(COMMENT) {
        return Some(COMMENT.to_owned());
    }
    text.match_indices('<').find_map(|(at, _)| {
        let inside = up_to(text.get(at + 1..)?, ">", LONGEST_TAG)?;
        let ended = inside.strip_prefix('/').unwrap_or(inside);
        let (name, attributes) = ended.split_once([' ', '/']).unwrap_or((ended, ""));
        let name = name.to_lowercase();
        let has_values = attributes.contains('=');
        let is_short = SHORT_TAGS.contains(&name.as_str()) && (ended.len() < inside.len() || has_values);
        let is_long = TAGS.contains(&name.as_str()) && (attributes.trim_matches([' ', '/']).is_empty() || has_values);
        let shown = if inside.len() > LONGEST_SHOWN { format!("{name} …") } else { inside.to_owned() };
        (is_short || is_long).then(|| format!("<{shown}>"))
    })
}

/// `&amp;`, `&euml;`, `&#39;`.
pub(super) fn entity(text: &str) -> Option<String> {
    text.match_indices('&').find_map(|(at, _)| {
        let name = up_to(text.get(at + 1..)?, ";", LONGEST_ENTITY)?;
        let is_number = name.strip_prefix('#').is_some_and(|number| match number.strip_prefix(['x', 'X']) {
            Some(digits) => !digits.is_empty() && digits.chars().all(|digit| digit.is_ascii_hexdigit()),
            None => !number.is_empty() && number.chars().all(|digit| digit.is_ascii_digit()),
        });
        let is_letter = name.chars().all(char::is_alphabetic)
            && ENTITY_ENDS
                .iter()
                .any(|end| (1..=2).contains(&name.len().saturating_sub(end.len())) && name.ends_with(end));
        (is_number || is_letter || ENTITIES.contains(&name)).then(|| format!("&{name};"))
    })
}

/// `**bold**`, `## Heading`, `[name](address)`, fences of code and tables of Markdown.
pub(super) fn markdown(text: &str) -> Option<String> {
    text.lines().find_map(|line| {
        bold(line).or_else(|| heading(line)).or_else(|| link(line)).or_else(|| fence(line)).or_else(|| table(line))
    })
}

/// Three backquotes, before and after code.
fn fence(line: &str) -> Option<String> {
    const FENCE: &str = "```";
    line.contains(FENCE).then(|| FENCE.to_owned())
}

/// The line below the names of columns: `|---|:---:|`.
fn table(line: &str) -> Option<String> {
    let bare = line.trim();
    let inside = bare.strip_prefix('|')?.strip_suffix('|')?;
    let is_rule = |cell: &str| {
        let cell = cell.trim().trim_matches(':');
        cell.len() > 1 && cell.chars().all(|sign| sign == '-')
    };
    inside.split('|').all(is_rule).then(|| bare.to_owned())
}

fn bold(line: &str) -> Option<String> {
    BOLD.iter().find_map(|sign| {
        let inside = line.split(sign).nth(1).filter(|_| line.matches(sign).count() > 1)?;
        let is_tight =
            |end: Option<char>| end.is_some_and(|end| end.is_alphanumeric() || ".,!?:;)(\"'’“”".contains(end));
        let has_letters = inside.contains(char::is_alphabetic);
        // 2**3 is a power.
        let opens = line.split(sign).next().is_some_and(|before| !before.ends_with(char::is_alphanumeric));
        (opens && has_letters && is_tight(inside.chars().next()) && is_tight(inside.chars().next_back()))
            .then(|| format!("{sign}{inside}{sign}"))
    })
}

fn heading(line: &str) -> Option<String> {
    let signs = line.len() - line.trim_start_matches('#').len();
    let is_heading = (2..=6).contains(&signs) && line.get(signs..)?.starts_with(' ');
    is_heading.then(|| line.get(..signs).map(str::to_owned)).flatten()
}

fn link(line: &str) -> Option<String> {
    line.match_indices("](").find_map(|(at, _)| {
        let address = line.get(at + 2..)?.split_once(')')?.0;
        let is_address = ["http://", "https://", "mailto:"].iter().any(|scheme| address.starts_with(scheme));
        is_address.then(|| format!("]({address})"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_found() {
        for (text, found) in [
            ("one<br>two", "<br>"),
            ("one<BR />two", "<BR />"),
            ("<p>a", "<p>"),
            ("a</p>", "</p>"),
            ("<b>a</b>", "</b>"),
            ("<!-- wp:paragraph -->", "<!--"),
            ("<span class=\"x\">a", "<span …>"),
            ("<a href=\"x\">a", "<a href=\"x\">"),
        ] {
            assert_eq!(tag(text).as_deref(), Some(found), "{text}");
        }
        for text in ["a < b > c, if a <b> c", "I <3 you, </3, >_<, <o>", "<grin>", "a <i> b", "x <p and q> y"] {
            assert_eq!(tag(text), None, "{text}");
        }
    }

    #[test]
    fn markdown_is_found() {
        for (text, found) in [
            ("so **very** glad", "**very**"),
            ("__Note__ this", "__Note__"),
            ("Dear Ann,\n## Thanks", "##"),
            ("see [here](https://a.example)", "](https://a.example)"),
            ("```python", "```"),
            ("| Day | Tea |\n|-----|:---:|\n| Mo | green |", "|-----|:---:|"),
        ] {
            assert_eq!(markdown(text).as_deref(), Some(found), "{text}");
        }
        for text in [
            "*so* _so_ ~so~ `so`",
            "2**3 and 3**4",
            "** one ** two",
            "#1 ##2 ***",
            "Name: ____ Date: ____",
            "a[1](2)",
            "____",
            "****",
            "||, |-|, |a--|, ``so``",
        ] {
            assert_eq!(markdown(text), None, "{text}");
        }
    }
}
