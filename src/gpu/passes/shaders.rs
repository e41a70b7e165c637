//! The shaders of the passes, with their switches and bindings.

use super::shader::{Shader, Switch};
use super::slot::{Access, Slot};
use crate::gpu::page_records::Section;
use crate::scene::{AccumulatorFormat, Scene};

use Access::{DynamicUniform, Read, ReadWrite, Uniform};
use Section::{CornerRuns, InkLosses, InkRows, Instances, LandingStrips, Letters, Meshes, Strips, TileRows};
use Slot::Records;

/// A file of the shaders.
macro_rules! wgsl {
    ($name:literal) => {
        include_str!(concat!("../../../shaders/", $name, ".wgsl"))
    };
}

/// Most lanes of a workgroup.
const LANES: u32 = 64;

const BAND: (Access, Slot) = (DynamicUniform, Slot::Band);
const EFFECTS: (Access, Slot) = (Uniform, Records(Section::Effects));

/// What both kinds of `bend` are made of, before the field.
const BEND_PARTS: &[&str] =
    &[wgsl!("bend"), wgsl!("lines"), wgsl!("writer"), wgsl!("pen"), wgsl!("noise"), wgsl!("elastic")];

/// What both kinds of `bend` bind, before the field. With a field in storage these are eight storage buffers, the most
/// that every WebGPU device has.
const BEND_BINDINGS: &[(Access, Slot)] = &[
    BAND,
    (Read, Records(CornerRuns)),
    (Read, Records(Instances)),
    (Read, Records(Meshes)),
    (Read, Slot::Outlines),
    (Read, Records(Letters)),
    EFFECTS,
    (Read, Records(TileRows)),
    (ReadWrite, Slot::Accumulator),
];

/// Bends outlines by writer variation, by the pen and by the elastic field, and sums them as [`ACCUMULATE`] does. The
/// field, if there is one, is in storage.
pub(super) const BEND: Shader = Shader {
    name: "bend",
    parts: &[BEND_PARTS, &[wgsl!("field_in_storage")]],
    switches: &[ELASTIC, HALVES, PEN, WRITER],
    lanes: LANES,
    bindings: &[BEND_BINDINGS, &[(Read, Slot::Field)]],
};

/// As [`BEND`], with a field in uniforms.
pub(super) const BEND_WITH_UNIFORMS: Shader = Shader {
    parts: &[BEND_PARTS, &[wgsl!("field_in_uniforms")]],
    switches: &[HALVES, PEN, WRITER],
    bindings: &[
        BEND_BINDINGS,
        &[
            (Uniform, Slot::QuarterOfField(0)),
            (Uniform, Slot::QuarterOfField(1)),
            (Uniform, Slot::QuarterOfField(2)),
            (Uniform, Slot::QuarterOfField(3)),
        ],
    ],
    ..BEND
};

/// Signed areas of the boundaries of glyphs that keep their shape, summed into the strips' accumulators.
pub(super) const ACCUMULATE: Shader = Shader {
    name: "accumulate",
    parts: &[&[wgsl!("accumulate"), wgsl!("lines")]],
    switches: &[HALVES],
    lanes: LANES,
    bindings: &[&[
        BAND,
        (Read, Records(Instances)),
        (Read, Records(Meshes)),
        (Read, Slot::Outlines),
        (Read, Records(TileRows)),
        (ReadWrite, Slot::Accumulator),
    ]],
};

/// Prefix sums along the strips' lines, times the ink's opacity, packed to 8-bit coverage.
pub(super) const RESOLVE: Shader = Shader {
    name: "resolve",
    parts: &[&[wgsl!("resolve"), wgsl!("ink_flow"), wgsl!("tone"), wgsl!("noise")]],
    switches: &[GRAIN, HALVES, INK_FLOW, TONE],
    lanes: LANES,
    bindings: &[&[
        BAND,
        (Read, Records(Strips)),
        (Read, Slot::Accumulator),
        (ReadWrite, Slot::Resolved),
        EFFECTS,
        (Read, Records(InkRows)),
        (Read, Records(InkLosses)),
    ]],
};

/// Displaces drawn pixels by a field that is too grainy for outlines.
pub(super) const WARP: Shader = Shader {
    name: "warp",
    parts: &[&[wgsl!("warp"), wgsl!("elastic")]],
    switches: &[ALIGNED, WHOLE_PX, PAIRS],
    lanes: LANES,
    bindings: &[&[
        BAND,
        EFFECTS,
        (Read, Records(LandingStrips)),
        (Read, Slot::Field),
        (Read, Slot::Drawn),
        (ReadWrite, Slot::Finished),
    ]],
};

/// Clears the raster that `resolve` wrote for `warp`.
pub(super) const ERASE: Shader = Shader {
    name: "erase",
    parts: &[&[wgsl!("erase")]],
    switches: &[],
    lanes: LANES,
    bindings: &[&[BAND, EFFECTS, (Read, Records(Strips)), (ReadWrite, Slot::Drawn)]],
};

/// Drawn pixels are displaced, and their centres are lattice points of the field.
const ALIGNED: Switch =
    Switch { name: "ALIGNED", is_asked_by: |scene| scene.effects.warp.is_some() && has_step(scene, 1.0) };
/// Outlines are bent by the elastic field.
const ELASTIC: Switch = Switch { name: "ELASTIC", is_asked_by: |scene| scene.effects.bends_outlines() };
/// Drawn pixels are displaced.
const GRAIN: Switch = Switch { name: "GRAIN", is_asked_by: |scene| scene.effects.warp.is_some() };
/// The accumulator holds area and cover in the halves of a word.
const HALVES: Switch = Switch { name: "HALVES", is_asked_by: |scene| scene.accumulator == AccumulatorFormat::Halves };
/// The ink fades.
const INK_FLOW: Switch = Switch { name: "INK_FLOW", is_asked_by: |scene| scene.effects.ink.is_some() };
/// Drawn pixels are displaced by whole page px, each two device px wide.
const PAIRS: Switch = Switch { name: "PAIRS", is_asked_by: |scene| in_whole_px(scene) && has_step(scene, 0.5) };
/// A pen changes outlines.
const PEN: Switch = Switch { name: "PEN", is_asked_by: |scene| scene.effects.has_pen };
/// A pen shades its ink.
const TONE: Switch = Switch { name: "TONE", is_asked_by: |scene| scene.effects.has_tone };
/// Drawn pixels are displaced by whole page px.
const WHOLE_PX: Switch = Switch { name: "WHOLE_PX", is_asked_by: in_whole_px };
/// Outlines are bent as letters vary.
const WRITER: Switch = Switch { name: "WRITER", is_asked_by: |scene| !scene.letters.is_empty() };

fn in_whole_px(scene: &Scene) -> bool {
    scene.effects.warp.as_ref().is_some_and(|warp| warp.in_whole_px)
}

fn has_step(scene: &Scene, step: f32) -> bool {
    scene.effects.record.lattice_step.to_bits() == step.to_bits()
}
