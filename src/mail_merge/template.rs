//! Text with named placeholders: `Dear {name},`. `{gift|a kind word}` has a default, and `{{` is a literal brace. A
//! line of nothing but placeholders whose default is empty leaves with its line break where all of them are empty, and
//! with one of the blank lines around it.

use crate::catalogue::is_default_ignorable;

/// The placeholder that every row has.
pub(crate) const ROW: &str = "row";

/// A text with holes, line by line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template(Vec<Vec<Piece>>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Placeholder {
        name: String,
        /// Stands for a value that shows nothing.
        default: Option<String>,
    },
}

impl Template {
    /// Reads a template; the error says on which line it is wrong.
    pub(crate) fn parse(source: &str) -> Result<Self, String> {
        let (mut pieces, mut text) = (Vec::new(), String::new());
        let mut rest = source;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, braces) = rest.split_at(at);
            text.push_str(before);
            let line = || source[..source.len() - braces.len()].matches('\n').count() + 1;
            if let Some(after) = braces.strip_prefix("{{") {
                text.push('{');
                rest = after;
            } else if let Some(after) = braces.strip_prefix("}}") {
                text.push('}');
                rest = after;
            } else if braces.starts_with('}') {
                return Err(format!("line {}: a '}}' closes nothing; write '}}}}' for a brace", line()));
            } else {
                let (inside, after) = closed(&braces[1..])
                    .ok_or_else(|| format!("line {}: a '{{' is not closed; write '{{{{' for a brace", line()))?;
                let placeholder = placeholder(inside);
                if matches!(&placeholder, Piece::Placeholder { name, .. } if name.is_empty()) {
                    return Err(format!("line {}: a placeholder has no name", line()));
                }
                pieces.push(Piece::Text(std::mem::take(&mut text)));
                pieces.push(placeholder);
                rest = after;
            }
        }
        text.push_str(rest);
        pieces.push(Piece::Text(text));
        Ok(Self(lines(pieces)))
    }

    /// The names of its placeholders, as often as they stand there.
    pub(crate) fn placeholders(&self) -> impl Iterator<Item = &str> {
        self.pieces().filter_map(|piece| match piece {
            Piece::Text(_) => None,
            Piece::Placeholder { name, .. } => Some(name.as_str()),
        })
    }

    /// The text with every placeholder replaced by its `value`, or by its default if the value shows nothing; without
    /// the lines that have nothing then.
    pub(crate) fn filled(&self, value: impl Fn(&str) -> String) -> String {
        let mut kept: Vec<&[Piece]> = Vec::new();
        let mut has_left = false;
        for line in &self.0 {
            if leaves(line, &value) {
                has_left = true;
                continue;
            }
            let is_second_blank = has_left && is_blank(line) && kept.last().is_some_and(|before| is_blank(before));
            if !is_second_blank {
                kept.push(line);
            }
            has_left = false;
        }
        kept.into_iter().map(|line| filled_line(line, &value, str::to_owned)).collect::<Vec<_>>().join("\n")
    }

    /// The text with every placeholder replaced by its `value` or default in another `form`.
    pub(crate) fn filled_with(&self, value: impl Fn(&str) -> String, form: impl Fn(&str) -> String) -> String {
        self.0.iter().map(|line| filled_line(line, &value, &form)).collect::<Vec<_>>().join("\n")
    }

    /// A placeholder in the syntax of another program, of which a sign is written before its `value`.
    pub(crate) fn foreign(&self, value: impl Fn(&str) -> String) -> Option<String> {
        let mut pairs = self.0.iter().flat_map(|line| line.windows(2));
        pairs.find_map(|pair| foreign_sign(pair, &value))
    }

    fn pieces(&self) -> impl Iterator<Item = &Piece> {
        self.0.iter().flatten()
    }

    /// The placeholders whose `value` shows nothing and that have no default.
    pub(crate) fn empty(&self, value: impl Fn(&str) -> String) -> impl Iterator<Item = &str> {
        self.pieces().filter_map(move |piece| match piece {
            Piece::Placeholder { name, default: None } if shows_nothing(&value(name)) => Some(name.as_str()),
            _ => None,
        })
    }
}

/// Parts pieces at the line breaks of the text. No placeholder has any.
fn lines(pieces: Vec<Piece>) -> Vec<Vec<Piece>> {
    let (mut lines, mut line) = (Vec::new(), Vec::new());
    for piece in pieces {
        let Piece::Text(text) = piece else {
            line.push(piece);
            continue;
        };
        for (number, part) in text.split('\n').enumerate() {
            if number > 0 {
                lines.push(std::mem::take(&mut line));
            }
            line.push(Piece::Text(part.to_owned()));
        }
    }
    lines.push(line);
    lines
}

/// Whether a line of the template has nothing.
fn is_blank(line: &[Piece]) -> bool {
    line.iter().all(|piece| matches!(piece, Piece::Text(text) if shows_nothing(text)))
}

/// Whether a line has nothing but placeholders, apart from signs between them, and all of them have an empty default
/// and a `value` that shows nothing.
fn leaves(line: &[Piece], value: impl Fn(&str) -> String) -> bool {
    let has_placeholder = line.iter().any(|piece| matches!(piece, Piece::Placeholder { .. }));
    has_placeholder
        && line.iter().all(|piece| match piece {
            Piece::Text(text) => !text.contains(char::is_alphanumeric),
            Piece::Placeholder { name, default } => {
                default.as_ref().is_some_and(String::is_empty) && shows_nothing(&value(name))
            }
        })
}

/// `${name}`, `%{name}`, `{{{name}}}`. A dollar sign belongs to an amount.
fn foreign_sign(pair: &[Piece], value: impl Fn(&str) -> String) -> Option<String> {
    let [Piece::Text(text), Piece::Placeholder { name, .. }] = pair else { return None };
    let sign = text.chars().next_back().filter(|sign| matches!(sign, '$' | '%' | '{'))?;
    let is_amount = value(name).starts_with(|first: char| !first.is_alphabetic());
    (sign == '{' || !is_amount).then(|| format!("{sign}{{{name}}}"))
}

fn filled_line(line: &[Piece], value: impl Fn(&str) -> String, form: impl Fn(&str) -> String) -> String {
    let pieces = line.iter().map(|piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Placeholder { name, default } => {
            let value = value(name);
            form(default.as_ref().filter(|_| shows_nothing(&value)).unwrap_or(&value))
        }
    });
    pieces.collect()
}

/// Whether a text has only spaces and invisible characters.
pub(crate) fn shows_nothing(text: &str) -> bool {
    text.chars().all(|character| character.is_whitespace() || is_default_ignorable(character))
}

/// What stands between braces: a name, and after the first `|` a default.
fn placeholder(inside: &str) -> Piece {
    let (name, default) = inside.split_once('|').map_or((inside, None), |(name, default)| (name, Some(default)));
    Piece::Placeholder { name: name.trim().to_owned(), default: default.map(|default| default.trim().to_owned()) }
}

/// What stands before the closing brace, and what follows it. A placeholder ends on its line and has no braces.
fn closed(inside: &str) -> Option<(&str, &str)> {
    let end = inside.find(['{', '}', '\n'])?;
    let (inside, rest) = inside.split_at(end);
    Some((inside, rest.strip_prefix('}')?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_replaced_and_double_braces_are_braces() {
        let template = Template::parse("Dear {name},\n{{x}} { city }{name}").unwrap();
        assert_eq!(template.placeholders().collect::<Vec<_>>(), ["name", "city", "name"]);
        assert_eq!(template.filled(|name| format!("<{name}>")), "Dear <name>,\n{x} <city><name>");
    }

    #[test]
    fn what_was_filled_in_is_not_read_again() {
        assert_eq!(Template::parse("{a}").unwrap().filled(|_| "{b}".to_owned()), "{b}");
    }

    #[test]
    fn a_value_that_shows_nothing_is_replaced_by_the_default_or_named() {
        let template = Template::parse("{name}: {gift | a kind word} {city|}").unwrap();
        assert_eq!(template.placeholders().collect::<Vec<_>>(), ["name", "gift", "city"]);
        for blank in ["", " ", "\u{A0}", "\u{200B}"] {
            assert_eq!(template.filled(|_| blank.to_owned()), format!("{blank}: a kind word "));
            assert_eq!(template.empty(|_| blank.to_owned()).collect::<Vec<_>>(), ["name"]);
        }
        assert_eq!(template.filled(str::to_owned), "name: gift city");
        assert_eq!(template.empty(str::to_owned).count(), 0);
    }

    #[test]
    fn a_line_of_empty_placeholders_with_empty_defaults_leaves() {
        let address = "{name}\n{street|}\n{zip|}, {city|}\n\nDear {title|}\n{note|-}\n{country|}";
        let template = Template::parse(address).unwrap();
        let with = |given: &[&str]| {
            template.filled(|name| if given.contains(&name) { name.to_owned() } else { String::new() })
        };
        assert_eq!(with(&["name", "street", "city"]), "name\nstreet\n, city\n\nDear \n-");
        assert_eq!(with(&["name", "note", "country"]), "name\n\nDear \nnote\ncountry");
        assert_eq!(with(&[]), "\n\nDear \n-", "a placeholder without a default keeps its line");
        assert_eq!(Template::parse("{a|}\n{b|}").unwrap().filled(|_| " ".to_owned()), "");
        assert_eq!(Template::parse("{a|}").unwrap().filled_with(|_| String::new(), |_| "_".to_owned()), "_");
    }

    #[test]
    fn a_paragraph_that_leaves_takes_a_blank_line_along() {
        let filled = |source: &str| Template::parse(source).unwrap().filled(|_| String::new());
        assert_eq!(filled("Dear Ann,\n\n{ps|}\n\nYours"), "Dear Ann,\n\nYours");
        assert_eq!(filled("Dear Ann,\n\n{a|}\n{b|}\n\n\nYours"), "Dear Ann,\n\n\nYours");
        assert_eq!(filled("Dear Ann,\n{ps|}\n\nYours"), "Dear Ann,\n\nYours");
    }

    #[test]
    fn signs_of_other_programs_before_a_placeholder_are_found() {
        let foreign = |source: &str, value: &str| Template::parse(source).unwrap().foreign(|_| value.to_owned());
        assert_eq!(foreign("Dear ${name}", "Ann").as_deref(), Some("${name}"));
        assert_eq!(foreign("Dear {{{name}}}", "Ann").as_deref(), Some("{{name}"));
        assert_eq!(foreign("Dear {name} for ${name}", "5.00"), None);
    }

    #[test]
    fn a_broken_template_names_the_line() {
        for (source, line, word) in [
            ("a\n{name", "line 2", "not closed"),
            ("{a\nb}", "line 1", "not closed"),
            ("{a{b}}", "line 1", "not closed"),
            ("a\n\n}", "line 3", "closes nothing"),
            ("{ }", "line 1", "no name"),
            ("{|a}", "line 1", "no name"),
        ] {
            let error = Template::parse(source).unwrap_err();
            assert!(error.contains(line) && error.contains(word), "{source:?}: {error}");
        }
    }
}
