//! What the effects do to the ink of a finished page, measured from its pixels.

use longhand::pipeline::Preview;
use rstest::rstest;
use serde_json::{Value, json};

use super::preview::alpha;
use super::rendered::{Pictures, render, render_preview};
use crate::oracle::{ask, number};

/// `base` with the members of `more`.
fn with(base: &Value, more: &Value) -> Value {
    let mut request = base.clone();
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    request
}

fn variation(alpha: u32, sigma: u32) -> Value {
    json!({"enable_natural_variation": true, "natural_variation_alpha": alpha, "natural_variation_sigma": sigma})
}

fn writer(strength: f64) -> Value {
    json!({"enable_writer_variation": true, "writer_variation_strength": strength})
}

fn ink_flow(intensity: f64) -> Value {
    json!({"enable_ink_flow": true, "ink_flow_intensity": intensity})
}

/// Everything at once, as wild as it gets.
fn wildest(sigma: u32) -> Value {
    with(&variation(100, sigma), &ink_flow(3.0))
}

/// A letter on a small sheet.
fn letter() -> Value {
    json!({
        "text": "Dear Mrs. Hawthorne,\n\nThank you so much for the lovely afternoon last Sunday. The garden was in full \
                 bloom, and Thomas has not stopped talking about the bees ever since!",
        "page_size": "a5", "seed": 7, "font_size": 80, "line_height_multiplier": 1.4,
    })
}

/// A page of thin straight strokes that stand far from one another, upright or lying.
fn strokes(axis: &str) -> Value {
    let text = match axis {
        "x" => vec!["|"; 18].join(" "),
        _ => vec!["_"; 14].join(" "),
    };
    json!({
        "text": vec![text; 15].join("\n"), "page_size": "a4", "font_id": STRAIGHT_HAND, "font_size": 110, "seed": 5,
        "line_height_multiplier": 2, "word_spacing": 60, "overflow": "clip",
    })
}

/// A font whose | is an upright and whose _ is a lying straight line, both thin (allura).
const STRAIGHT_HAND: u8 = 67;

/// RMS displacement along one axis: uniform noise (deviation 0.577) smoothed with a Gaussian of `sigma`, times `alpha`.
fn expected_rms(alpha: u32, sigma: u32) -> f64 {
    f64::from(alpha) * 0.577 / (2.0 * std::f64::consts::PI.sqrt() * f64::from(sigma))
}

#[rstest]
#[case("x", 15, 5)]
#[case("y", 15, 5)]
#[case("x", 40, 6)]
#[case("y", 40, 10)]
#[case("x", 10, 4)]
fn strokes_are_displaced_as_strongly_and_as_smoothly_as_the_formula_says(
    #[case] axis: &str,
    #[case] alpha: u32,
    #[case] sigma: u32,
) {
    let plain = strokes(axis);
    let mut pictures = Pictures::new();
    let before = pictures.add(&plain);
    let mut figures = Vec::new();
    for seed in 0..3 {
        let moved = pictures.add(&with(&with(&plain, &variation(alpha, sigma)), &json!({"seed": seed})));
        // A field smoothed with a Gaussian is correlated as a Gaussian √2 as wide: e^-1 at a lag of 2 sigma.
        let job = json!({"measure": "displacement", "axis": axis, "plain": before, "moved": moved, "lag": 2 * sigma});
        figures.push(ask("effect_facts.py", &job));
    }
    let mean_of = |name: &str| figures.iter().map(|found| number(found, name)).sum::<f64>() / 3.0;
    assert!(mean_of("samples") > 2000.0);
    let rms = mean_of("rms");
    let expected = expected_rms(alpha, sigma);
    println!("{axis} alpha {alpha} sigma {sigma}: RMS {rms} of {expected}");
    assert!((rms / expected - 1.0).abs() < 0.1, "RMS {rms}, not {expected}");
    assert!(mean_of("mean").abs() < 0.25 * expected, "drift {}", mean_of("mean"));
    let correlation = mean_of("correlation");
    assert!((correlation - (-1.0_f64).exp()).abs() < 0.12, "correlation {correlation} at 2 sigma");
}

#[rstest]
#[case(7, 0, 49.0 / 3.0)]
#[case(8, 0, 64.0 / 3.0)]
#[case(10, 0, 100.0 / 3.0)]
#[case(8, 1, expected_rms(8, 1).powi(2))]
#[case(12, 1, expected_rms(12, 1).powi(2))]
#[case(30, 1, expected_rms(30, 1).powi(2))]
fn grain_spreads_strokes_as_far_as_the_formula_says(#[case] alpha: u32, #[case] sigma: u32, #[case] expected: f64) {
    assert_spread(&strokes("x"), &variation(alpha, sigma), 12, expected);
}

#[rstest]
#[case(31)]
#[case(32)]
#[case(40)]
#[case(60)]
#[case(100)]
fn ink_is_thrown_as_far_as_the_formula_says(#[case] alpha: u32) {
    let far_apart = json!({"text": vec![["|"; 12].join(" "); 16].join("\n"), "font_size": (4 * alpha).max(220),
                           "page_size": "a3", "word_spacing": 20, "line_height_multiplier": 1, "margin_top": 60,
                           "margin_bottom": 60});
    assert_spread(&with(&strokes("x"), &far_apart), &variation(alpha, 0), alpha, f64::from(alpha * alpha) / 3.0);
}

/// Asserts that the variance of upright strokes, whose ink is moved no more than `reach` px, grows by `expected` px².
fn assert_spread(plain: &Value, variation: &Value, reach: u32, expected: f64) {
    let mut pictures = Pictures::new();
    let (before, moved) = (pictures.add(plain), pictures.add(&with(plain, variation)));
    let job = json!({"measure": "spread", "axis": "x", "plain": before, "moved": moved, "reach": reach});
    let figures = ask("effect_facts.py", &job);
    println!("{variation}: {figures}");
    let variance = number(&figures, "variance");
    assert!(number(&figures, "samples") > 100.0);
    assert!((variance / expected - 1.0).abs() < 0.2, "variance {variance}, not {expected}");
}

#[test]
fn an_effect_of_no_strength_changes_no_byte_and_any_other_does() {
    let plain = render(&letter()).bytes;
    for off in [variation(0, 0), variation(0, 5), ink_flow(0.0)] {
        assert!(render(&with(&letter(), &off)).bytes == plain, "{off} changes the page");
    }
    for on in [variation(1, 5), variation(1, 0), variation(5, 10), ink_flow(0.1)] {
        assert!(render(&with(&letter(), &on)).bytes != plain, "{on} changes nothing");
    }
}

#[test]
fn the_seed_decides_the_page_to_the_byte() {
    for on in [variation(15, 5), variation(15, 1), wildest(0), ink_flow(1.0)] {
        let request = with(&letter(), &on);
        let page = render(&request).bytes;
        assert!(render(&request).bytes == page, "{on}: not reproducible");
        assert!(render(&with(&request, &json!({"seed": 8}))).bytes != page, "{on}: the seed changes nothing");
    }
}

#[test]
fn ink_fades_more_with_every_step_of_intensity_and_stays_readable() {
    let mut pictures = Pictures::new();
    let plain = pictures.add(&letter());
    let mut last = (1.0, 1.0);
    for intensity in [0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0] {
        let faded = pictures.add(&with(&letter(), &ink_flow(intensity)));
        let figures = ask("effect_facts.py", &json!({"measure": "opacity", "plain": plain, "faded": faded}));
        println!("intensity {intensity}: {figures}");
        let (mean, lowest) = (number(&figures, "mean"), number(&figures, "least"));
        assert!(mean < last.0 && lowest < last.1, "intensity {intensity}: {mean} {lowest} after {last:?}");
        assert!(lowest >= 0.15, "intensity {intensity}: opacity {lowest}");
        last = (mean, lowest);
    }
    assert!(last.0 < 0.75, "the strongest fade leaves a mean opacity of {}", last.0);
}

/// The ink of a page: the sum of its alpha.
fn ink_of(request: &Value) -> f64 {
    alpha(&render(request).bytes).1.into_iter().sum()
}

#[rstest]
#[case::word("Thanks", 0.0)]
#[case::line("Dear Ann, thank you for the lovely evening", 0.003)]
fn a_short_text_fades_with_every_step_of_intensity(#[case] text: &str, #[case] least: f64) {
    for seed in 0..10 {
        let request =
            json!({"text": text, "page_size": "a6", "orientation": "landscape", "font_size": 60, "seed": seed});
        let plain = ink_of(&request);
        let inks = (0..=12).map(|step| ink_of(&with(&request, &ink_flow(f64::from(step) * 0.25))) / plain);
        let inks: Vec<f64> = inks.collect();
        println!("seed {seed}: {inks:.3?}");
        assert!(inks.windows(2).all(|pair| pair[1] < pair[0] - least), "seed {seed}: {inks:?}");
    }
}

#[test]
fn ink_runs_dry_along_the_writing_without_seams() {
    let mut pictures = Pictures::new();
    let (plain, faded) = (pictures.add(&letter()), pictures.add(&with(&letter(), &ink_flow(2.0))));
    let figures = ask("effect_facts.py", &json!({"measure": "opacity", "plain": plain, "faded": faded}));
    let figure = |name| number(&figures, name);
    println!("{figures}");
    assert!(figure("samples") > 10_000.0);
    assert!(figure("swing") > 0.15, "the pen does not run dry");
    assert!(figure("step") > 0.002, "the ink has no grain");
    assert!(figure("seam") < 1.1 * figure("step"), "tiles show");
}

#[rstest]
#[case(json!({}), 1.0)]
#[case(variation(15, 5), 1.0)]
#[case(variation(40, 3), 1.0)]
#[case(ink_flow(2.0), 1.5)]
#[case(writer(1.0), 1.0)]
#[case(with(&with(&writer(1.6), &variation(15, 5)), &ink_flow(0.5)), 1.5)]
// Drawn pixels that are looked up between pixels are softened, coarse ones more; another seed differs by far more.
#[case(variation(2, 1), 12.0)]
#[case(variation(20, 0), 1.0)]
#[case(variation(100, 0), 1.0)]
#[case(variation(100, 1), 1.0)]
fn six_hundred_dpi_is_the_same_page_twice_as_fine(#[case] effects: Value, #[case] bound: f64) {
    let request = with(&letter(), &effects);
    let mut pictures = Pictures::new();
    let (coarse, fine) = (pictures.add(&request), pictures.add(&with(&request, &json!({"dpi": 600}))));
    let figures = ask("effect_facts.py", &json!({"measure": "scales", "coarse": coarse, "fine": fine}));
    println!("{effects}: {figures}");
    assert!(number(&figures, "mean") < bound, "{figures}");
}

#[test]
fn another_page_is_not_taken_for_the_same_at_another_resolution() {
    for (effects, bound) in [(variation(15, 5), 5.0), (variation(2, 1), 18.0), (ink_flow(2.0), 5.0), (writer(1.0), 5.0)]
    {
        let request = with(&letter(), &effects);
        let mut pictures = Pictures::new();
        let other = json!({"dpi": 600, "seed": 8});
        let (coarse, fine) = (pictures.add(&request), pictures.add(&with(&request, &other)));
        let figures = ask("effect_facts.py", &json!({"measure": "scales", "coarse": coarse, "fine": fine}));
        println!("{effects}: {figures}");
        assert!(number(&figures, "mean") > bound, "{effects}: {figures}");
    }
}

#[test]
fn the_wildest_effects_stay_on_every_page() {
    for (size, width, height) in super::sizes::CONTRACT {
        for (sigma, dpi) in [(0, 300), (1, 300), (2, 300), (10, 300)].into_iter().chain([(0, 600), (1, 600)]) {
            let edge_to_edge = json!({
                "text": "Wj".repeat(60), "page_size": size, "margin_left": 0, "margin_right": 0, "margin_top": 0,
                "margin_bottom": 0, "font_size": 200, "overflow": "clip", "line_height_multiplier": 0.8, "dpi": dpi,
            });
            if dpi == 600 && width * height > 2_000_000 {
                continue;
            }
            let page = render(&with(&edge_to_edge, &wildest(sigma)));
            assert_eq!((page.width, page.height), (width * dpi / 300, height * dpi / 300), "{size} sigma {sigma}");
            // A page without ink is an empty stream of a few hundred bytes.
            assert!(page.bytes.len() > 5_000, "{size} sigma {sigma}: {} bytes", page.bytes.len());
        }
    }
}

#[test]
fn a_preview_has_the_effects_of_its_page() {
    let request = with(&letter(), &with(&variation(60, 5), &ink_flow(2.0)));
    let Preview { page, .. } = render_preview(&request);
    let Preview { page: plain, .. } = render_preview(&letter());
    let Preview { page: same, .. } = render_preview(&request);
    assert!(page.bytes != plain.bytes && page.bytes == same.bytes);
}
