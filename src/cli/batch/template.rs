//! Text with named placeholders: `Dear {name},`. `{{` is a literal brace.

/// A text with holes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Template(Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Placeholder(String),
}

impl Template {
    /// Reads a template; the error says on which line it is wrong.
    pub(super) fn parse(source: &str) -> Result<Self, String> {
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
                let (name, after) = closed(&braces[1..])
                    .ok_or_else(|| format!("line {}: a '{{' is not closed; write '{{{{' for a brace", line()))?;
                if name.is_empty() {
                    return Err(format!("line {}: a placeholder has no name", line()));
                }
                pieces.push(Piece::Text(std::mem::take(&mut text)));
                pieces.push(Piece::Placeholder(name.to_owned()));
                rest = after;
            }
        }
        text.push_str(rest);
        pieces.push(Piece::Text(text));
        Ok(Self(pieces))
    }

    /// The names of its placeholders, as often as they stand there.
    pub(super) fn placeholders(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Text(_) => None,
            Piece::Placeholder(name) => Some(name.as_str()),
        })
    }

    /// The text with every placeholder replaced by its `value`.
    pub(super) fn filled(&self, value: impl Fn(&str) -> String) -> String {
        let pieces = self.0.iter().map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Placeholder(name) => value(name),
        });
        pieces.collect()
    }
}

/// The name up to the closing brace, and what follows it. A name ends on its line and has no braces.
fn closed(inside: &str) -> Option<(&str, &str)> {
    let end = inside.find(['{', '}', '\n'])?;
    let (name, rest) = inside.split_at(end);
    Some((name.trim(), rest.strip_prefix('}')?))
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
    fn a_broken_template_names_the_line() {
        for (source, line, word) in [
            ("a\n{name", "line 2", "not closed"),
            ("{a\nb}", "line 1", "not closed"),
            ("{a{b}}", "line 1", "not closed"),
            ("a\n\n}", "line 3", "closes nothing"),
            ("{ }", "line 1", "no name"),
        ] {
            let error = Template::parse(source).unwrap_err();
            assert!(error.contains(line) && error.contains(word), "{source:?}: {error}");
        }
    }
}
