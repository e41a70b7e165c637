//! From bytes to one JSON value (RFC 8259): UTF-8, nothing after the value, bounded nesting, no duplicate members.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::violation::RequestError;
use super::wording::shortened;

/// The UTF-8 encoding of U+FEFF, which RFC 8259, section 8.1, forbids in front of JSON.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Reads `body` as exactly one JSON value.
///
/// # Errors
/// [`RequestError::Malformed`], with line and column, for anything that is not JSON. A member named twice counts as
/// malformed: RFC 8259 does not define its meaning, and a guess could render the wrong page.
pub fn read_json(body: &[u8]) -> Result<Value, RequestError> {
    if body.iter().all(u8::is_ascii_whitespace) {
        return Err(malformed("it is empty; send an object with at least `text`"));
    }
    if body.starts_with(BYTE_ORDER_MARK) {
        return Err(malformed("byte order mark at line 1 column 1; send UTF-8 without one"));
    }
    if let Err(error) = std::str::from_utf8(body) {
        return Err(malformed(&invalid_utf8(body, error.valid_up_to())));
    }
    let parsed = serde_json::from_slice::<Strict>(body);
    parsed.map(|strict| strict.0).map_err(|error| malformed(&error.to_string()))
}

fn malformed(cause: &str) -> RequestError {
    RequestError::Malformed { message: format!("The body is not valid JSON: {cause}") }
}

/// Reports where the UTF-8 ends. Columns count bytes from 1, like those of `serde_json`.
fn invalid_utf8(body: &[u8], valid_up_to: usize) -> String {
    let valid = body.get(..valid_up_to).unwrap_or_default();
    let (line, column) = valid.iter().fold((1, 1), |(line, column), byte| match byte {
        b'\n' => (line + 1, 1),
        _ => (line, column + 1),
    });
    format!("invalid UTF-8 at line {line} column {column}")
}

/// A JSON value without duplicate members.
struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Self)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some((name, Strict(value))) = members.next_entry::<String, Strict>()? {
            if map.contains_key(&name) {
                return Err(A::Error::custom(format_args!("`{}` is given twice", shortened(&name))));
            }
            map.insert(name, value);
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_read_as_serde_json_reads_them() {
        let text = r#" {"a":[1,-2,3.5,1e2,18446744073709551616],"b":{"c":null,"d":true},"e":"\ud83d\ude00 ä"} "#;
        assert_eq!(read_json(text.as_bytes()).unwrap(), serde_json::from_str::<Value>(text).unwrap());
    }

    #[test]
    fn a_malformed_body_is_told_where() {
        let deep = "[".repeat(100_000);
        for (body, expected) in [
            (&b""[..], "empty"),
            (b" \n\t", "empty"),
            (b"\xEF\xBB\xBF{}", "byte order mark"),
            (b"{\n\"text\": \"\xFF\"}", "invalid UTF-8 at line 2 column 10"),
            (b"{\"text\":\"x\",}", "line 1 column 13"),
            (b"{\"text\":\"x\"", "line 1 column 11"),
            (b"{} {}", "trailing characters at line 1 column 4"),
            (b"{'text':'x'}", "line 1 column 2"),
            (b"NaN", "line 1 column 1"),
            (b"{\"dpi\":1e999}", "number out of range at line 1 column 12"),
            (b"{\"text\":\"\\ud800\"}", "line 1 column"),
            (b"{\"text\":\"\\udc00x\"}", "line 1 column"),
            (b"{\"text\":\"a\nb\"}", "line 2 column 0"),
            (b"{\"dpi\": 0300}", "line 1 column 10"),
            (b"{\"dpi\":300,\n\"dpi\":600}", "`dpi` is given twice at line 2"),
            (b"{\"pdf\":{\"region\":\"us\",\"region\":\"us\"}}", "`region` is given twice"),
            (deep.as_bytes(), "recursion limit exceeded at line 1 column 128"),
        ] {
            match read_json(body) {
                Err(RequestError::Malformed { message }) => assert!(message.contains(expected), "{message}"),
                other => panic!("{expected}: {other:?}"),
            }
        }
    }

    #[test]
    fn a_huge_repeated_name_is_not_echoed() {
        let name = "k".repeat(50_000);
        let body = format!("{{\"{name}\":1,\"{name}\":2}}");
        match read_json(body.as_bytes()) {
            Err(RequestError::Malformed { message }) => assert!(message.len() < 300, "{}", message.len()),
            other => panic!("{other:?}"),
        }
    }
}
