//! The request of `render` and `preflight`: a text with flags, or a file.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::field_flags::FieldFlags;
use super::file_format::{implied_format, refuse_other_format};
use super::text_input::{STANDARD_INPUT, has_escaped_newline, read, read_text, unescaped};
use super::{Failure, output};
use crate::catalogue::FontNames;
use crate::spec::{Endpoint, OutputName, RenderSpec, RequestError, parse_request_for, parse_value_for};

/// A text, or a file with a request.
#[derive(clap::Args, Debug)]
pub(super) struct RequestInput {
    /// Text to write; a newline is a line break; - for standard input
    #[arg(required_unless_present_any = ["request", "text_file"], conflicts_with_all = ["request", "text_file"])]
    text: Option<String>,
    /// File with the text in UTF-8, - for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "request")]
    text_file: Option<PathBuf>,
    /// Read \n in TEXT as a line break, and \\ as a backslash
    #[arg(long, conflicts_with_all = ["text_file", "request"])]
    escapes: bool,
    /// File with a generation request as JSON, - for standard input
    #[arg(long, value_name = "FILE")]
    request: Option<PathBuf>,
    #[command(flatten)]
    fields: FieldFlags,
}

impl RequestInput {
    /// The specification of the request, which may name these `fonts`. Where it names no format, the name of the
    /// `output` does.
    pub(super) fn spec(&self, output: Option<&Path>, fonts: &FontNames) -> Result<RenderSpec, Failure> {
        let fresh_seed = getrandom::u32().map_err(|error| Failure::Internal(format!("no seed: {error}")))?;
        match &self.request {
            Some(file) => spec_of_file(&read(file)?, output, fonts, fresh_seed),
            None => spec_of_flags(self.text()?, self.fields.clone(), output, fonts, fresh_seed),
        }
    }

    fn text(&self) -> Result<String, Failure> {
        match (&self.text_file, self.text.as_deref()) {
            (Some(file), _) => read_text(file),
            (None, Some(STANDARD_INPUT)) if self.escapes => {
                Err(Failure::Usage("--escapes: it is for a text in the argument, not from standard input".to_owned()))
            }
            (None, Some(STANDARD_INPUT)) => read_text(Path::new(STANDARD_INPUT)),
            (None, Some(text)) if self.escapes => unescaped(text),
            (None, text) => {
                let text = text.unwrap_or_default();
                if has_escaped_newline(text) {
                    output::note(
                        "warning: the text has a backslash and an n, which are written as they are; say --escapes if \
                         \\n is to be a line break",
                    );
                }
                Ok(text.to_owned())
            }
        }
    }
}

fn spec_of_file(body: &[u8], output: Option<&Path>, fonts: &FontNames, fresh_seed: u32) -> Result<RenderSpec, Failure> {
    let spec = parse_request_for(fonts, body, Endpoint::Generate, || fresh_seed);
    if matches!(spec, Err(RequestError::Malformed { .. })) {
        return Ok(spec?);
    }
    match serde_json::from_slice(body) {
        Ok(Value::Object(request)) => spec_of(request, output, fonts, fresh_seed),
        _ => Ok(spec?),
    }
}

fn spec_of_flags(
    text: String,
    FieldFlags(mut request): FieldFlags,
    output: Option<&Path>,
    fonts: &FontNames,
    fresh_seed: u32,
) -> Result<RenderSpec, Failure> {
    request.insert("text".to_owned(), Value::String(text));
    spec_of(request, output, fonts, fresh_seed)
}

/// Where the request names no format, the name of the file does.
fn spec_of(
    mut request: Map<String, Value>,
    output: Option<&Path>,
    fonts: &FontNames,
    fresh_seed: u32,
) -> Result<RenderSpec, Failure> {
    if let Some(output) = output.filter(|_| !request.contains_key(OutputName::FIELD)) {
        refuse_other_format(output)?;
        request.extend(implied_format(output).map(|format| (OutputName::FIELD.to_owned(), Value::from(format))));
    }
    Ok(parse_value_for(fonts, &Value::Object(request), Endpoint::Generate, || fresh_seed)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_pdf(body: &str, output: &str) -> bool {
        let spec = spec_of_file(body.as_bytes(), Some(Path::new(output)), &FontNames::default(), 1).unwrap();
        spec.output.name() == OutputName::Pdf
    }

    #[test]
    fn the_name_of_the_file_decides_only_where_the_request_does_not() {
        assert!(is_pdf(r#"{"text": "x", "overflow": "paginate"}"#, "out.PDF"));
        assert!(is_pdf(r#"{"text": "x", "output_format": "pdf"}"#, "/dev/stdout"));
        assert!(!is_pdf(r#"{"text": "x", "output_format": "png"}"#, "out.pdf"));
        assert!(!is_pdf(r#"{"text": "x"}"#, "out.png") && !is_pdf(r#"{"text": "x"}"#, "pdf"));
    }

    #[test]
    fn a_repeated_name_is_refused_whatever_the_file_is_called() {
        let body = br#"{"text": "x", "text": "y"}"#;
        assert!(spec_of_file(body, Some(Path::new("out.pdf")), &FontNames::default(), 1).is_err());
    }
}
