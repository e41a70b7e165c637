//! Lengths, angles and resolutions as types, so that a pixel of the page is never taken for a pixel of the device.
//!
//! Every type is a newtype over `f64` with a private field; conversions are named for what they convert to.
//! y points down in page and device space and up in font space; this module has no direction, `geometry` has.

/// Pixels an inch at which every request states its lengths.
pub const BASELINE_DPI: f64 = 300.0;
/// Millimetres in an inch (exact by definition).
pub const MM_PER_INCH: f64 = 25.4;
/// Points in an inch: the default unit of PDF (ISO 32000-1, 8.3.2.3).
pub const PT_PER_INCH: f64 = 72.0;

/// A newtype over `f64` with its arithmetic.
macro_rules! quantity {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
        pub struct $name(f64);

        impl $name {
            /// Nothing.
            pub const ZERO: Self = Self(0.0);

            /// `value` of this unit.
            #[must_use]
            pub const fn new(value: f64) -> Self {
                Self(value)
            }

            /// The bare number.
            #[must_use]
            pub const fn get(self) -> f64 {
                self.0
            }

            /// The larger of two.
            #[must_use]
            pub const fn max(self, other: Self) -> Self {
                Self(self.0.max(other.0))
            }

            /// The smaller of two.
            #[must_use]
            pub const fn min(self, other: Self) -> Self {
                Self(self.0.min(other.0))
            }
        }

        impl std::ops::Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }
        }
        impl std::ops::AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                self.0 += other.0;
            }
        }
        impl std::ops::Sub for $name {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                Self(self.0 - other.0)
            }
        }
        impl std::ops::SubAssign for $name {
            fn sub_assign(&mut self, other: Self) {
                self.0 -= other.0;
            }
        }
        impl std::ops::Neg for $name {
            type Output = Self;
            fn neg(self) -> Self {
                Self(-self.0)
            }
        }
        impl std::ops::Mul<f64> for $name {
            type Output = Self;
            fn mul(self, factor: f64) -> Self {
                Self(self.0 * factor)
            }
        }
        impl std::ops::Div<f64> for $name {
            type Output = Self;
            fn div(self, divisor: f64) -> Self {
                Self(self.0 / divisor)
            }
        }
        impl std::ops::Div for $name {
            type Output = f64;
            fn div(self, divisor: Self) -> f64 {
                self.0 / divisor.0
            }
        }
        impl std::iter::Sum for $name {
            fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
                parts.fold(Self::ZERO, std::ops::Add::add)
            }
        }
    };
}
pub(crate) use quantity;

quantity! {
    /// A page length in pixels of the 300-DPI baseline, the unit of every request; y points down.
    Px
}
quantity! {
    /// A length in pixels of the picture that is rendered; y points down.
    DevicePx
}
quantity! {
    /// A length in millimetres.
    Mm
}
quantity! {
    /// A length in points, the unit of PDF; y points up.
    Pt
}
quantity! {
    /// A length in font design units; y points up.
    FontUnits
}
quantity! {
    /// An angle in degrees; positive turns clockwise on the page (y down).
    Degrees
}

impl Px {
    /// This page length on a device that draws `scale` device pixels for each baseline pixel.
    #[must_use]
    pub fn to_device(self, scale: DeviceScale) -> DevicePx {
        DevicePx(self.0 * scale.0)
    }

    /// This length in millimetres.
    #[must_use]
    pub fn to_mm(self) -> Mm {
        Mm(self.0 / BASELINE_DPI * MM_PER_INCH)
    }
}

impl Mm {
    /// A length in inches.
    #[must_use]
    pub const fn inches(length: f64) -> Self {
        Self(length * MM_PER_INCH)
    }

    /// This length in 300-DPI pixels, not rounded.
    #[must_use]
    pub fn to_px(self) -> Px {
        Px(self.0 / MM_PER_INCH * BASELINE_DPI)
    }

    /// This length in points.
    #[must_use]
    pub fn to_pt(self) -> Pt {
        Pt(self.0 * PT_PER_INCH / MM_PER_INCH)
    }
}

impl FontUnits {
    /// This font length at a font size: `em` is the size of one em and `units_per_em` the font's grid.
    #[must_use]
    pub fn to_px(self, em: Px, units_per_em: u16) -> Px {
        Px(self.0 * em.0 / f64::from(units_per_em))
    }
}

/// Device pixels per 300-DPI pixel: 1 at 300 DPI, 2 at 600, 1200 / page width for a preview. Always positive.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct DeviceScale(f64);

impl DeviceScale {
    /// The scale that makes `from` baseline pixels `to` device pixels. Both must be positive.
    #[must_use]
    pub fn fitting(from: Px, to: DevicePx) -> Self {
        Self(to.0 / from.0)
    }

    /// The bare factor.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }

    /// Device pixels a metre of the page, rounded as PNG's `pHYs` chunk wants it (PNG 3rd edition, 11.3.4.3).
    #[must_use]
    pub fn pixels_per_metre(self) -> u32 {
        (self.0 * BASELINE_DPI / MM_PER_INCH * 1000.0).round() as u32
    }
}

/// The two output resolutions of the service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dpi {
    /// 300 pixels an inch, the baseline of all request lengths.
    #[default]
    Dpi300,
    /// 600 pixels an inch: the same page, twice as fine.
    Dpi600,
}

impl Dpi {
    /// Pixels an inch.
    #[must_use]
    pub const fn get(self) -> u32 {
        match self {
            Self::Dpi300 => 300,
            Self::Dpi600 => 600,
        }
    }

    /// Device pixels per baseline pixel.
    #[must_use]
    pub fn scale(self) -> DeviceScale {
        DeviceScale(f64::from(self.get()) / BASELINE_DPI)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a4_width_in_mm_is_2480_px() {
        assert!((Mm::new(210.0).to_px().get() - 2_480.314_96).abs() < 1e-4);
    }

    #[test]
    fn an_eighth_of_an_inch_is_nine_points() {
        assert_eq!(Mm::new(3.175).to_pt(), Pt::new(9.0));
    }

    #[test]
    fn six_hundred_dpi_doubles_lengths() {
        assert_eq!(Px::new(240.0).to_device(Dpi::Dpi600.scale()), DevicePx::new(480.0));
    }

    #[test]
    fn pixels_per_metre_are_those_of_the_dpi() {
        assert_eq!(Dpi::Dpi300.scale().pixels_per_metre(), 11_811);
        assert_eq!(Dpi::Dpi600.scale().pixels_per_metre(), 23_622);
    }

    #[test]
    fn font_units_scale_by_the_em() {
        let advance = FontUnits::new(512.0).to_px(Px::new(60.0), 2048);
        assert_eq!(advance, Px::new(15.0));
    }
}
