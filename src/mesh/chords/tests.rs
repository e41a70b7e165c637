use lyon::geom::{LineSegment, point};
use proptest::prelude::*;

use super::*;
use crate::catalogue::{FontCatalogue, FontId, Outline, OutlineCommand};
use crate::geometry::Point;
use crate::mesh::samples::contours;
use crate::units::FontUnits;

/// Largest deviation of a curve from its row of points, as a share of the tolerance.
const SLACK: f64 = 0.02;

fn at([x, y]: Vector) -> Point<FontUnits> {
    Point::new(FontUnits::new(x), FontUnits::new(y))
}

/// The contours of an outline as rows of points on the true curves; lines between them deviate by a share of the
/// tolerance.
fn drawn(commands: &[OutlineCommand], tolerance: f64) -> Vec<Vec<Vector>> {
    let plain = |at: Point<FontUnits>| [at.x.get(), at.y.get()];
    let mut contours: Vec<Vec<Vector>> = Vec::new();
    for command in commands {
        let from = contours.last().and_then(|contour| contour.last().copied());
        let controls = match *command {
            OutlineCommand::MoveTo(start) => {
                contours.push(vec![plain(start)]);
                continue;
            }
            OutlineCommand::LineTo(to) => vec![plain(to)],
            OutlineCommand::QuadTo(control, to) => vec![plain(control), plain(to)],
            OutlineCommand::CubicTo(first, second, to) => vec![plain(first), plain(second), plain(to)],
            OutlineCommand::Close => continue,
        };
        let (Some(from), Some(contour)) = (from, contours.last_mut()) else { continue };
        let controls = [vec![from], controls].concat();
        let bends =
            controls.windows(3).map(|three| length(minus(minus(three[0], three[1]), minus(three[1], three[2]))));
        let steps = (0.75 * bends.fold(0.0, f64::max) / (SLACK * tolerance)).sqrt().ceil().max(1.0) as u32;
        contour.extend((1..=steps).map(|step| on_curve(&controls, f64::from(step) / f64::from(steps))));
    }
    contours
}

/// De Casteljau's construction.
fn on_curve(controls: &[Vector], share: f64) -> Vector {
    if let [only] = controls {
        return *only;
    }
    let between = |pair: &[Vector]| [0, 1].map(|axis| pair[0][axis] + (pair[1][axis] - pair[0][axis]) * share);
    on_curve(&controls.windows(2).map(between).collect::<Vec<_>>(), share)
}

fn closed(polygon: &[Vector]) -> impl Iterator<Item = (Vector, Vector)> + Clone {
    polygon.iter().copied().zip(polygon.iter().copied().cycle().skip(1))
}

fn distance(from: Vector, polygon: &[Vector]) -> f64 {
    let [x, y] = from;
    let chords = closed(polygon).map(|(a, b)| LineSegment { from: point(a[0], a[1]), to: point(b[0], b[1]) });
    chords.map(|chord| chord.square_distance_to_point(point(x, y))).fold(f64::INFINITY, f64::min).sqrt()
}

/// The largest distance of the points of a curve from a polygon, or of the polygon from the curve, minus the gaps
/// between the points.
fn farthest(drawn: &[Vector], fitted: &[Vector], tolerance: f64) -> f64 {
    let out = drawn.iter().map(|at| distance(*at, fitted)).fold(0.0, f64::max);
    let points = closed(fitted).flat_map(|(a, b)| [0.0, 0.25, 0.5, 0.75].map(|share| on_curve(&[a, b], share)));
    let back = points.map(|at| distance(at, drawn)).fold(0.0, f64::max);
    out.max(back - SLACK * tolerance)
}

fn area(polygon: &[Vector]) -> f64 {
    closed(polygon).map(|(a, b)| cross(a, b) / 2.0).sum()
}

fn fitted(outline: &Outline, tolerance: f64) -> Vec<Vec<Vector>> {
    let (least, most) = (outline.ink.min, outline.ink.max);
    let box_of = [[least.x.get(), least.y.get()], [most.x.get(), most.y.get()]];
    let contours = contours(&outline.commands, FontUnits::new(tolerance));
    contours.into_iter().map(|contour| fit(contour, box_of[0], box_of[1])).collect()
}

fn through(points: &[Vector], tolerance: f64) -> Vec<Vector> {
    let samples = points.iter().map(|&at| Sample { at, tolerance }).collect();
    fit(samples, [f64::NEG_INFINITY; 2], [f64::INFINITY; 2])
}

fn circle(corners: u32) -> Vec<Vector> {
    (0..corners)
        .map(|step| f64::from(step) / f64::from(corners) * std::f64::consts::TAU)
        .map(|angle| [100.0 * angle.cos(), 100.0 * angle.sin()])
        .collect()
}

#[test]
fn polygons_and_outlines_of_all_fonts_are_within_the_tolerance_of_each_other() {
    let catalogue = FontCatalogue::load().unwrap();
    let (mut glyphs, mut band, mut missing) = (0, 0.0, 0.0);
    for font in 1..=90 {
        let face = catalogue.face(FontId::new(font).unwrap());
        let tolerance = 0.02 * f64::from(face.units_per_em()) / 64.0;
        for outline in "gQ".chars().filter_map(|letter| face.outline(face.glyph_for(letter)?)) {
            let (drawn, fitted) = (drawn(&outline.commands, tolerance), fitted(&outline, tolerance));
            assert_eq!(drawn.len(), fitted.len());
            for (drawn, fitted) in drawn.iter().zip(&fitted) {
                let worst = farthest(drawn, fitted, tolerance);
                assert!(worst <= 1.000_001 * tolerance, "font {font}: {worst} of {tolerance}");
                let rim: f64 = closed(drawn).map(|(a, b)| length(minus(a, b))).sum();
                assert!((area(drawn) - area(fitted)).abs() <= 0.75 * rim * tolerance, "font {font}");
                band += rim * tolerance;
                missing += area(drawn).abs() - area(fitted).abs();
            }
            glyphs += 1;
        }
    }
    assert!(glyphs > 170, "only {glyphs} glyphs were compared");
    // The area that chords add outside balances what they remove inside, except outside of the samples.
    assert!(missing.abs() < 0.1 * band, "{missing} of {band} is missing");
}

#[test]
fn the_comparison_sees_a_corner_out_of_place() {
    let drawn = circle(1000);
    let mut fitted = through(&drawn, 0.1);
    assert!(farthest(&drawn, &fitted, 0.1) <= 0.1 * 1.000_001);
    let corner = fitted.len() / 2;
    let [x, y] = fitted[corner];
    fitted[corner] = [x * 1.002, y * 1.002];
    assert!(farthest(&drawn, &fitted, 0.1) > 0.15);
    fitted.remove(corner);
    assert!(farthest(&drawn, &fitted, 0.1) > 0.15);
}

#[test]
fn a_circle_takes_fewer_chords_than_one_inscribed_and_keeps_its_area() {
    let tolerance = 0.1;
    let fitted = through(&circle(1000), tolerance);
    let inscribed = (std::f64::consts::PI / (1.0 - tolerance / 100.0).acos()).ceil() as usize;
    assert!(fitted.len() < inscribed * 3 / 4, "{} against {inscribed}", fitted.len());
    // One inscribed loses two thirds of it.
    let rim = std::f64::consts::TAU * 100.0 * tolerance;
    let lost = std::f64::consts::PI * 1e4 - area(&fitted);
    assert!(lost.abs() < 0.4 * rim, "{lost} of {rim}");
}

#[test]
fn straight_edges_keep_their_corners_and_lose_what_stands_between() {
    let edged = [[0.0, 0.0], [4.0, 0.0], [9.0, 0.0], [9.0, 9.0], [4.0, 9.0], [0.0, 9.0], [0.0, 4.0]];
    let mut fitted = through(&edged, 0.1);
    fitted.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    assert_eq!(fitted, [[0.0, 0.0], [0.0, 9.0], [9.0, 0.0], [9.0, 9.0]]);
}

#[test]
fn an_edge_that_trembles_within_the_tolerance_is_drawn_straight() {
    let trembling = (1..40).map(|step| [f64::from(step), f64::from(step % 2) * 0.12]);
    let points: Vec<Vector> = trembling.chain([[40.0, 0.0], [40.0, 30.0], [0.0, 30.0], [0.0, 0.0]]).collect();
    assert!(through(&points, 0.1).len() <= 6);
    assert!(through(&points, 0.05).len() > 20);
}

#[test]
fn a_spike_that_turns_back_on_itself_keeps_its_tip() {
    let spike = [[0.0, 0.0], [50.0, 0.05], [0.0, 0.1], [0.0, 20.0], [-20.0, 20.0], [-20.0, 0.0]];
    let fitted = through(&spike, 0.5);
    assert!(farthest(&spike, &fitted, 0.5) <= 0.500_001, "{fitted:?}");
}

#[test]
fn no_polygon_leaves_its_box() {
    let samples = circle(1000).into_iter().map(|at| Sample { at, tolerance: 0.5 }).collect();
    let fitted = fit(samples, [-100.0; 2], [100.0; 2]);
    assert!(fitted.iter().all(|at| at.iter().all(|axis| axis.abs() <= 100.0)), "{fitted:?}");
    let rounded = vec![[0.0, 0.0], [100.0 + 2e-14, 50.0], [0.0, 100.0]];
    let samples = rounded.into_iter().map(|at| Sample { at, tolerance: 0.0 }).collect();
    assert!(fit(samples, [0.0; 2], [100.0; 2]).iter().all(|at| at[0] <= 100.0));
    assert!(through(&circle(1000), 0.5).iter().any(|at| at.iter().any(|axis| axis.abs() > 100.1)));
}

#[test]
fn what_encloses_nothing_has_no_corners() {
    assert!(through(&[], 0.1).is_empty());
    assert!(through(&[[1.0, 2.0]], 0.1).is_empty());
    assert!(through(&[[1.0, 2.0], [5.0, 2.0]], 0.1).is_empty());
}

/// A corner, or the end of a curve with its control points; some of them close to one another.
fn command() -> impl Strategy<Value = OutlineCommand> {
    let coordinate = || prop_oneof![0.0..100.0, 48.0..52.0, (0_u8..5).prop_map(|step| f64::from(step) * 25.0)];
    let place = move || (coordinate(), coordinate()).prop_map(|(x, y)| at([x, y]));
    prop_oneof![
        place().prop_map(OutlineCommand::LineTo),
        (place(), place()).prop_map(|(control, to)| OutlineCommand::QuadTo(control, to)),
        (place(), place(), place()).prop_map(|(first, second, to)| OutlineCommand::CubicTo(first, second, to)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn any_contour_is_kept_within_the_tolerance_and_its_box(
        commands in prop::collection::vec(command(), 2..9), tolerance in 0.1..5.0,
    ) {
        let commands: Vec<_> =
            std::iter::once(OutlineCommand::MoveTo(at([25.0, 25.0]))).chain(commands).chain([OutlineCommand::Close]).collect();
        if let Some(outline) = Outline::new(commands) {
            let (drawn, fitted) = (drawn(&outline.commands, tolerance), fitted(&outline, tolerance));
            prop_assert_eq!(fitted.len(), 1);
            let samples = contours(&outline.commands, FontUnits::new(tolerance));
            prop_assert!(fitted[0].len() <= samples[0].len());
            if samples[0].len() < 3 {
                prop_assert!(fitted[0].is_empty(), "a way there and back encloses nothing");
                return Ok(());
            }
            let worst = farthest(&drawn[0], &fitted[0], tolerance);
            prop_assert!(worst <= 1.000_001 * tolerance, "{worst} of {tolerance}: {:?}", fitted[0]);
            let (least, most) = (outline.ink.min, outline.ink.max);
            for [x, y] in &fitted[0] {
                prop_assert!((least.x.get()..=most.x.get()).contains(x) && (least.y.get()..=most.y.get()).contains(y));
            }
        }
    }
}
