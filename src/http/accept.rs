//! The form of an answer with a page: by `Accept` (RFC 9110, section 12.5.1), among those that the request allows.

use axum::http::HeaderMap;
use axum::http::header::ACCEPT;

use super::error::ApiError;
use crate::spec::{Endpoint, OutputFormat};

/// The form of a page in an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageForm {
    /// JSON with the picture in base64.
    Json,
    /// The PNG itself.
    Png,
    /// The PDF itself.
    Pdf,
    /// The SVG itself.
    Svg,
}

impl PageForm {
    /// The forms of a PNG. The first is the default.
    const OF_PNG: &[Self] = &[Self::Json, Self::Png];
    /// The form of a PNG where the path asks for the file.
    const OF_PNG_FILE: &[Self] = &[Self::Png];
    /// The forms of a PDF.
    const OF_PDF: &[Self] = &[Self::Pdf];
    /// The forms of an SVG.
    const OF_SVG: &[Self] = &[Self::Svg];

    /// The forms of a page in this format that `endpoint` makes. The first is the default.
    pub(super) const fn possible(endpoint: Endpoint, output: &OutputFormat) -> &'static [Self] {
        match (output, endpoint) {
            (OutputFormat::Png, Endpoint::GeneratePng) => Self::OF_PNG_FILE,
            (OutputFormat::Png, _) => Self::OF_PNG,
            (OutputFormat::Pdf(_), _) => Self::OF_PDF,
            (OutputFormat::Svg(_), _) => Self::OF_SVG,
        }
    }

    /// The media type.
    pub(super) const fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Png => "image/png",
            Self::Pdf => "application/pdf",
            Self::Svg => "image/svg+xml",
        }
    }

    /// Ending of the names of its files.
    pub(super) const fn extension(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Png => "png",
            Self::Pdf => "pdf",
            Self::Svg => "svg",
        }
    }

    /// Of the `possible` forms, the one that the client prefers: by quality, then by how exactly `Accept` names it,
    /// then by their order. An `Accept` that names no page file at all gets the first one.
    ///
    /// # Errors
    /// [`ApiError::NotAcceptable`] if `Accept` names page files, and none that is possible.
    pub(super) fn preferred(headers: &HeaderMap, possible: &'static [Self]) -> Result<Self, ApiError> {
        let ranges: Vec<MediaRange<'_>> = headers
            .get_all(ACCEPT)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .filter_map(MediaRange::parse)
            .collect();
        let best = possible
            .iter()
            .rev()
            .map(|&form| (form, weight(form, &ranges)))
            .filter(|(_, (quality, _))| *quality > 0)
            .max_by_key(|(_, weight)| *weight);
        let names_a_file = [Self::Png, Self::Pdf, Self::Svg]
            .into_iter()
            .any(|file| ranges.iter().any(|range| range.quality > 0 && range.exactness(file) == Some(EXACT)));
        match (best, possible.first()) {
            (Some((form, _)), _) => Ok(form),
            (None, Some(&default)) if !names_a_file => Ok(default),
            _ => {
                let made: Vec<&str> = possible.iter().map(|form| form.media_type()).collect();
                Err(ApiError::NotAcceptable { made: made.join(" or ") })
            }
        }
    }
}

/// Exactness of a range that names the type in full.
const EXACT: u8 = 2;

/// One range of `Accept`.
struct MediaRange<'a> {
    kind: &'a str,
    subtype: &'a str,
    /// In thousandths.
    quality: u16,
}

impl<'a> MediaRange<'a> {
    /// A range such as `image/*;q=0.8`; `None` if it is malformed.
    fn parse(range: &'a str) -> Option<Self> {
        let mut parts = range.split(';').map(str::trim);
        let (kind, subtype) = parts.next()?.split_once('/')?;
        let quality = parts.find_map(|parameter| {
            let (name, value) = parameter.split_once('=')?;
            name.trim().eq_ignore_ascii_case("q").then(|| value.trim())
        });
        Some(Self { kind, subtype, quality: quality.map_or(Some(1000), thousandths)? })
    }

    /// How exactly the range names a form; `None` if it does not.
    fn exactness(&self, form: PageForm) -> Option<u8> {
        let (kind, subtype) = form.media_type().split_once('/')?;
        match (self.kind, self.subtype) {
            ("*", "*") => Some(0),
            (own, "*") if own.eq_ignore_ascii_case(kind) => Some(1),
            (own, own_subtype) if own.eq_ignore_ascii_case(kind) && own_subtype.eq_ignore_ascii_case(subtype) => {
                Some(EXACT)
            }
            _ => None,
        }
    }
}

/// A quality from 0 to 1 in thousandths.
fn thousandths(quality: &str) -> Option<u16> {
    let quality: f64 = quality.parse().ok()?;
    (0.0..=1.0).contains(&quality).then(|| (quality * 1000.0).round() as u16)
}

/// Quality and exactness of a form, both from the range that names it most exactly; 0 if none does.
fn weight(form: PageForm, ranges: &[MediaRange<'_>]) -> (u16, u8) {
    let named = ranges.iter().filter_map(|range| Some((range.exactness(form)?, range.quality)));
    named.max().map_or((0, 0), |(exactness, quality)| (quality, exactness))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn preferred(accept: &[&str], possible: &'static [PageForm]) -> Option<PageForm> {
        let mut headers = HeaderMap::new();
        for value in accept {
            headers.append(ACCEPT, HeaderValue::from_str(value).unwrap());
        }
        PageForm::preferred(&headers, possible).ok()
    }

    #[test]
    fn a_png_is_json_unless_the_picture_is_preferred() {
        for (accept, expected) in [
            ("", PageForm::Json),
            ("*/*", PageForm::Json),
            ("application/json", PageForm::Json),
            ("application/*", PageForm::Json),
            ("text/html", PageForm::Json),
            ("nonsense", PageForm::Json),
            ("image/png;q=2", PageForm::Json),
            ("image/png;q=0", PageForm::Json),
            ("image/png;q=0.5, application/json", PageForm::Json),
            ("application/json, image/png", PageForm::Json),
            ("application/pdf, application/json;q=0.1", PageForm::Json),
            ("image/png", PageForm::Png),
            ("IMAGE/PNG", PageForm::Png),
            ("image/png; q=1.0", PageForm::Png),
            ("image/*", PageForm::Png),
            ("image/png, */*", PageForm::Png),
            ("image/avif, image/png, */*;q=0.8", PageForm::Png),
            ("image/png, application/json;q=0.9", PageForm::Png),
            ("*/*, application/json;q=0", PageForm::Png),
            ("application/pdf, image/png;q=0.001", PageForm::Png),
        ] {
            assert_eq!(preferred(&[accept], PageForm::OF_PNG), Some(expected), "{accept}");
        }
        assert_eq!(preferred(&[], PageForm::OF_PNG), Some(PageForm::Json));
        assert_eq!(preferred(&["application/json;q=0.2", "image/png"], PageForm::OF_PNG), Some(PageForm::Png));
        assert_eq!(preferred(&["application/pdf"], PageForm::OF_PNG), None);
    }

    #[test]
    fn an_svg_is_the_file_unless_only_another_file_is_accepted() {
        for accept in ["", "*/*", "image/*", "image/svg+xml", "application/json", "image/png, image/svg+xml;q=0.1"] {
            assert_eq!(preferred(&[accept], PageForm::OF_SVG), Some(PageForm::Svg), "{accept}");
        }
        assert_eq!(preferred(&["image/png"], PageForm::OF_SVG), None);
        assert_eq!(preferred(&["image/svg+xml"], PageForm::OF_PDF), None);
    }

    #[test]
    fn a_pdf_is_the_file_unless_only_another_file_is_accepted() {
        for accept in
            ["", "*/*", "application/pdf", "application/json", "image/png, application/pdf;q=0.1", "text/html"]
        {
            assert_eq!(preferred(&[accept], PageForm::OF_PDF), Some(PageForm::Pdf), "{accept}");
        }
        for accept in ["image/png", "image/png, application/json", "image/png, application/pdf;q=0"] {
            assert_eq!(preferred(&[accept], PageForm::OF_PDF), None, "{accept}");
        }
    }
}
