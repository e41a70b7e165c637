//! The resolution of the pictures that content shows, in px per unit of the content.

use hayro::kurbo::Affine;
use lopdf::{Dictionary, Document, Object};

/// The least resolution of pictures in content, while its operators are followed.
pub(super) struct Resolution {
    /// Where the unit square of a picture is.
    matrix: Affine,
    saved: Vec<Affine>,
    /// In px per unit; infinite without a picture.
    least: f64,
}

impl Resolution {
    pub(super) const fn new() -> Self {
        Self { matrix: Affine::IDENTITY, saved: Vec::new(), least: f64::INFINITY }
    }

    /// The least of the pictures so far, in px per unit; infinite without one.
    pub(super) const fn least(&self) -> f64 {
        self.least
    }

    /// Follows an operator of the graphics state (ISO 32000-1, 8.4.4).
    pub(super) fn follow(&mut self, operator: &str, operands: &[Object]) {
        match operator {
            "q" => self.saved.push(self.matrix),
            "Q" => self.matrix = self.saved.pop().unwrap_or(self.matrix),
            "cm" => self.matrix *= matrix(operands).unwrap_or_default(),
            _ => {}
        }
    }

    /// A picture is shown. A side of one px is as sharp in any size.
    pub(super) fn picture(&mut self, document: &Document, picture: &Dictionary) {
        let pixels = |names: [&[u8]; 2]| {
            let found = names.iter().find_map(|name| picture.get_deref(name, document).ok());
            found.and_then(|pixels| pixels.as_float().ok()).filter(|pixels| *pixels > 1.0).map(f64::from)
        };
        let [a, b, c, d, ..] = self.matrix.as_coeffs();
        let sides = [(pixels([b"Width", b"W"]), a.hypot(b)), (pixels([b"Height", b"H"]), c.hypot(d))];
        for (pixels, length) in sides {
            self.least = pixels.map_or(self.least, |pixels| self.least.min(pixels / length));
        }
    }

    /// Other content is shown: a form with this matrix and this least resolution.
    pub(super) fn form(&mut self, matrix: Affine, least: f64) {
        self.least = self.least.min(least / enlargement(self.matrix * matrix));
    }

    /// Tiles are shown, which have no place in the graphics state (8.7.3.1).
    pub(super) fn tiles(&mut self, matrix: Affine, least: f64) {
        self.least = self.least.min(least / enlargement(matrix));
    }
}

/// The matrix of a form or pattern.
pub(super) fn matrix_of(document: &Document, of: &Dictionary) -> Affine {
    let own = of.get_deref(b"Matrix", document).and_then(Object::as_array);
    own.ok().and_then(|numbers| matrix(numbers)).unwrap_or_default()
}

/// The matrix of six numbers: where they put the unit vectors and the origin (8.3.3).
fn matrix(numbers: &[Object]) -> Option<Affine> {
    let numbers: Vec<f64> = numbers.iter().filter_map(|number| number.as_float().ok().map(f64::from)).collect();
    numbers.try_into().ok().map(Affine::new)
}

/// How much a matrix enlarges the lengths that it enlarges most: its largest singular value.
fn enlargement(matrix: Affine) -> f64 {
    let [a, b, c, d, ..] = matrix.as_coeffs();
    let (sum, determinant) = (a * a + b * b + c * c + d * d, matrix.determinant());
    let spread = (sum * sum - 4.0 * determinant * determinant).max(0.0).sqrt();
    f64::midpoint(sum, spread).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{Pdf, stream};
    use super::super::one_page::OnePage;

    /// The least resolution of a page of 2 × 1 in that shows this, rounded to DPI.
    fn least_dpi(content: &str) -> Option<f64> {
        let image = |entries: &str| {
            stream(&format!("/Subtype/Image{entries}/BitsPerComponent 8/ColorSpace/DeviceGray"), &"a".repeat(600))
        };
        let form = "/Subtype/Form/BBox[0 0 99 99]/Matrix[2 0 0 2 0 0]/Resources 5 0 R";
        let tiles = "/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 99 99]/XStep 99/YStep 99/Matrix[0 3 -3 0 0 0]";
        let pdf = Pdf {
            page: "/MediaBox[0 0 144 72]",
            content,
            resources: "/XObject<</Im 6 0 R/Strip 7 0 R/Fm 8 0 R>>/Pattern<</P 9 0 R>>\
                        /ExtGState<</G<</SMask<</S/Luminosity/G 8 0 R>>>>>>",
            objects: &[
                &image("/Width 30/Height 20"),
                &image("/Width 1/Height 600"),
                &stream(form, "q 15 0 0 10 0 0 cm /Im Do Q"),
                &stream(tiles, "q 15 0 0 10 0 0 cm /Im Do Q"),
            ],
            ..Pdf::default()
        };
        OnePage::of(&pdf.file(), 1.0).unwrap().least_dpi.map(f64::round)
    }

    #[test]
    fn the_least_resolution_is_that_of_the_picture_that_is_enlarged_most() {
        for (content, expected) in [
            ("0 g 0 0 9 9 re f", None),
            // 30 × 20 px on 15 × 10 pt.
            ("15 0 0 10 0 0 cm /Im Do", Some(144.0)),
            ("0 15 -10 0 9 9 cm /Im Do", Some(144.0)),
            ("15 0 0 20 0 0 cm /Im Do", Some(72.0)),
            ("q 15 0 0 10 0 0 cm /Im Do Q q 2 0 0 2 0 0 cm 30 0 0 20 0 0 cm /Im Do Q", Some(36.0)),
            ("q 99 0 0 99 0 0 cm Q 15 0 0 10 0 0 cm /Im Do", Some(144.0)),
            ("72 0 0 72 0 0 cm /Strip Do", Some(600.0)),
            ("/Fm Do", Some(72.0)),
            ("0 0.5 -0.5 0 0 0 cm /Fm Do q 2 0 0 2 0 0 cm /Fm Do Q", Some(72.0)),
            ("/Pattern cs /P scn 0 0 9 9 re f", Some(48.0)),
            ("2 0 0 2 0 0 cm /G gs 0 0 9 9 re f", Some(36.0)),
            ("72 0 0 36 0 0 cm BI /W 3 /H 3 /CS /G /BPC 8 ID aaaaaaaaa EI", Some(3.0)),
        ] {
            assert_eq!(least_dpi(content), expected, "{content}");
        }
    }

    #[test]
    fn the_unit_of_the_page_counts() {
        let image = stream("/Subtype/Image/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceGray", "aaaa");
        let pdf = Pdf {
            page: "/MediaBox[0 0 72 72]/UserUnit 4/Rotate 90",
            content: "72 0 0 72 0 0 cm /Im Do",
            resources: "/XObject<</Im 6 0 R>>",
            objects: &[&image],
            ..Pdf::default()
        };
        assert_eq!(OnePage::of(&pdf.file(), 1.0).unwrap().least_dpi, Some(0.5));
    }
}
