//! The `sides` of a sheet: its front and its back, each with members of a request.
//!
//! What a side leaves out it takes from the members beside `sides`. So each side becomes a request of its own, which is
//! read as any other, and the sheet is the specification of its front that has that of its back.

use serde_json::{Map, Value};

use super::endpoint::Endpoint;
use super::output_name::OutputName;
use super::render_spec::RenderSpec;
use super::representation::Representation;
use super::request_fields::{OUTPUT_FORMAT, RenderRequest, SEED};
use super::side_list::SIDES;
use super::violation::{PathSegment, Violation, ViolationKind, Violations};
use super::violation_collector::ViolationCollector;
use crate::units::Dpi;

/// Turns the seed of the front into that of the back, so that the same words differ.
const BACK: u32 = 0x85EB_CA6B;

/// A side as a request of its own.
pub(super) struct Side {
    /// From 0.
    number: usize,
    /// The members that the side itself has.
    own: Map<String, Value>,
    /// The request.
    pub(super) request: Value,
}

/// The sides of a request, if it has any.
///
/// # Errors
/// They are no sides.
pub(super) fn sides_of(body: &Value, endpoint: Endpoint) -> Result<Option<Vec<Side>>, Violations> {
    let Some(shared) = body.as_object() else { return Ok(None) };
    let mut collector = ViolationCollector::default();
    let sides = SIDES.read(shared, &mut collector);
    let Some(sides) = collector.conclude(sides)? else { return Ok(None) };
    let side = |(number, own): (usize, Map<String, Value>)| {
        let mut request = shared.clone();
        request.remove(SIDES.name);
        if number > 0 {
            request.remove(SEED.name);
        }
        if endpoint == Endpoint::Generate {
            request.entry(OUTPUT_FORMAT.name).or_insert_with(|| OutputName::Pdf.name().into());
        }
        request.extend(own.clone());
        Side { number, own, request: Value::Object(request) }
    };
    Ok(Some(sides.into_iter().enumerate().map(side).collect()))
}

impl Side {
    /// A violation by the request of this side, named as the client wrote it.
    fn named(&self, mut violation: Violation) -> Violation {
        let is_shared = match violation.path.first() {
            Some(PathSegment::Key(name)) => !self.own.contains_key(name) && self.has(name),
            _ => false,
        };
        if !is_shared {
            violation.path.splice(0..0, [SIDES.name.into(), self.number.into()]);
        }
        violation
    }

    fn has(&self, name: &str) -> bool {
        self.request.get(name).is_some()
    }
}

/// The sheet of these sides, each read by `read`. `fresh_seed` is called if its front names no seed.
///
/// # Errors
/// Every violation of both, each once, or that they are no sides of one sheet.
pub(super) fn sheet(
    sides: &[Side],
    endpoint: Endpoint,
    read: impl Fn(&Value) -> Result<RenderRequest, Violations>,
    fresh_seed: impl FnOnce() -> u32,
) -> Result<RenderSpec, Violations> {
    let (mut requests, mut found) = (Vec::new(), Vec::new());
    for side in sides {
        match read(&side.request) {
            Ok(request) => requests.push(request),
            Err(violations) => {
                for violation in violations.iter().map(|violation| side.named(violation.clone())) {
                    if !found.contains(&violation) {
                        found.push(violation);
                    }
                }
            }
        }
    }
    if let Some(violations) = Violations::from_list(found) {
        return Err(violations);
    }
    let is_pdf = |request: &RenderRequest| request.output_format == OutputName::Pdf;
    if endpoint != Endpoint::Preview && !requests.iter().all(is_pdf) {
        let message = "Only a PDF has two sides: use output_format 'pdf', or ask /generate/pdf";
        return Err(Violation::of_field(SIDES.name, ViolationKind::Conflict, message).into());
    }
    let mut requests = requests.into_iter();
    let mut front = requests.next().unwrap_or_default().into_spec(fresh_seed);
    let seed = front.seed ^ BACK;
    let Some(mut back) = requests.next().map(|request| request.into_spec(|| seed)) else { return Ok(front) };
    check_agreement(&front, &back)?;
    share_dpi(&mut front, &mut back);
    Ok(RenderSpec { back: Some(Box::new(back)), ..front })
}

/// Refuses sides that cannot be pages of one file.
fn check_agreement(front: &RenderSpec, back: &RenderSpec) -> Result<(), Violations> {
    let size = |spec: &RenderSpec| {
        let trim = spec.page.mm();
        format!("{:.1} x {:.1} mm", trim.width.get(), trim.height.get())
    };
    let (one, other) = (size(front), size(back));
    let problem = if front.page.px() != back.page.px() {
        format!("Both sides should have one paper: the front is {one}, the back {other}")
    } else if front.output != back.output {
        "Both sides should have the same PDF options: give 'pdf' beside 'sides' (a mail_piece sets pdf.preset)"
            .to_owned()
    } else {
        return Ok(());
    };
    Err(Violation::of_field(SIDES.name, ViolationKind::Conflict, problem).into())
}

/// Gives sides that are drawn as pixels the finer of their resolutions, because a file has one.
fn share_dpi(front: &mut RenderSpec, back: &mut RenderSpec) {
    let finer = front.drawn_dpi().max(back.drawn_dpi());
    for side in [front, back] {
        if side.representation() == Representation::Image {
            side.dpi = finer;
        }
    }
}

/// The name of the field.
pub const SIDES_FIELD: &str = SIDES.name;

/// The name of a side, from 0, as in messages about its fields.
#[must_use]
pub fn side_name(number: usize) -> String {
    format!("{}[{number}]", SIDES.name)
}

impl RenderSpec {
    /// The sides of the sheet: the page itself, and its back, if it has one.
    pub fn sides(&self) -> impl Iterator<Item = &Self> {
        [self].into_iter().chain(self.back.as_deref())
    }

    /// The resolution of the pixels in a file of all sides.
    #[must_use]
    pub fn dpi_of_sides(&self) -> Dpi {
        self.sides().map(Self::drawn_dpi).max().unwrap_or_default()
    }

    /// Number of characters of the texts of all sides.
    #[must_use]
    pub fn characters_of_sides(&self) -> usize {
        self.sides().map(Self::characters).sum()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::spec::{OutputFormat, parse_value};

    fn parse(body: &Value) -> Result<RenderSpec, Violations> {
        parse_value(body, Endpoint::Generate, || 7)
    }

    #[test]
    fn a_side_takes_what_it_leaves_out_from_the_request() {
        let sheet = parse(&json!({"font_id": 19, "page_size": "a6", "font_size": 50,
                                  "sides": [{"text": "Front"}, {"text": "Back", "font_id": 11}]}));
        let front = sheet.unwrap();
        let back = front.back.clone().unwrap();
        assert!(matches!(front.output, OutputFormat::Pdf(_)));
        assert_eq!(
            (front.text.as_str(), front.font.get(), back.text.as_str(), back.font.get()),
            ("Front", 19, "Back", 11)
        );
        assert_eq!((front.font_size, &front.page, &front.output), (back.font_size, &back.page, &back.output));
        assert_eq!((front.seed, back.seed), (7, 7 ^ BACK));
        assert_eq!((front.sides().count(), front.characters_of_sides()), (2, 9));
    }

    #[test]
    fn a_side_alone_is_the_page_that_it_would_be_without_sides() {
        let alone = parse(&json!({"text": "Front", "seed": 3, "output_format": "pdf"})).unwrap();
        assert_eq!(parse(&json!({"sides": [{"text": "Front"}], "seed": 3})).unwrap(), alone);
        let both = parse(&json!({"sides": [{"text": "Front"}, {"text": "Back", "seed": 4}], "seed": 3})).unwrap();
        let back = parse(&json!({"text": "Back", "seed": 4, "output_format": "pdf"})).unwrap();
        assert_eq!(both, RenderSpec { back: Some(Box::new(back)), ..alone });
    }

    #[test]
    fn sides_have_the_finer_of_their_resolutions() {
        let dpi = |front: &str, back: Value| {
            let sides = [json!({"text": "a", "pen": front}), back];
            let request = json!({"pdf": {"standard": "pdfx1a"}, "sides": sides});
            let sheet = parse(&request).unwrap();
            (sheet.dpi_of_sides().get(), sheet.sides().map(|side| side.drawn_dpi().get()).collect::<Vec<_>>())
        };
        assert_eq!(dpi("ballpoint", json!({"text": "b"})), (300, vec![300, 300]));
        assert_eq!(dpi("ballpoint", json!({"text": "b", "pen": "pencil"})), (600, vec![600, 600]));
        assert_eq!(dpi("pencil", json!({"text": "b", "dpi": 300})), (600, vec![600, 600]));
        assert_eq!(dpi("gel", json!({"text": "b", "dpi": 600})), (600, vec![600, 600]));
    }

    #[test]
    fn violations_are_named_where_the_client_wrote_them() {
        let found = |body: Value| parse(&body).unwrap_err().to_string();
        let fields = |body: Value| -> Vec<String> { parse(&body).unwrap_err().iter().map(Violation::field).collect() };
        assert_eq!(fields(json!({"font_id": 0, "sides": [{"text": "a"}, {"text": "b"}]})), ["font_id"]);
        assert_eq!(
            fields(json!({"dpi": 1, "sides": [{"text": "a", "seed": -1}, {"text": ""}]})),
            ["dpi", "sides[0].seed", "sides[1].text"]
        );
        assert_eq!(fields(json!({"sides": [{"text": "a"}, {}]})), ["sides[1].text"]);
        assert_eq!(
            fields(json!({"sides": [{"text": "a", "sides": [], "page": 2}]})),
            ["sides[0].sides", "sides[0].page"]
        );
        assert_eq!(fields(json!({"sides": "a"})), ["sides"]);
        assert_eq!(fields(json!({"sides": [1]})), ["sides.0"]);
        assert!(found(json!({"sides": [{"text": "a"}, {"text": "b"}, {"text": "c"}]})).contains("at most 2"));
        for (name, body) in [
            ("one paper", json!({"sides": [{"text": "a"}, {"text": "b", "page_size": "a5"}]})),
            ("the same PDF options", json!({"sides": [{"text": "a"}, {"text": "b", "pdf": {"bleed_mm": 3}}]})),
            ("sides: Only a PDF", json!({"output_format": "svg", "sides": [{"text": "a"}]})),
        ] {
            let said = found(body);
            assert!(said.contains(name), "{name}: {said}");
        }
    }
}
