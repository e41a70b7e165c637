//! Violations of a request: each with its path, a message and a machine-readable kind.

use std::fmt;
use std::ops::Deref;

use crate::named::named;

/// One step from the body to the value that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PathSegment {
    /// A member of an object.
    Key(String),
    /// An item of an array, from 0.
    Index(usize),
}

impl From<&str> for PathSegment {
    fn from(key: &str) -> Self {
        Self::Key(key.to_owned())
    }
}

impl From<usize> for PathSegment {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

impl fmt::Display for PathSegment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) => formatter.write_str(key),
            Self::Index(index) => write!(formatter, "{index}"),
        }
    }
}

/// A constraint that a value breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {message}", self.field())]
pub struct Violation {
    /// From the body to the value; empty for the body as a whole.
    pub path: Vec<PathSegment>,
    /// The expected and the received value, for people. At most a few hundred characters.
    pub message: String,
    /// The kind of error, for programs.
    pub kind: ViolationKind,
    /// What a file says in each encoding that it may have, the likeliest first; empty for other violations.
    pub readings: Vec<FileReading>,
}

/// What a file says in one encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileReading {
    /// The encoding, such as `windows-1250`.
    pub encoding: String,
    /// Words of the file in which the encodings differ.
    pub sample: String,
}

impl Violation {
    /// The violation of `kind` by the value at `path`.
    #[must_use]
    pub fn new(path: Vec<PathSegment>, kind: ViolationKind, message: impl Into<String>) -> Self {
        Self { path, message: message.into(), kind, readings: Vec::new() }
    }

    /// The violation of `kind` by a field of the body, named as [`field`](Self::field) names it.
    #[must_use]
    pub fn of_field(name: &str, kind: ViolationKind, message: impl Into<String>) -> Self {
        let segments = name.split(['.', '[', ']']).filter(|segment| !segment.is_empty());
        let segment = |text: &str| text.parse().map_or_else(|_| PathSegment::from(text), PathSegment::Index);
        Self::new(segments.map(segment).collect(), kind, message)
    }

    /// The path in dotted form, such as `pdf.bleed_mm`, `text_color.1` or `blocks[2].width`; `body` for the body as a
    /// whole. A number is in brackets if it is not the last.
    #[must_use]
    pub fn field(&self) -> String {
        if self.path.is_empty() {
            return "body".to_owned();
        }
        let last = self.path.len() - 1;
        let dotted = self.path.iter().enumerate().map(|(place, segment)| match segment {
            PathSegment::Index(index) if place < last => format!("[{index}]"),
            _ if place == 0 => segment.to_string(),
            _ => format!(".{segment}"),
        });
        dotted.collect()
    }
}

named! {
    /// The `type` of a violation, by pydantic's name if pydantic v2 has one.
    pub enum ViolationKind {
        /// A required field is absent.
        Missing = "missing",
        /// A field that the contract does not have.
        ExtraForbidden = "extra_forbidden",
        /// Not an object.
        ModelType = "model_type",
        /// Not a string.
        StringType = "string_type",
        /// Fewer characters than allowed.
        StringTooShort = "string_too_short",
        /// More characters than allowed.
        StringTooLong = "string_too_long",
        /// Not an integer.
        IntType = "int_type",
        /// A number with a fraction instead of an integer.
        IntFromFloat = "int_from_float",
        /// Not a number.
        FloatType = "float_type",
        /// Not a boolean.
        BoolType = "bool_type",
        /// Not an array.
        ListType = "list_type",
        /// Fewer items than allowed.
        TooShort = "too_short",
        /// More items than allowed.
        TooLong = "too_long",
        /// Below the smallest allowed value.
        GreaterThanEqual = "greater_than_equal",
        /// Above the largest allowed value.
        LessThanEqual = "less_than_equal",
        /// None of the enumerated values.
        LiteralError = "literal_error",
        /// Valid alone, but not together with other fields.
        ValueError = "value_error",
        /// Contradicts another field.
        Conflict = "conflict",
        /// Text that does not fit the page.
        TextOverflow = "text_overflow",
        /// A character that no font can write.
        UnsupportedCharacter = "unsupported_character",
        /// Valid, but not in this font.
        UnsupportedForFont = "unsupported_for_font",
        /// A file whose encoding is not certain; its `readings` are those it may have.
        UncertainEncoding = "uncertain_encoding",
        /// Valid, but more work than one request may cause.
        TooCostly = "too_costly",
        /// An error that preflight found, in a request that refuses such pages.
        Preflight = "preflight",
    }
}

/// Everything that is wrong with one request: at least one violation. Fields come in the order of the contract's table,
/// then combinations of fields, unknown fields, and parts that are not offered. They print one a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(Violation::to_string).collect::<Vec<_>>().join("\n"))]
pub struct Violations(Vec<Violation>);

impl Violations {
    /// The list, unless it is empty.
    #[must_use]
    pub fn from_list(violations: Vec<Violation>) -> Option<Self> {
        (!violations.is_empty()).then_some(Self(violations))
    }
}

impl Deref for Violations {
    type Target = [Violation];

    fn deref(&self) -> &[Violation] {
        &self.0
    }
}

impl From<Violation> for Violations {
    fn from(violation: Violation) -> Self {
        Self(vec![violation])
    }
}

/// The reason why a body is not a valid generation request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// The body is not JSON.
    #[error("{message}")]
    Malformed {
        /// The syntax error with line and column.
        message: String,
    },
    /// The body is JSON but breaks constraints.
    #[error(transparent)]
    Invalid(#[from] Violations),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_reads_as_dotted_names() {
        let at = |path| Violation::new(path, ViolationKind::ValueError, "").field();
        assert_eq!(at(vec![]), "body");
        assert_eq!(at(vec!["pdf".into(), "bleed_mm".into()]), "pdf.bleed_mm");
        assert_eq!(at(vec!["text_color".into(), 1.into()]), "text_color.1");
        assert_eq!(at(vec!["blocks".into(), 2.into(), "width".into()]), "blocks[2].width");
    }

    #[test]
    fn a_name_is_read_as_the_path_that_it_names() {
        for name in ["seed", "pdf.bleed_mm", "text_color.1", "blocks[2].width", "blocks[12].text_color.0"] {
            let violation = Violation::of_field(name, ViolationKind::ValueError, "");
            assert_eq!(violation.field(), name);
        }
        let path = Violation::of_field("blocks[2].width", ViolationKind::ValueError, "").path;
        assert_eq!(path, ["blocks".into(), 2.into(), "width".into()]);
    }

    #[test]
    fn an_empty_list_is_no_violations() {
        assert_eq!(Violations::from_list(Vec::new()), None);
    }

    #[test]
    fn violations_print_one_a_line() {
        let violations = Violations::from_list(vec![
            Violation::of_field("dpi", ViolationKind::LiteralError, "first"),
            Violation::of_field("seed", ViolationKind::IntType, "second"),
        ]);
        assert_eq!(violations.unwrap().to_string(), "dpi: first\nseed: second");
    }
}
