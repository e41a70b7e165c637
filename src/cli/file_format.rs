//! The format that the name of an output file stands for.

use std::path::Path;

use super::Failure;

/// The `output_format` that a file name stands for where the request has none.
pub(super) fn implied_format(output: &Path) -> Option<&'static str> {
    let extension = output.extension()?.to_str()?;
    ["pdf", "svg"].into_iter().find(|format| extension.eq_ignore_ascii_case(format))
}

/// Refuses a name that stands for another format than PNG, PDF and SVG. A name without an extension is a PNG.
pub(super) fn refuse_other_format(output: &Path) -> Result<(), Failure> {
    let Some(extension) = output.extension().and_then(|extension| extension.to_str()) else { return Ok(()) };
    let is_known = ["png", "pdf", "svg"].iter().any(|known| extension.eq_ignore_ascii_case(known));
    // A placeholder stands for anything.
    if is_known || extension.contains(['{', '}']) {
        return Ok(());
    }
    let [png, pdf, svg] = ["png", "pdf", "svg"].map(|format| output.with_extension(format));
    let (name, png, pdf, svg) = (output.display(), png.display(), pdf.display(), svg.display());
    Err(Failure::Usage(format!(
        "--output {name}: pages are written as png, pdf or svg; name the file {png}, {pdf} or {svg}, or ask for an \
         output_format"
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
