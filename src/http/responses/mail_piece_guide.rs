//! The guide of a mail piece: a drawing in true size of trim, bleed, safe area and reserved zones, to lay over a page.

use std::fmt::Write as _;

use super::mail_piece_list::{AreaMm, to_thousandths};
use crate::geometry::{Point, Rect};
use crate::spec::{MailPiece, ReservedZone};
use crate::units::Mm;

/// The guide as SVG 1.1. One unit is 1 mm, and the origin is the upper left corner of the trim; the drawing is as large
/// as the sheet with its bleed.
#[must_use]
pub fn mail_piece_guide(piece: &MailPiece) -> String {
    let (trim, bleed) = (piece.page.mm(), piece.bleed);
    let inset = |by: Mm| Rect { min: Point::new(by, by), max: Point::new(trim.width - by, trim.height - by) };
    let sheet = inset(-bleed);
    let [x, y, width, height] = [sheet.min.x, sheet.min.y, sheet.width(), sheet.height()].map(to_thousandths);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"{width}mm\" height=\"{height}mm\" \
         viewBox=\"{x} {y} {width} {height}\" font-family=\"sans-serif\" font-size=\"3\">\n<title>{}</title>\n",
        escaped(&piece.name)
    );
    if bleed > Mm::ZERO {
        outline(&mut svg, "bleed", sheet, "#d9480f", "");
    }
    for ReservedZone { name, area } in &piece.zones {
        zone(&mut svg, name, *area);
    }
    outline(&mut svg, "safe area", inset(piece.safe), "#2b8a3e", " stroke-dasharray=\"2 1\"");
    outline(&mut svg, "trim", inset(Mm::ZERO), "#000", "");
    svg.push_str("</svg>\n");
    svg
}

fn outline(svg: &mut String, name: &str, area: Rect<Mm>, color: &str, dashes: &str) {
    let place = place(area);
    // Writing to a string cannot fail.
    let _ = writeln!(
        svg,
        "<rect {place} fill=\"none\" stroke=\"{color}\" stroke-width=\"0.3\"{dashes}><title>{name}</title></rect>"
    );
}

fn zone(svg: &mut String, name: &str, area: Rect<Mm>) {
    let (place, name) = (place(area), escaped(name));
    let [x, y] = [area.min.x + Mm::new(1.5), area.min.y + Mm::new(4.0)].map(to_thousandths);
    let _ = writeln!(
        svg,
        "<rect {place} fill=\"#e03131\" fill-opacity=\"0.2\" stroke=\"#e03131\" stroke-width=\"0.3\"/>\n\
         <text x=\"{x}\" y=\"{y}\" fill=\"#c92a2a\">{name}</text>"
    );
}

fn place(area: Rect<Mm>) -> String {
    let AreaMm { x, y, width, height } = area.into();
    format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guide_has_the_sheet_and_every_zone_in_mm() {
        let svg = mail_piece_guide(MailPiece::from_name("lob_postcard_4x6_back").unwrap());
        assert!(
            svg.contains("width=\"158.75mm\" height=\"107.95mm\" viewBox=\"-3.175 -3.175 158.75 107.95\""),
            "{svg}"
        );
        assert!(svg.contains("x=\"65.189\" y=\"38.1\" width=\"83.401\" height=\"60.325\""), "{svg}");
        for title in ["bleed", "safe area", "trim"] {
            assert!(svg.contains(&format!("<title>{title}</title>")), "{svg}");
        }
        let letter = mail_piece_guide(MailPiece::from_name("din5008_b").unwrap());
        assert!(letter.contains(">address field</text>") && !letter.contains("bleed"), "{letter}");
    }
}
