//! The format that the name of an output file stands for.

use std::path::Path;

use serde_json::{Map, Value};

use super::Failure;
use crate::spec::{OutputName, alternatives};

/// The `output_format` that a file name stands for where the request has none.
pub(super) fn implied_format(output: &Path) -> Option<&'static str> {
    let format = OutputName::from_name(output.extension()?.to_str()?)?;
    (format != OutputName::default()).then(|| format.name())
}

/// Gives a request that names no format the one that the name of its file stands for.
///
/// # Errors
/// The name stands for another format than those of pages.
pub(super) fn imply_format(request: &mut Map<String, Value>, output: &Path) -> Result<(), Failure> {
    if !request.contains_key(OutputName::FIELD) {
        refuse_other_format(output)?;
        request.extend(implied_format(output).map(|format| (OutputName::FIELD.to_owned(), Value::from(format))));
    }
    Ok(())
}

/// Refuses a name that stands for another format than those of pages. A name without an extension is a PNG.
fn refuse_other_format(output: &Path) -> Result<(), Failure> {
    let Some(extension) = output.extension().and_then(|extension| extension.to_str()) else { return Ok(()) };
    // A placeholder stands for anything.
    if OutputName::from_name(extension).is_some() || extension.contains(['{', '}']) {
        return Ok(());
    }
    let names = OutputName::ALL.map(|format| format.name().to_owned());
    let files = names.each_ref().map(|name| output.with_extension(name).display().to_string());
    let (output, names, files) = (output.display(), alternatives(&names), alternatives(&files));
    Err(Failure::Usage(format!(
        "--output {output}: pages are written as {names}; name the file {files}, or ask for an output_format"
    )))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_name_of_the_file_decides_only_where_the_request_does_not() {
        let format = |request: Value, output: &str| {
            let mut request = request.as_object().unwrap().clone();
            imply_format(&mut request, Path::new(output)).unwrap();
            request.remove(OutputName::FIELD)
        };
        assert_eq!(format(json!({"overflow": "paginate"}), "out.PDF"), Some(json!("pdf")));
        for (given, output) in [("pdf", "/dev/stdout"), ("png", "out.pdf"), ("png", "out.jpg")] {
            assert_eq!(format(json!({"output_format": given}), output), Some(json!(given)));
        }
        assert_eq!((format(json!({}), "out.png"), format(json!({}), "pdf")), (None, None));
    }

    #[test]
    fn only_names_of_other_formats_are_refused() {
        for name in
            ["page.png", "PAGE.PDF", "{row}.svg", "page", "/dev/stdout", "out/{row}-{name}", "a.b/page", "{row}.{kind}"]
        {
            assert_eq!(refuse_other_format(Path::new(name)), Ok(()), "{name}");
        }
        for name in ["page.jpg", "page.jpeg", "{row}.dxf", "page.pdf.txt"] {
            let error = refuse_other_format(Path::new(name)).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains("png, pdf or svg"), "{error}");
        }
    }
}
