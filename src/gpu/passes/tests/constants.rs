//! The constants of the shaders, read from their parsed modules, against the constants of the source files that say the
//! same.

use std::collections::BTreeMap;

use super::{SHADERS, parsed};
use crate::gpu::field_store;
use crate::mesh;
use crate::pen;
use crate::raster::TILE;
use crate::scene::{self, FRACTION_BITS, MAX_GROUPS_PER_DIMENSION, TileRow};
use crate::variation;

/// Constants that no Rust code repeats.
const ONLY_IN_SHADERS: [&str; 5] = ["FOUR", "FULL_GRAIN", "GOLDEN", "GRAIN_VARIATION", "STROKE_VARIATION"];

/// The components of a constant expression of a module.
fn components(module: &naga::Module, expression: naga::Handle<naga::Expression>) -> Vec<f64> {
    match &module.global_expressions[expression] {
        naga::Expression::Literal(naga::Literal::I32(value)) => vec![f64::from(*value)],
        naga::Expression::Literal(naga::Literal::U32(value)) => vec![f64::from(*value)],
        naga::Expression::Literal(naga::Literal::F32(value)) => vec![f64::from(*value)],
        naga::Expression::Compose { components: parts, .. } => {
            parts.iter().flat_map(|part| components(module, *part)).collect()
        }
        other => panic!("{other:?} is not a constant number or vector"),
    }
}

/// The named constants of all shaders.
fn in_shaders() -> BTreeMap<String, Vec<f64>> {
    let mut found: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for module in SHADERS.iter().map(parsed) {
        for (_, constant) in module.constants.iter() {
            let name = constant.name.clone().unwrap();
            let value = components(&module, constant.init);
            let first = found.entry(name.clone()).or_insert_with(|| value.clone());
            assert_eq!(*first, value, "{name} has two values");
        }
    }
    found
}

/// The same constants by the values of the Rust code, as the shaders round them.
fn in_rust() -> BTreeMap<&'static str, Vec<f64>> {
    let single = |value: f64| vec![f64::from(value as f32)];
    let whole = 1 << FRACTION_BITS;
    let waves = |axis: usize| variation::WAVES.iter().map(|wave| f64::from(wave[axis])).collect();
    let quarter = field_store::SIDE / 2;
    BTreeMap::from([
        ("BEGINS", vec![f64::from(mesh::BEGINS)]),
        ("LARGEST_LOSS", single(scene::LARGEST_LOSS)),
        ("FAINTEST", single(scene::FAINTEST)),
        ("FRACTION_BITS", vec![f64::from(FRACTION_BITS)]),
        ("FULL_SCALE", vec![f64::from(i16::MAX) * f64::from(1 << 16)]),
        ("HALF_BITS", vec![f64::from(i32::BITS / 2)]),
        ("MAX_GROUPS", vec![f64::from(MAX_GROUPS_PER_DIMENSION)]),
        ("NORMAL_STEPS", vec![f64::from(mesh::NORMAL_STEPS)]),
        ("END_STEP", single(mesh::END_STEP.into())),
        ("ENDS_BETWEEN", pen::ENDS_BETWEEN.map(f64::from).to_vec()),
        ("LEAST_END", single(pen::LEAST_END.into())),
        ("NARROWEST", single(pen::NARROWEST.into())),
        ("STARTS", vec![f64::from(mesh::STARTS)]),
        ("COS_210", single(pen::COS_210.into())),
        ("SIN_210", single(pen::SIN_210.into())),
        ("CLOSER_ALONG_LINES", single(pen::CLOSER_ALONG_LINES.into())),
        ("COLUMN_STEP", vec![f64::from(pen::COLUMN_STEP)]),
        ("ROW_STEP", vec![f64::from(pen::ROW_STEP)]),
        ("MIXER", vec![f64::from(pen::MIXER)]),
        ("OCTAVES", pen::OCTAVES.map(f64::from).to_vec()),
        ("OPAQUE", single(255.0 / f64::from(whole))),
        ("QUARTER_BITS", vec![f64::from(quarter.ilog2())]),
        ("QUARTER_MASK", vec![(quarter - 1) as f64]),
        ("SAMPLE_STEP", single(scene::SAMPLE_STEP)),
        ("STRIDE_BITS", vec![f64::from(TileRow::STRIDE_BITS)]),
        ("STRIDE_MASK", vec![f64::from((1 << TileRow::STRIDE_BITS) - 1)]),
        ("TILE", vec![f64::from(TILE)]),
        ("TILE_BITS", vec![f64::from(TILE.ilog2())]),
        ("WAVES_X", waves(0)),
        ("WAVES_Y", waves(1)),
        ("WHOLE", vec![f64::from(whole)]),
        ("ZONE_ONSET", vec![f64::from(variation::ZONE_ONSET)]),
    ])
}

#[test]
fn constants_have_the_same_value_in_rust_and_wgsl() {
    let found = in_shaders();
    let different = |(name, value): &(&str, Vec<f64>)| found.get(*name) != Some(value);
    assert_eq!(in_rust().into_iter().filter(different).collect::<Vec<_>>(), [], "the shaders have {found:?}");
    let listed = |name: &&String| in_rust().contains_key(name.as_str()) || ONLY_IN_SHADERS.contains(&name.as_str());
    let unlisted: Vec<&String> = found.keys().filter(|name| !listed(name)).collect();
    assert_eq!(unlisted, Vec::<&String>::new(), "compare these with Rust, or list them as the shaders' own");
    assert!(ONLY_IN_SHADERS.iter().all(|name| found.contains_key(*name)), "a listed constant is gone");
}
