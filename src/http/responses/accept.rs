//! The form of an answer with a page: by `Accept` (RFC 9110, section 12.5.1), among those that the request allows.

use axum::http::HeaderMap;
use axum::http::header::ACCEPT;

use crate::http::errors::table::ApiError;
use crate::spec::{Endpoint, OutputName};

/// The form of a page in an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http) enum PageForm {
    /// JSON with the picture in base64.
    Json,
    /// The file itself.
    File(OutputName),
}

impl PageForm {
    /// The forms that `endpoint` makes of a page in this format. The first is the default. A preview is always a PNG.
    pub(in crate::http) fn possible(endpoint: Endpoint, format: OutputName) -> Vec<Self> {
        let format = if endpoint == Endpoint::Preview { OutputName::Png } else { format };
        let is_in_json = format.facts().is_image && !matches!(endpoint, Endpoint::GenerateFile(_));
        is_in_json.then_some(Self::Json).into_iter().chain([Self::File(format)]).collect()
    }

    const fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::File(format) => format.facts().media_type,
        }
    }

    /// Of the `possible` forms, the one that the client prefers: by quality, then by how exactly `Accept` names it,
    /// then by their order. An `Accept` that names no page file at all gets the first one.
    ///
    /// # Errors
    /// [`ApiError::NotAcceptable`] if `Accept` names page files, and none that is possible.
    pub(in crate::http) fn preferred(headers: &HeaderMap, possible: &[Self]) -> Result<Self, ApiError> {
        let ranges: Vec<MediaRange> = headers
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
        let names_a_file = OutputName::ALL
            .map(Self::File)
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

/// One range of `Accept`, such as `image/*;q=0.8`.
struct MediaRange {
    /// In small letters.
    name: String,
    /// In thousandths.
    quality: u16,
}

impl MediaRange {
    /// `None` if the quality is malformed.
    fn parse(range: &str) -> Option<Self> {
        let (name, parameters) = range.split_once(';').unwrap_or((range, ""));
        let quality = parameters.split(';').find_map(|parameter| {
            let (name, value) = parameter.split_once('=')?;
            name.trim().eq_ignore_ascii_case("q").then(|| value.trim())
        });
        Some(Self { name: name.trim().to_ascii_lowercase(), quality: quality.map_or(Some(1000), thousandths)? })
    }

    /// How exactly the range names a form; `None` if it does not.
    fn exactness(&self, form: PageForm) -> Option<u8> {
        let (kind, _) = form.media_type().split_once('/')?;
        match self.name.as_str() {
            "*/*" => Some(0),
            name if name == form.media_type() => Some(EXACT),
            name => (name.strip_suffix("/*") == Some(kind)).then_some(1),
        }
    }
}

/// A quality from 0 to 1 in thousandths.
fn thousandths(quality: &str) -> Option<u16> {
    let quality: f64 = quality.parse().ok()?;
    (0.0..=1.0).contains(&quality).then(|| (quality * 1000.0).round() as u16)
}

/// Quality and exactness of a form, both from the range that names it most exactly; 0 if none does.
fn weight(form: PageForm, ranges: &[MediaRange]) -> (u16, u8) {
    let named = ranges.iter().filter_map(|range| Some((range.exactness(form)?, range.quality)));
    named.max().map_or((0, 0), |(exactness, quality)| (quality, exactness))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    const PNG: PageForm = PageForm::File(OutputName::Png);
    const PDF: PageForm = PageForm::File(OutputName::Pdf);
    const SVG: PageForm = PageForm::File(OutputName::Svg);

    fn preferred(accept: &[&str], possible: &[PageForm]) -> Option<PageForm> {
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
            ("image/png", PNG),
            ("IMAGE/PNG", PNG),
            ("image/png; q=1.0", PNG),
            ("image/*", PNG),
            ("image/png, */*", PNG),
            ("image/avif, image/png, */*;q=0.8", PNG),
            ("image/png, application/json;q=0.9", PNG),
            ("*/*, application/json;q=0", PNG),
            ("application/pdf, image/png;q=0.001", PNG),
        ] {
            assert_eq!(preferred(&[accept], &[PageForm::Json, PNG]), Some(expected), "{accept}");
        }
        assert_eq!(preferred(&[], &[PageForm::Json, PNG]), Some(PageForm::Json));
        assert_eq!(preferred(&["application/json;q=0.2", "image/png"], &[PageForm::Json, PNG]), Some(PNG));
        assert_eq!(preferred(&["application/pdf"], &[PageForm::Json, PNG]), None);
    }

    #[test]
    fn an_svg_is_the_file_unless_only_another_file_is_accepted() {
        for accept in ["", "*/*", "image/*", "image/svg+xml", "application/json", "image/png, image/svg+xml;q=0.1"] {
            assert_eq!(preferred(&[accept], &[SVG]), Some(SVG), "{accept}");
        }
        assert_eq!(preferred(&["image/png"], &[SVG]), None);
        assert_eq!(preferred(&["image/svg+xml"], &[PDF]), None);
    }

    #[test]
    fn a_pdf_is_the_file_unless_only_another_file_is_accepted() {
        for accept in
            ["", "*/*", "application/pdf", "application/json", "image/png, application/pdf;q=0.1", "text/html"]
        {
            assert_eq!(preferred(&[accept], &[PDF]), Some(PDF), "{accept}");
        }
        for accept in ["image/png", "image/png, application/json", "image/png, application/pdf;q=0"] {
            assert_eq!(preferred(&[accept], &[PDF]), None, "{accept}");
        }
    }
}
