//! `longhand render`: one page, offline.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use super::atomic_file::{self, Readers};
use super::field_flags::FieldFlags;
use super::{Failure, configured, output};
use crate::catalogue::FontCatalogue;
use crate::clock::Clock;
use crate::encode::OutputProfiles;
use crate::pipeline::{PoolOptions, RenderPool, RenderedFile};
use crate::spec::{Endpoint, RenderSpec, RequestError, parse_request, parse_value};

/// The field that a file name may set.
pub(super) const OUTPUT_FORMAT: &str = "output_format";

/// The arguments of `render`.
#[derive(clap::Args, Debug)]
pub(super) struct RenderCommand {
    /// Text to write; a newline is a line break
    #[arg(required_unless_present = "request", conflicts_with = "request")]
    text: Option<String>,
    /// File with a generation request as JSON, - for standard input
    #[arg(long, value_name = "FILE")]
    request: Option<PathBuf>,
    /// File to write; where the request names no format, .pdf makes it a PDF
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Folder of official ICC profiles for PDF/X, used instead of the bundled ones
    #[arg(long, value_name = "DIR")]
    icc_dir: Option<PathBuf>,
    #[command(flatten)]
    fields: FieldFlags,
}

impl RenderCommand {
    /// Renders and writes the page. The request is checked before anything is loaded, so that its violations are
    /// reported without a GPU.
    pub(super) fn run(self) -> Result<(), Failure> {
        let fresh_seed = getrandom::u32().map_err(|error| Failure::Internal(format!("no seed: {error}")))?;
        let implied = implied_format(&self.output);
        let spec = match (&self.request, self.text) {
            (Some(file), _) => spec_of_file(&read(file)?, implied, fresh_seed)?,
            (None, text) => spec_of_flags(text.unwrap_or_default(), self.fields, implied, fresh_seed)?,
        };
        let icc_dir = self.icc_dir.or(configured()?.icc_dir);
        let profiles = OutputProfiles::load(icc_dir.as_deref())?;
        let catalogue = Arc::new(FontCatalogue::load()?);
        let pool = RenderPool::start(
            PoolOptions { threads: 1, ..PoolOptions::default() },
            catalogue,
            profiles,
            Clock::system(),
        )?;
        let rendered_file = pool.generate_blocking(&spec)?;
        atomic_file::write(&self.output, &rendered_file.bytes, Readers::Default)
            .map_err(Failure::io("write", &self.output))?;
        report(&rendered_file, &self.output);
        Ok(())
    }
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = if file == Path::new("-") {
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(file)
    };
    read.map_err(Failure::io("read", file))
}

/// The `output_format` that follows from a file name if the request has none.
pub(super) fn implied_format(output: &Path) -> Option<&'static str> {
    output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pdf")).then_some("pdf")
}

fn spec_of_file(body: &[u8], implied: Option<&str>, fresh_seed: u32) -> Result<RenderSpec, Failure> {
    let spec = parse_request(body, Endpoint::Generate, || fresh_seed);
    if matches!(spec, Err(RequestError::Malformed { .. })) {
        return Ok(spec?);
    }
    match (implied, serde_json::from_slice(body)) {
        (Some(format), Ok(Value::Object(mut request))) if !request.contains_key(OUTPUT_FORMAT) => {
            request.insert(OUTPUT_FORMAT.to_owned(), Value::from(format));
            Ok(parse_value(&Value::Object(request), Endpoint::Generate, || fresh_seed)?)
        }
        _ => Ok(spec?),
    }
}

fn spec_of_flags(
    text: String,
    FieldFlags(mut request): FieldFlags,
    implied: Option<&str>,
    fresh_seed: u32,
) -> Result<RenderSpec, Failure> {
    request.insert("text".to_owned(), Value::String(text));
    if let Some(format) = implied.filter(|_| !request.contains_key(OUTPUT_FORMAT)) {
        request.insert(OUTPUT_FORMAT.to_owned(), Value::from(format));
    }
    Ok(parse_value(&Value::Object(request), Endpoint::Generate, || fresh_seed)?)
}

/// Remarks go to standard error, since the page itself may go to standard output (`-o /dev/stdout`).
fn report(rendered_file: &RenderedFile, path: &Path) {
    for warning in &rendered_file.warnings {
        output::note(&format!("warning: {}: {}", warning.kind.name(), warning.message));
    }
    let size = rendered_file.calculated_font_size.map(|size| format!(", font size {size}")).unwrap_or_default();
    let RenderedFile { width, height, seed, .. } = rendered_file;
    output::note(&format!("{}: {width} x {height} px{size}, seed {seed}", path.display()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::OutputFormat;

    fn is_pdf(body: &str, output: &str) -> bool {
        let spec = spec_of_file(body.as_bytes(), implied_format(Path::new(output)), 1).unwrap();
        matches!(spec.output, OutputFormat::Pdf(_))
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
        assert!(spec_of_file(body, implied_format(Path::new("out.pdf")), 1).is_err());
    }
}
