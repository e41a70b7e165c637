//! The numbers of each pen, measured on scans of real writing except where noted.

use super::tone::Ink;
use crate::spec::PenKind;

/// A pen at strength 1. Lengths are in mm of paper.
#[derive(Debug, PartialEq)]
pub(super) struct Numbers {
    /// Width of the line, along the longer axis of the nib.
    pub(super) width_mm: f64,
    /// Thickness of the nib over its width, and the angle of its longer axis above the baseline in degrees.
    pub(super) nib: [f64; 2],
    /// How much wider a line from the upper left to the lower right is than the mean (logarithm): down strokes press.
    pub(super) direction: f64,
    /// Standard deviation of the logarithm of the width along the line, and its correlation length.
    pub(super) width_sd: f64,
    pub(super) width_length_mm: f64,
    /// How much narrower the line is at its free start and end: the mean as a share, negative for a blot, its standard
    /// deviation, and the length over which it falls to 1/e in mm.
    pub(super) start: [f64; 3],
    pub(super) end: [f64; 3],
    /// The ink, and the correlation length of its darkness.
    pub(super) ink: Ink,
    pub(super) tone_length_mm: f64,
}

const ROUND: [f64; 2] = [1.0, 0.0];

static BALLPOINT: Numbers = Numbers {
    width_mm: 0.38,
    nib: ROUND,
    direction: 0.14,
    width_sd: 0.11,
    width_length_mm: 1.2,
    start: [0.42, 0.45, 0.32],
    end: [0.25, 0.50, 0.30],
    ink: Ink::Fluid { depth: 2.1, deposit_sd: 0.22, grain: 0.105 },
    tone_length_mm: 1.0,
};

static GEL: Numbers = Numbers {
    width_mm: 0.48,
    nib: ROUND,
    direction: 0.02,
    width_sd: 0.05,
    width_length_mm: 0.9,
    start: [0.25, 0.30, 0.22],
    end: [0.00, 0.30, 0.35],
    ink: Ink::Fluid { depth: 3.4, deposit_sd: 0.22, grain: 0.02 },
    tone_length_mm: 0.8,
};

static FELT: Numbers = Numbers {
    width_mm: 0.62,
    nib: [0.72, 30.0],
    direction: 0.03,
    width_sd: 0.09,
    width_length_mm: 0.9,
    start: [0.15, 0.25, 0.30],
    end: [0.08, 0.30, 0.35],
    ink: Ink::Fluid { depth: 2.3, deposit_sd: 0.26, grain: 0.03 },
    tone_length_mm: 2.0,
};

static FOUNTAIN: Numbers = Numbers {
    width_mm: 0.42,
    nib: [0.72, 20.0],
    direction: 0.12,
    width_sd: 0.07,
    width_length_mm: 1.5,
    start: [0.15, 0.20, 0.30],
    end: [-0.02, 0.20, 0.35],
    ink: Ink::Fluid { depth: 1.7, deposit_sd: 0.22, grain: 0.045 },
    tone_length_mm: 3.0,
};

/// Estimated, not measured.
static BROAD: Numbers = Numbers {
    width_mm: 0.95,
    nib: [0.36, 35.0],
    direction: 0.02,
    width_sd: 0.04,
    width_length_mm: 2.0,
    start: [0.05, 0.08, 0.30],
    end: [0.03, 0.08, 0.30],
    ink: Ink::Fluid { depth: 1.9, deposit_sd: 0.20, grain: 0.035 },
    tone_length_mm: 4.0,
};

static PENCIL: Numbers = Numbers {
    width_mm: 0.46,
    nib: ROUND,
    direction: 0.10,
    width_sd: 0.08,
    width_length_mm: 1.0,
    start: [0.12, 0.25, 0.25],
    end: [0.18, 0.25, 0.30],
    ink: Ink::Graphite { most: 0.78, deposit_sd: 0.34, grain: 0.17 },
    tone_length_mm: 1.3,
};

impl Numbers {
    /// The numbers of a pen; those of a ballpoint for solid ink, which has none.
    pub(super) const fn of(kind: PenKind) -> &'static Self {
        match kind {
            PenKind::AsDesigned | PenKind::Ballpoint => &BALLPOINT,
            PenKind::Gel => &GEL,
            PenKind::Felt => &FELT,
            PenKind::Fountain => &FOUNTAIN,
            PenKind::Broad => &BROAD,
            PenKind::Pencil => &PENCIL,
        }
    }
}
