use super::*;
use crate::layout::lay_out;
use crate::mesh::Vertex;
use crate::scene::records::EffectsRecord;
use crate::spec::{Endpoint, parse_value};
use serde_json::{Value, json};

fn scene(request: &Value, catalogue: &FontCatalogue) -> Scene {
    let spec = parse_value(request, Endpoint::Generate, || 1).unwrap();
    let layout = lay_out(&spec, catalogue).unwrap();
    compose(&layout, &RenderParams::of(&spec, spec.dpi.scale()), catalogue, &MeshCache::default(), 8 << 20).unwrap()
}

/// Ends and middle of a line of an instance, in device px from the corner of its box.
fn places(instance: &Instance, [[x0, y0], [x1, y1]]: [[f32; 2]; 2]) -> [[f32; 2]; 3] {
    let ([xx, yx, xy, yy], [x, y]) = (instance.matrix, instance.translation);
    [[x0, y0], [x1, y1], [0.5 * (x0 + x1), 0.5 * (y0 + y1)]].map(|[u, v]| [xx * u + xy * v + x, yx * u + yy * v + y])
}

/// The position to which the field moves a point of the page, both in device px: as the shader computes it.
fn displaced(scene: &Scene, at: [f32; 2]) -> [f32; 2] {
    let Some(field) = scene.effects.field else { return at };
    let EffectsRecord { lattice_offset, lattice_step, page_size, largest_displacement, .. } = scene.effects.record;
    let place = [0, 1].map(|axis| at[axis] * lattice_step + lattice_offset[axis]);
    let [weight, first] = [place.map(|place| place - place.floor()), place.map(f32::floor)];
    let component = |right: usize, below: usize, shift: u32| {
        let texel = field.texel([first[0] as usize + right, first[1] as usize + below]);
        f32::from((texel >> shift) as u16 as i16) / 32_767.0
    };
    let mixed = |one: f32, other: f32, weight: f32| one + (other - one) * weight;
    [0, 1].map(|axis| {
        let shift = 16 * axis as u32;
        let ends = [0, 1].map(|below| mixed(component(0, below, shift), component(1, below, shift), weight[0]));
        let room = at[axis].min(page_size[axis] - at[axis]).clamp(0.0, largest_displacement);
        at[axis] + room * mixed(ends[0], ends[1], weight[1])
    })
}

#[test]
fn every_outline_lies_in_its_box_and_in_strips() {
    let catalogue = FontCatalogue::load().unwrap();
    let mut seen = 0;
    for font in 1..=90 {
        // From none to more than any letter's width; sigmas from 2 up move outlines.
        let (alpha, sigma) = (font % 10 * 11, 2 + font % 9);
        let request = json!({"text": "ff LLTTjj quickly: äÖ", "font_id": font, "font_size": 70 + font, "seed": font,
                             "page_size": "a6", "enable_word_rotation": font % 2 == 0, "overflow": "clip",
                             "enable_natural_variation": true, "natural_variation_alpha": alpha,
                             "natural_variation_sigma": sigma, "dpi": if font % 3 == 0 { 600 } else { 300 },
                             "enable_writer_variation": font % 4 > 0, "writer_variation_strength": f64::from(font % 4) * 0.66});
        let scene = scene(&request, &catalogue);
        assert_eq!(scene.effects.field.is_some(), alpha > 0);
        for (index, instance) in scene.instances.iter().enumerate() {
            let letter = scene.letters.get(index);
            let bent = |[x, y, a, b]: Vertex| letter.map_or([x, y], |letter| letter.bend([x, y], [a, b]));
            let (width, height) = (f32::from(instance.width), f32::from(instance.tile_rows) * TILE as f32);
            for ends in scene.meshes[instance.mesh as usize].1.lines() {
                for [x, y] in places(instance, ends.map(bent)) {
                    let corner = [instance.left as f32, (instance.tile_row * TILE) as f32];
                    let [x, y] = displaced(&scene, [x + corner[0], y + corner[1]]);
                    let (in_box_x, in_box_y) = (x - corner[0], y - corner[1]);
                    assert!(
                        (0.0..width).contains(&in_box_x) && (0.0..height).contains(&in_box_y),
                        "{font}: {x}, {y} of {instance:?}"
                    );
                    let row = y as u32 / TILE;
                    let holds =
                        |strip: &Strip| strip.tile_row == row && (strip.x..strip.x + strip.width).contains(&(x as u32));
                    assert!(scene.strips.iter().any(holds), "{font}: {x} in tile row {row}");
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 100_000, "{seen}");
}
