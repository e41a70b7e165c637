//! Artwork in an SVG: an `<image>` with its file in a data URL, in a nested `<svg>` that clips it.

use std::fmt::Write as _;

use crate::encode::base64::append_base64;
use crate::geometry::Rect;
use crate::units::Px;

/// A picture under the writing of an SVG.
#[derive(Clone, Debug, PartialEq)]
pub struct SvgPicture {
    /// The media type of its file.
    pub media_type: &'static str,
    /// Its file, whose picture is upright.
    pub bytes: Vec<u8>,
    /// Where the whole picture lies on the page.
    pub picture: Rect<Px>,
    /// The part that is seen.
    pub window: Rect<Px>,
    /// Its opacity, from 0 to 1.
    pub opacity: f64,
}

/// Appends a picture, in mm of the page.
pub(super) fn append_picture(placed: &SvgPicture, text: &mut String) {
    let mm = |length: Px| (length.to_mm().get() * 1e4).round() / 1e4 + 0.0;
    let sides = |of: Rect<Px>| [mm(of.min.x), mm(of.min.y), mm(of.width()), mm(of.height())];
    let [left, top, width, height] = sides(placed.window);
    // Writing to a string does not fail.
    let _ = write!(
        text,
        "<svg x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" viewBox=\"{left} {top} {width} {height}\">"
    );
    let opacity = if placed.opacity < 1.0 { format!(" opacity=\"{}\"", placed.opacity) } else { String::new() };
    let [left, top, width, height] = sides(placed.picture);
    let _ = write!(
        text,
        "<image x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" preserveAspectRatio=\"none\"{opacity} \
         xlink:href=\"data:{};base64,",
        placed.media_type
    );
    let mut encoded = Vec::new();
    append_base64(&placed.bytes, &mut encoded);
    // Base64 is ASCII.
    text.push_str(&String::from_utf8(encoded).unwrap_or_default());
    text.push_str("\"/></svg>\n");
}
