//! The texts of all rows, as templates: the text of the page, and those of its blocks and sides.

use serde_json::{Map, Value};

use super::template::Template;
use crate::spec::{SIDES_FIELD, field_of, side_name};

/// The request's fields that have texts.
const TEXT: &str = "text";
const BLOCKS: &str = "blocks";

/// Why there are no templates.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(crate) enum TextError {
    /// Neither the page nor a block or a side has a text.
    #[error("there is no text")]
    None,
    /// A text is no template.
    #[error("{field}: {problem}")]
    Template {
        /// The field of the request.
        field: String,
        /// What is wrong.
        problem: String,
    },
}

/// The templates of a page, or of the sides of a sheet.
#[derive(Debug)]
pub(crate) struct Texts {
    page: Option<Template>,
    /// Each with its place.
    others: Vec<(Place, Template)>,
}

/// Where a text of a block or of a side is.
#[derive(Clone, Debug)]
struct Place {
    /// The member of the request that has it.
    member: &'static str,
    /// The rest of the way (a JSON pointer, RFC 6901).
    pointer: String,
    /// The field, as messages name it.
    field: String,
}

impl Place {
    fn get<'a>(&self, request: &'a Map<String, Value>) -> Option<&'a str> {
        request.get(self.member)?.pointer(&self.pointer)?.as_str()
    }
}

/// The places of all texts but that of the page.
fn places(common: &Map<String, Value>) -> Vec<Place> {
    let items = |list: Option<&'_ Value>| list.and_then(Value::as_array).map_or(0, Vec::len);
    let of_block = |number: usize| (format!("/{number}/{TEXT}"), field_of(Some(number), TEXT));
    let blocks = (0..items(common.get(BLOCKS))).map(of_block);
    let mut places: Vec<Place> = blocks.map(|(pointer, field)| Place { member: BLOCKS, pointer, field }).collect();
    for number in 0..items(common.get(SIDES_FIELD)) {
        let side = side_name(number);
        let in_side = |pointer: String, field: String| Place {
            member: SIDES_FIELD,
            pointer: format!("/{number}{pointer}"),
            field: format!("{side}.{field}"),
        };
        places.push(in_side(format!("/{TEXT}"), TEXT.to_owned()));
        let blocks = common.get(SIDES_FIELD).and_then(|sides| sides.get(number)?.get(BLOCKS));
        places.extend(
            (0..items(blocks)).map(of_block).map(|(pointer, field)| in_side(format!("/{BLOCKS}{pointer}"), field)),
        );
    }
    places
}

impl Texts {
    /// The text of the page, and the texts of blocks and sides among the members that all requests share.
    ///
    /// # Errors
    /// There is no text at all, or one of them is no template.
    pub(crate) fn new(page: Option<Template>, common: &Map<String, Value>) -> Result<Self, TextError> {
        let parsed = places(common).into_iter().filter_map(|place| {
            let named = |problem| TextError::Template { field: place.field.clone(), problem };
            let template = Template::parse(place.get(common)?).map_err(named);
            Some(template.map(|template| (place, template)))
        });
        let others = parsed.collect::<Result<Vec<_>, TextError>>()?;
        if page.is_none() && others.is_empty() {
            return Err(TextError::None);
        }
        Ok(Self { page, others })
    }

    /// The names of all placeholders, as often as they stand there.
    pub(crate) fn placeholders(&self) -> impl Iterator<Item = &str> {
        self.all().flat_map(Template::placeholders)
    }

    /// The same, each with the field whose text has it.
    pub(crate) fn placeholders_of_fields(&self) -> Vec<(&str, &str)> {
        let mut found = Vec::new();
        for (field, text) in self.all_with_fields() {
            found.extend(text.placeholders().map(|name| (name, field)));
        }
        found
    }

    /// A placeholder in the syntax of another program, of which a sign is written, after the field whose text has it.
    pub(crate) fn foreign(&self, value: impl Fn(&str) -> String) -> Option<(&str, String)> {
        self.all_with_fields().find_map(|(field, text)| Some((field, text.foreign(&value)?)))
    }

    /// The texts without the values of their placeholders.
    pub(crate) fn without_values(&self) -> impl Iterator<Item = String> {
        self.all().map(|text| text.filled_with(|_| String::new(), str::to_owned))
    }

    /// The texts of a request that [`fill`](Self::fill) made, each with its field.
    pub(crate) fn filled<'a>(&self, request: &'a Map<String, Value>) -> Vec<(String, &'a str)> {
        let page = request.get(TEXT).and_then(Value::as_str).map(|text| (TEXT.to_owned(), text));
        let others = self.others.iter().filter_map(|(place, _)| Some((place.field.clone(), place.get(request)?)));
        page.into_iter().chain(others).collect()
    }

    /// The placeholders whose `value` shows nothing and that have no default, each once.
    pub(crate) fn empty(&self, value: impl Fn(&str) -> String) -> Vec<&str> {
        each_once(self.all().flat_map(|text| text.empty(&value)))
    }

    /// Puts the texts into a request, with every placeholder replaced by its `value` or its default.
    pub(crate) fn fill(&self, request: &mut Map<String, Value>, value: impl Fn(&str) -> String) {
        if let Some(page) = &self.page {
            request.insert(TEXT.to_owned(), Value::String(page.filled(&value)));
        }
        for (place, text) in &self.others {
            let given = request.get_mut(place.member).and_then(|member| member.pointer_mut(&place.pointer));
            if let Some(given) = given {
                *given = Value::String(text.filled(&value));
            }
        }
    }

    fn all(&self) -> impl Iterator<Item = &Template> {
        self.all_with_fields().map(|(_, text)| text)
    }

    fn all_with_fields(&self) -> impl Iterator<Item = (&str, &Template)> {
        let page = self.page.iter().map(|text| (TEXT, text));
        page.chain(self.others.iter().map(|(place, text)| (place.field.as_str(), text)))
    }
}

/// The names, each once, in the order in which they first come.
pub(super) fn each_once<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut once: Vec<&str> = Vec::new();
    for name in names {
        if !once.contains(&name) {
            once.push(name);
        }
    }
    once
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn blocks_take_values_as_the_page_does() {
        let common =
            json!({"blocks": [{"text": "{name}\n{street}"}, {"text": 7}, {"x": 1}, {"text": "{{Tom}} {gift|book}"}]});
        let common = common.as_object().unwrap();
        let texts = Texts::new(Some(Template::parse("Dear {name}").unwrap()), common).unwrap();
        assert_eq!(texts.placeholders().collect::<Vec<_>>(), ["name", "name", "street", "gift"]);
        assert_eq!(texts.empty(|_| String::new()), ["name", "street"]);
        let mut request = common.clone();
        texts.fill(&mut request, |name| if name == "gift" { String::new() } else { name.to_uppercase() });
        assert_eq!(
            Value::Object(request),
            json!({"text": "Dear NAME",
                   "blocks": [{"text": "NAME\nSTREET"}, {"text": 7}, {"x": 1}, {"text": "{Tom} book"}]})
        );
    }

    #[test]
    fn sides_take_values_as_the_page_does() {
        let common =
            json!({"sides": [{"text": "{name}", "blocks": [{"text": "{street}"}]}, {"blocks": [{"text": "{town}"}]}]});
        let common = common.as_object().unwrap();
        let texts = Texts::new(None, common).unwrap();
        let mut request = common.clone();
        texts.fill(&mut request, str::to_uppercase);
        let fields: Vec<(String, &str)> = texts.filled(&request);
        let fields: Vec<(&str, &str)> = fields.iter().map(|(field, text)| (field.as_str(), *text)).collect();
        assert_eq!(
            fields,
            [("sides[0].text", "NAME"), ("sides[0].blocks[0].text", "STREET"), ("sides[1].blocks[0].text", "TOWN")]
        );
        let wrong = Texts::new(None, json!({"sides": [{}, {"text": "{a"}]}).as_object().unwrap()).unwrap_err();
        assert!(wrong.to_string().starts_with("sides[1].text: line 1:"), "{wrong}");
    }

    #[test]
    fn a_text_is_needed_and_that_of_a_block_must_be_a_template() {
        let wrong = |common: Value| Texts::new(None, common.as_object().unwrap()).unwrap_err().to_string();
        assert_eq!(wrong(json!({})), "there is no text");
        let error = wrong(json!({"blocks": [{"text": "a"}, {"text": "Dear {name"}]}));
        assert!(error.starts_with("blocks[1].text: line 1:"), "{error}");
        assert!(Texts::new(None, json!({"blocks": [{"text": "{name}"}]}).as_object().unwrap()).is_ok());
    }
}
