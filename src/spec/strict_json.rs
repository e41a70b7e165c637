//! From bytes to one JSON value (RFC 8259): UTF-8, nothing after the value, bounded nesting, no duplicate members.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
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
    read(body, Items::Kept)
}

/// Reads `body` as [`read_json`] does. The items of the list that is the member `name` of its object are given to `each`
/// one by one, and are not kept: in the value the list is empty.
///
/// # Errors
/// Those of [`read_json`]; some items may have been given before.
pub(crate) fn read_json_by_item(body: &[u8], name: &str, each: &mut dyn FnMut(Value)) -> Result<Value, RequestError> {
    read(body, Items::OfMember(name, each))
}

fn read(body: &[u8], items: Items<'_>) -> Result<Value, RequestError> {
    if body.iter().all(u8::is_ascii_whitespace) {
        return Err(malformed("it is empty; send an object with at least `text`"));
    }
    if body.starts_with(BYTE_ORDER_MARK) {
        return Err(malformed("byte order mark at line 1 column 1; send UTF-8 without one"));
    }
    if let Err(error) = std::str::from_utf8(body) {
        return Err(malformed(&invalid_utf8(body, error.valid_up_to())));
    }
    let mut deserializer = serde_json::Deserializer::from_slice(body);
    let parsed = Strict(items).deserialize(&mut deserializer);
    let parsed = parsed.and_then(|value| deserializer.end().map(|()| value));
    parsed.map_err(|error| malformed(&error.to_string()))
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

/// What becomes of the items of a list.
enum Items<'a> {
    /// They stay in the list.
    Kept,
    /// Those of the list that is this member of the object are given to the function.
    OfMember(&'a str, &'a mut dyn FnMut(Value)),
    /// They are given to the function.
    Given(&'a mut dyn FnMut(Value)),
}

/// Reads a JSON value without duplicate members.
struct Strict<'a>(Items<'a>);

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
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
        let mut given = if let Items::Given(each) = self.0 { Some(each) } else { None };
        while let Some(item) = items.next_element_seed(Strict(Items::Kept))? {
            match &mut given {
                Some(each) => each(item),
                None => list.push(item),
            }
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        let mut of_member = if let Items::OfMember(member, each) = self.0 { Some((member, each)) } else { None };
        while let Some(name) = members.next_key::<String>()? {
            let items = match &mut of_member {
                Some((member, each)) if *member == name => Items::Given(&mut **each),
                _ => Items::Kept,
            };
            let value = members.next_value_seed(Strict(items))?;
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
    fn items_of_one_list_are_given_one_by_one() {
        let mut given = Vec::new();
        let text = br#"{"a": [1], "rows": [{"rows": [2]}, 3], "b": {"rows": [4]}}"#;
        let rest = read_json_by_item(text, "rows", &mut |item| given.push(item)).unwrap();
        assert_eq!(rest, serde_json::json!({"a": [1], "rows": [], "b": {"rows": [4]}}));
        assert_eq!(given, [serde_json::json!({"rows": [2]}), serde_json::json!(3)]);
        for malformed in ["{\"rows\": [1, 2", "{\"rows\": [1], \"rows\": [2]}", "{\"rows\": [{\"a\":1,\"a\":2}]}"] {
            assert!(read_json_by_item(malformed.as_bytes(), "rows", &mut drop).is_err(), "{malformed}");
        }
        let other = read_json_by_item(b"{\"rows\": {\"a\": [1]}}", "rows", &mut |_| panic!("no list")).unwrap();
        assert_eq!(other, serde_json::json!({"rows": {"a": [1]}}));
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
