//! The texts of all rows, as templates: the text of the page, and those of its blocks.

use serde_json::{Map, Value};

use super::template::Template;
use crate::spec::field_of;

/// The request's fields that have texts.
const TEXT: &str = "text";
const BLOCKS: &str = "blocks";

/// Why there are no templates.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(crate) enum TextError {
    /// Neither the page nor a block has a text.
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

/// The templates of a page.
#[derive(Debug)]
pub(crate) struct Texts {
    page: Option<Template>,
    /// Each with the number of its block.
    blocks: Vec<(usize, Template)>,
}

impl Texts {
    /// The text of the page, and the texts of the blocks among the members that all requests share.
    ///
    /// # Errors
    /// There is no text at all, or that of a block is no template.
    pub(crate) fn new(page: Option<Template>, common: &Map<String, Value>) -> Result<Self, TextError> {
        let listed = common.get(BLOCKS).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let texts = listed.iter().enumerate().filter_map(|(number, block)| Some((number, block.get(TEXT)?.as_str()?)));
        let parsed = texts.map(|(number, text)| {
            let named = |problem| TextError::Template { field: field_of(Some(number), TEXT), problem };
            Ok((number, Template::parse(text).map_err(named)?))
        });
        let blocks = parsed.collect::<Result<Vec<_>, TextError>>()?;
        if page.is_none() && blocks.is_empty() {
            return Err(TextError::None);
        }
        Ok(Self { page, blocks })
    }

    /// The names of all placeholders, as often as they stand there.
    pub(crate) fn placeholders(&self) -> impl Iterator<Item = &str> {
        self.all().flat_map(Template::placeholders)
    }

    /// A placeholder in the syntax of another program, of which a sign is written.
    pub(crate) fn foreign(&self, value: impl Fn(&str) -> String) -> Option<String> {
        self.all().find_map(|text| text.foreign(&value))
    }

    /// The texts without the values of their placeholders.
    pub(crate) fn without_values(&self) -> impl Iterator<Item = String> {
        self.all().map(|text| text.filled_with(|_| String::new(), str::to_owned))
    }

    /// The texts of a request that [`fill`](Self::fill) made, each with its field.
    pub(crate) fn filled<'a>(&self, request: &'a Map<String, Value>) -> Vec<(String, &'a str)> {
        let page = request.get(TEXT).and_then(Value::as_str).map(|text| (TEXT.to_owned(), text));
        let blocks = self.blocks.iter().filter_map(|(number, _)| {
            let text = request.get(BLOCKS)?.get(*number)?.get(TEXT)?.as_str()?;
            Some((field_of(Some(*number), TEXT), text))
        });
        page.into_iter().chain(blocks).collect()
    }

    /// The placeholders whose `value` shows nothing and that have no default, each once.
    pub(crate) fn empty(&self, value: impl Fn(&str) -> String) -> Vec<&str> {
        let mut empty: Vec<&str> = Vec::new();
        for name in self.all().flat_map(|text| text.empty(&value)) {
            if !empty.contains(&name) {
                empty.push(name);
            }
        }
        empty
    }

    /// Puts the texts into a request, with every placeholder replaced by its `value` or its default.
    pub(crate) fn fill(&self, request: &mut Map<String, Value>, value: impl Fn(&str) -> String) {
        if let Some(page) = &self.page {
            request.insert(TEXT.to_owned(), Value::String(page.filled(&value)));
        }
        for (number, text) in &self.blocks {
            let block = request.get_mut(BLOCKS).and_then(|blocks| blocks.get_mut(*number)?.get_mut(TEXT));
            if let Some(block) = block {
                *block = Value::String(text.filled(&value));
            }
        }
    }

    fn all(&self) -> impl Iterator<Item = &Template> {
        self.page.iter().chain(self.blocks.iter().map(|(_, text)| text))
    }
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
    fn a_text_is_needed_and_that_of_a_block_must_be_a_template() {
        let wrong = |common: Value| Texts::new(None, common.as_object().unwrap()).unwrap_err().to_string();
        assert_eq!(wrong(json!({})), "there is no text");
        let error = wrong(json!({"blocks": [{"text": "a"}, {"text": "Dear {name"}]}));
        assert!(error.starts_with("blocks[1].text: line 1:"), "{error}");
        assert!(Texts::new(None, json!({"blocks": [{"text": "{name}"}]}).as_object().unwrap()).is_ok());
    }
}
