//! A preset of the request: values of fields that the request leaves out.

use serde_json::{Map, Value, json};

use crate::named::named;

named! {
    /// `preset`: what the fields hold that the request leaves out.
    pub enum RequestPreset {
        /// A letter that looks written by hand.
        Letter = "letter",
    }
}

impl RequestPreset {
    /// The field that names it.
    pub const FIELD: &str = "preset";

    /// The preset that a request names, if it is one.
    pub(super) fn of(members: &Map<String, Value>) -> Option<Self> {
        let named = members.get(Self::FIELD)?.as_str()?;
        Self::NAMES.iter().find(|(name, _)| *name == named).map(|(_, preset)| *preset)
    }

    /// The fields that it sets, with their values.
    ///
    /// Word gaps of at least 1.1 x-heights belong to writer variation. In most hands a line height of 1.5 is 3 to 5
    /// x-heights, as on ruled paper. At strength 1 a ballpoint is as even as the most even of the writers that it was
    /// measured on; at 1.4 its width and darkness differ as in the middle of 45 writers.
    #[must_use]
    pub fn values(self) -> Vec<(&'static str, Value)> {
        match self {
            Self::Letter => vec![
                ("pen", json!("ballpoint")),
                ("pen_strength", json!(1.4)),
                ("enable_writer_variation", json!(true)),
                ("enable_word_rotation", json!(true)),
                ("word_rotation_range", json!(1.0)),
                ("line_height_multiplier", json!(1.5)),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{Endpoint, PenKind, PenUse, RenderSpec, Violations, fields as table, parse_value};

    fn read(body: &Value) -> Result<RenderSpec, Violations> {
        parse_value(body, Endpoint::Generate, || 7)
    }

    fn spec(body: &Value) -> RenderSpec {
        read(body).unwrap()
    }

    #[test]
    fn a_preset_is_the_same_as_its_fields() {
        for (name, preset) in RequestPreset::NAMES {
            let mut body = json!({"text": "x"});
            for (field, value) in preset.values() {
                body[field] = value;
            }
            assert_eq!(spec(&json!({"text": "x", "preset": name})), spec(&body), "{name}");
        }
    }

    #[test]
    fn the_description_tells_each_field_that_it_sets() {
        let described = table().iter().find(|field| field.name == RequestPreset::FIELD).unwrap().meaning;
        for (name, preset) in RequestPreset::NAMES {
            assert!(described.contains(&format!("`{name}`")), "{name}");
            for (field, value) in preset.values() {
                assert!(described.contains(&format!("`{field}`")), "{field}");
                let told = value.is_boolean() || described.contains(value.to_string().trim_matches('"'));
                assert!(told || value == json!(1.0), "{field}: {value}");
            }
        }
    }

    #[test]
    fn what_the_request_gives_counts() {
        let given = spec(&json!({"text": "x", "preset": "letter", "pen": "gel", "enable_word_rotation": false}));
        assert_eq!((given.effects.pen.kind, given.effects.pen.strength), (PenKind::Gel, 1.4));
        assert_eq!(given.effects.word_rotation, None);
        assert!(given.effects.writer_variation.is_some());
        assert_eq!(given.unused_preset, None);

        let mut body = json!({"text": "x", "preset": "letter"});
        for (field, _) in RequestPreset::Letter.values() {
            body[field] = table().iter().find(|known| known.name == field).unwrap().default_json.clone().unwrap();
        }
        assert_eq!(spec(&body).unused_preset, Some(RequestPreset::Letter));
        assert_eq!(spec(&body).effects, spec(&json!({"text": "x"})).effects);
    }

    #[test]
    fn a_preset_sets_nothing_that_has_no_effect() {
        let strokes =
            spec(&json!({"text": "x", "preset": "letter", "output_format": "svg", "svg": {"paths": "strokes"}}));
        assert_eq!(strokes.effects.pen.kind, PenKind::AsDesigned);
        assert!(strokes.effects.writer_variation.is_some());
        let designed = spec(&json!({"text": "x", "preset": "letter", "pen": "as_designed"}));
        assert_eq!([strokes.effects.pen, designed.effects.pen], [PenUse::default(); 2]);
        let ruled = spec(&json!({"text": "x", "preset": "letter", "ruling": "de_8mm"}));
        assert_eq!(ruled.ruling, spec(&json!({"text": "x", "ruling": "de_8mm"})).ruling);
    }

    #[test]
    fn another_name_and_null() {
        assert_eq!(spec(&json!({"text": "x", "preset": null})), spec(&json!({"text": "x"})));
        let violations = read(&json!({"text": "x", "preset": "leter"})).unwrap_err();
        assert!(format!("{violations:?}").contains("'letter'"), "{violations:?}");
    }
}
