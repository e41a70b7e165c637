//! The request of `render` and `preflight`: a text with flags, or a file; and the fonts and profiles of its page.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use super::field_flags::FieldFlags;
use super::file_format::imply_format;
use super::local_artwork::LocalArtwork;
use super::operator_fonts::{FontFolders, catalogue};
use super::text_input::{STANDARD_INPUT, read, read_text, unescaped};
use super::{Failure, configured, output};
use crate::catalogue::FontCatalogue;
use crate::encode::OutputProfiles;
use crate::spec::{Endpoint, Known, RenderSpec, parse_value_for, read_json};

/// A text, or a file with a request; and the folders that the page needs.
#[derive(clap::Args, Debug, Default)]
pub(super) struct RequestInput {
    /// Folder of official ICC profiles for PDF/X, used instead of the bundled ones
    #[arg(long, value_name = "DIR")]
    icc_dir: Option<PathBuf>,
    #[command(flatten)]
    folders: FontFolders,
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
    /// Reads the request, and what every page needs. Where the request names no format, the name of the `output` does.
    pub(super) fn read(
        mut self,
        output: Option<&Path>,
    ) -> Result<(RenderSpec, Arc<FontCatalogue>, OutputProfiles), Failure> {
        let config = self.folders.over(configured()?);
        let catalogue = catalogue(&config)?;
        let mut request = if let Some(file) = &self.request {
            read_json(&read(file)?)?
        } else {
            let text = self.text()?;
            self.fields.0.insert("text".to_owned(), Value::String(text));
            Value::Object(self.fields.0)
        };
        if let (Some(output), Some(members)) = (output, request.as_object_mut()) {
            imply_format(members, output)?;
        }
        let artwork = LocalArtwork::default();
        if let Some(members) = request.as_object_mut() {
            artwork.resolve(members).map_err(Failure::BadData)?;
        }
        let known = Known { fonts: catalogue.names(), artwork: artwork.known() };
        let fresh_seed = getrandom::u32().map_err(Failure::internal("no seed"))?;
        let spec = parse_value_for(known, &request, Endpoint::Generate, || fresh_seed)?;
        let profiles = OutputProfiles::load(self.icc_dir.or(config.icc_dir).as_deref())?;
        Ok((spec, catalogue, profiles))
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
                if text.contains("\\n") {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_name_is_refused_whatever_the_file_is_called() {
        let folder = tempfile::tempdir().unwrap();
        let request = folder.path().join("request.json");
        std::fs::write(&request, br#"{"text": "x", "text": "y"}"#).unwrap();
        let input = RequestInput { request: Some(request), ..RequestInput::default() };
        assert!(matches!(input.read(Some(Path::new("out.pdf"))), Err(Failure::BadData(_))));
    }
}
