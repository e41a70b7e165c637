//! The inks of PDF/X-1a against conversions that share no code with ours, and the profiles against their checksums.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::files::{CREATED, ask_of_files, encoded};
use crate::oracle::ask;

const CONDITIONS: [(&str, &str); 4] = [
    ("gracol_2013", "crpc6-approx-300.icc"),
    ("gracol_2006", "tr006-coated-300.icc"),
    ("pso_coated_v3", "fogra51-approx-300.icc"),
    ("iso_coated_v2", "ISOcoated_v2_300_bas.icc"),
];

fn profile(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("icc").join(file)
}

/// What the file of this ink says, and what the oracle says of the same coverages under `judged_by`.
fn printed(condition: &str, ink: [u8; 3], judged_by: &str) -> (Value, Value) {
    let request = json!({
        "text": "x", "output_format": "pdf", "page_size": "a6", "text_color": ink,
        "pdf": {"standard": "pdfx1a", "icc_profile": condition},
    });
    let image = ask_of_files(&[], [encoded(&request, 1, CREATED)])[0]["image"].clone();
    let job = json!([{"profile": profile(judged_by), "ink": ink, "coverages": image["steps"]}]);
    (image, ask("press_colors.py", &job)[0].clone())
}

fn numbers(of: &Value) -> Vec<f64> {
    of.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// Largest difference of any ink amount, of 255.
fn worst(image: &Value, oracle: &Value) -> f64 {
    let pairs = image["colors"].as_array().unwrap().iter().zip(oracle["cmyk"].as_array().unwrap());
    let differences = pairs.flat_map(|(ours, theirs)| {
        numbers(ours).into_iter().zip(numbers(theirs)).map(|(ours, theirs)| (ours - theirs).abs()).collect::<Vec<_>>()
    });
    differences.fold(0.0, f64::max)
}

#[test]
fn coloured_inks_are_those_of_the_profile() {
    for (condition, file) in CONDITIONS {
        for ink in [[20, 30, 120], [200, 16, 46], [0, 90, 60]] {
            let (image, oracle) = printed(condition, ink, file);
            println!("{condition} {ink:?}: {}", image["last"]);
            // Its source is rounded to 8 bits before the conversion, ours is not.
            let worst = worst(&image, &oracle);
            assert!(worst <= 4.0, "{condition} {ink:?} is off by {worst}: {image}\n{oracle}");
        }
    }
}

#[test]
fn greys_are_black_ink_as_light_as_on_screen() {
    for (condition, file) in CONDITIONS {
        for ink in [[0, 0, 0], [128, 128, 128]] {
            let (image, oracle) = printed(condition, ink, file);
            assert_eq!(image["base"], "/DeviceGray");
            let black = numbers(&oracle["black"]);
            let amounts: Vec<f64> =
                image["colors"].as_array().unwrap().iter().map(|color| 255.0 - numbers(color)[0]).collect();
            println!("{condition} {ink:?}: K {:.1} %", amounts.last().unwrap() / 2.55);
            for (amount, wanted) in amounts.iter().zip(numbers(&oracle["lightness"])) {
                let found = black[*amount as usize];
                // Lightness comes in 255 steps of 0.39 from the oracle, and so do amounts of ink.
                assert!((found - wanted).abs() < 0.8, "{condition} {ink:?}: K {amount} is L* {found}, not {wanted}");
            }
        }
    }
}

#[test]
fn the_inks_of_another_profile_are_found_out() {
    let (image, oracle) = printed("iso_coated_v2", [20, 30, 120], "tr006-coated-300.icc");
    assert!(worst(&image, &oracle) > 4.0);
}

#[test]
fn the_bundled_profiles_are_the_published_ones() {
    let listed = std::fs::read_to_string(profile("SHA256SUMS")).unwrap();
    for (_, file) in CONDITIONS {
        let digest = Sha256::digest(std::fs::read(profile(file)).unwrap());
        let hex = digest.iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        });
        assert!(listed.contains(&format!("{hex}  {file}")), "{file} is {hex}");
    }
}
