//! The format that the name of an output file stands for.

use std::path::Path;

use super::Failure;
use crate::spec::{OutputName, alternatives};

/// The `output_format` that a file name stands for where the request has none.
pub(super) fn implied_format(output: &Path) -> Option<&'static str> {
    let format = OutputName::from_name(output.extension()?.to_str()?)?;
    (format != OutputName::default()).then(|| format.name())
}

/// Refuses a name that stands for another format than those of pages. A name without an extension is a PNG.
pub(super) fn refuse_other_format(output: &Path) -> Result<(), Failure> {
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
    use super::*;

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
