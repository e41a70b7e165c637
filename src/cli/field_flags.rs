//! The fields of a generation request as flags, made from the table that validates requests.
//!
//! A flag is another form of the JSON member: `--font-size 60` is `"font_size": 60`, and `--text-color 0,0,160` is an
//! array. `spec` validates the values, so that a flag and a request fail with the same message.

use clap::{Arg, ArgMatches, Command};
use serde_json::{Map, Value};

use crate::spec::{FieldDescription, FieldKind, OutputName, fields};

/// The given flags, as members of a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct FieldFlags(pub(super) Map<String, Value>);

/// The field that is not a flag, but the command's argument.
const TEXT: &str = "text";

/// Every field that can be a flag: the object that it belongs to, if any, and its row.
fn flags() -> impl Iterator<Item = (Option<&'static str>, &'static FieldDescription)> {
    fields().iter().filter(|field| field.name != TEXT).flat_map(|field| match &field.kind {
        FieldKind::Object(_) => {
            field.kind.members().iter().map(|member| (Some(field.name), member)).collect::<Vec<_>>()
        }
        _ => vec![(None, field)],
    })
}

fn flag_name(owner: Option<&str>, field: &FieldDescription) -> String {
    let name = owner.map_or_else(|| field.name.to_owned(), |owner| format!("{owner}-{}", field.name));
    name.replace('_', "-")
}

fn flag(owner: Option<&str>, field: &FieldDescription) -> Arg {
    let name = flag_name(owner, field);
    let default = field.default_json.as_ref().filter(|default| !default.is_null());
    let default = default.map(|default| format!(" [default: {}]", default.to_string().trim_matches('"')));
    let alias = (field.name == OutputName::FIELD).then_some("format");
    let arg = Arg::new(name.clone())
        .long(name)
        .visible_aliases(alias)
        .help(format!("{}{}", field.meaning, default.unwrap_or_default()))
        .help_heading("Request fields")
        .value_name(value_name(&field.kind))
        .allow_negative_numbers(true)
        .conflicts_with("request");
    if field.kind == FieldKind::Boolean {
        // `--kerning` alone is true. A value needs `=`, so the next argument is never read as its value.
        arg.num_args(0..=1).require_equals(true).default_missing_value("true")
    } else {
        arg
    }
}

fn value_name(kind: &FieldKind) -> String {
    match kind {
        FieldKind::Integer { min, max } => format!("{min}..{max}"),
        FieldKind::FontId => "ID".to_owned(),
        FieldKind::Number { min, max } => format!("{min}..{max}"),
        FieldKind::Boolean => "true|false".to_owned(),
        FieldKind::Text { .. } => "TEXT".to_owned(),
        FieldKind::OneOf(names) if names.len() <= 5 => names.join("|"),
        FieldKind::OneOf(_) => "NAME".to_owned(),
        FieldKind::OneOfIntegers(numbers) => numbers.iter().map(i64::to_string).collect::<Vec<_>>().join("|"),
        FieldKind::FontSize { min, max } => format!("{min}..{max}|auto"),
        FieldKind::Color => "R,G,B".to_owned(),
        FieldKind::Ruling { names, .. } => format!("{}|JSON", names.join("|")),
        FieldKind::Object(_) | FieldKind::List { .. } => "JSON".to_owned(),
    }
}

/// The JSON of `text` in a field. A text that is no JSON, such as one that should be a number but is not, stays a
/// string, which `spec` refuses.
fn json_of(text: &str, field: &FieldDescription) -> Value {
    let json: Option<Value> = match field.kind {
        _ if text == "null" => field.nullable.then_some(Value::Null),
        FieldKind::Text { .. } | FieldKind::OneOf(_) => None,
        // The brackets may be left out.
        FieldKind::Color if !text.trim_start().starts_with('[') => serde_json::from_str(&format!("[{text}]")).ok(),
        _ => serde_json::from_str(text).ok(),
    };
    json.unwrap_or_else(|| Value::from(text))
}

impl clap::Args for FieldFlags {
    fn augment_args(command: Command) -> Command {
        command.args(flags().map(|(owner, field)| flag(owner, field)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for FieldFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut request = Map::new();
        for (owner, field) in flags() {
            let Some(text) = matches.get_one::<String>(&flag_name(owner, field)) else { continue };
            let value = json_of(text, field);
            match owner {
                Some(owner) => request.entry(owner).or_insert_with(|| Value::Object(Map::new()))[field.name] = value,
                None => drop(request.insert(field.name.to_owned(), value)),
            }
        }
        Ok(Self(request))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::{Args as _, FromArgMatches as _};
    use serde_json::json;

    use super::*;

    fn request(arguments: &[&str]) -> Value {
        let command = FieldFlags::augment_args(Command::new("render").no_binary_name(true)).arg(Arg::new("request"));
        let matches = command.try_get_matches_from(arguments).unwrap();
        Value::Object(FieldFlags::from_arg_matches(&matches).unwrap().0)
    }

    #[test]
    fn a_flag_says_what_the_json_would_say() {
        let given = request(&[
            "--font-id=7",
            "--font-size=auto",
            "--line-height-multiplier",
            "1.5",
            "--page-size=a6",
            "--text-color",
            "[0, 0,160]",
            "--kerning=false",
            "--enable-ink-flow",
            "--margin-left",
            "-5",
            "--line-break-spacing=null",
            "--pdf-bleed-mm=3.5",
            "--pdf-preset=lob",
        ]);
        let expected = json!({
            "font_id": 7,
            "font_size": "auto",
            "line_height_multiplier": 1.5,
            "page_size": "a6",
            "text_color": [0, 0, 160],
            "kerning": false,
            "enable_ink_flow": true,
            "margin_left": -5,
            "line_break_spacing": null,
            "pdf": {"bleed_mm": 3.5, "preset": "lob"},
        });
        assert_eq!(given, expected);
    }

    #[test]
    fn what_is_no_number_stays_text_for_the_validation_to_refuse() {
        let given = request(&["--font-id=seven", "--text-color=red", "--kerning=maybe", "--margin-top=null"]);
        let expected = json!({"font_id": "seven", "text_color": "red", "kerning": "maybe", "margin_top": "null"});
        assert_eq!(given, expected);
    }

    #[test]
    fn every_field_but_the_text_has_a_flag() {
        let command = FieldFlags::augment_args(Command::new("render"));
        let names: Vec<&str> = command.get_arguments().filter_map(Arg::get_long).collect();
        for field in fields().iter().filter(|field| field.kind.members().is_empty()) {
            assert_eq!(names.contains(&flag_name(None, field).as_str()), field.name != TEXT, "{}", field.name);
        }
        assert!(names.len() > 30, "{names:?}");
    }
}
