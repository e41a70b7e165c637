//! Whatever is sent, reading it ends in a valid specification or in an error that can be told, never in a panic.

use longhand::spec::{self, Endpoint, RequestError};
use proptest::prelude::*;
use serde_json::{Map, Number, Value};

/// Any JSON value, nested a little.
fn any_json() -> impl Strategy<Value = Value> {
    let number = prop_oneof![
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-10_i64..500).prop_map(Value::from),
        any::<f64>().prop_map(|float| Number::from_f64(float).map_or(Value::Null, Value::Number)),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        number,
        any::<String>().prop_map(Value::String),
        prop::sample::select(vec!["auto", "pdf", "address", "a4", "lob", "paginate"]).prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::Array),
            prop::collection::vec((any_name(), inner), 0..5).prop_map(|members| Value::Object(Map::from_iter(members))),
        ]
    })
}

/// The name of a field, or of none.
fn any_name() -> impl Strategy<Value = String> {
    let known: Vec<String> = spec::fields().iter().map(|field| field.name.to_owned()).collect();
    prop_oneof![4 => prop::sample::select(known), 1 => any::<String>()]
}

/// An object with names of the contract and values of every kind.
fn any_request() -> impl Strategy<Value = Value> {
    prop::collection::vec((any_name(), any_json()), 0..12).prop_map(|members| Value::Object(Map::from_iter(members)))
}

pub(crate) fn assert_answered(body: &[u8], endpoint: Endpoint) {
    match spec::parse_request(body, endpoint, || 7) {
        Ok(valid) => assert!((1..=10_000).contains(&valid.text.chars().count())),
        Err(RequestError::Malformed { message }) => assert!(message.starts_with("The body is not valid JSON: ")),
        Err(RequestError::Invalid(violations)) => {
            assert!(!violations.is_empty());
            for violation in violations.iter() {
                assert!(!violation.message.is_empty());
                // Only the member that is named "" has an empty name.
                assert_eq!(violation.field().is_empty(), violation.path == ["".into()]);
            }
        }
    }
}

proptest! {
    #[test]
    fn any_json_is_answered(body in prop_oneof![any_request(), any_json()], preview: bool) {
        let endpoint = if preview { Endpoint::Preview } else { Endpoint::Generate };
        assert_answered(body.to_string().as_bytes(), endpoint);
    }

    #[test]
    fn a_value_and_its_text_are_answered_alike(body in any_request()) {
        let from_text = spec::parse_request(body.to_string().as_bytes(), Endpoint::Generate, || 7);
        let from_value = spec::parse_value(&body, Endpoint::Generate, || 7).map_err(RequestError::Invalid);
        prop_assert_eq!(from_text, from_value);
    }

    #[test]
    fn any_bytes_are_answered(body in prop::collection::vec(any::<u8>(), 0..300)) {
        assert_answered(&body, Endpoint::Generate);
    }

    #[test]
    fn a_damaged_request_is_answered(at in 0_usize..120, byte: u8, cut in 0_usize..140) {
        let mut body = br#"{"text":"Dear \u00c4nne,\n\nthanks \ud83d\ude00!","font_size":6e1,"text_color":[1,2,3],"pdf":{"bleed_mm":3.175}}"#.to_vec();
        if let Some(target) = body.get_mut(at) {
            *target = byte;
        }
        body.truncate(cut);
        assert_answered(&body, Endpoint::Generate);
    }

    #[test]
    fn any_nesting_is_answered(depth in 0_usize..20_000, object: bool) {
        let body = if object { "{\"pdf\":".repeat(depth) } else { "[".repeat(depth) };
        assert_answered(body.as_bytes(), Endpoint::Preview);
        let closed = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert_answered(closed.as_bytes(), Endpoint::Preview);
    }
}
