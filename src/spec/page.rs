//! The page sizes of the interface, by name or free, and their exact measures.

use crate::geometry::Size;
use crate::named::named;
use crate::units::{BASELINE_DPI, MM_PER_INCH, Mm, Px};

/// The measures of a page. In `custom_page` each side is at least 25 mm, and both together fit A3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageMeasures {
    /// Width, of a fixed size in portrait.
    pub width: Mm,
    /// Height, of a fixed size in portrait.
    pub height: Mm,
    /// The unit in which the sides are defined.
    pub unit: PageUnit,
    /// Whether it is cut to size after printing.
    pub trimmed: bool,
}

impl PageMeasures {
    /// The measures of a page whose sides are in `unit`.
    pub(super) const fn new(width: f64, height: f64, unit: PageUnit, trimmed: bool) -> Self {
        let mm = unit.mm();
        Self { width: Mm::new(width * mm), height: Mm::new(height * mm), unit, trimmed }
    }
}

impl PageUnit {
    /// Its length in mm.
    pub(super) const fn mm(self) -> f64 {
        match self {
            Self::Mm => 1.0,
            Self::In => MM_PER_INCH,
            Self::Px => MM_PER_INCH / BASELINE_DPI,
        }
    }
}

/// `page_size` as in the request: a fixed size, or `None` for the one that `custom_page` gives.
pub(super) type WantedPage = Option<PageSize>;

/// `page_size` of a page whose sides `custom_page` gives.
const CUSTOM: &str = "custom";
/// A page that is cut to size after printing.
const TRIMMED: bool = true;
/// A page that is printed on a sheet of its size.
const WHOLE: bool = false;

/// Makes [`PageSize`], its names and its measures from one row for each fixed size. The aliases of a group follow it, as
/// names are listed in the order of the contract.
macro_rules! page_sizes {
    ($({
        $($(#[$mark:meta])? $size:ident $name:literal $width:literal x $height:literal $unit:ident $trimmed:ident;)+
    } $(aliases { $($alias:literal $of:ident;)+ })?)+) => {
        /// A page size of the contract.
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub enum PageSize {
            $($(
                #[doc = concat!("`", $name, "`: ", $width, " × ", $height, " ", stringify!($unit), ".")]
                $(#[$mark])?
                $size,
            )+)+
            /// `custom`: the sides of `custom_page`.
            Custom(PageMeasures),
        }

        /// Every accepted `page_size`, in the order of the contract.
        pub(super) const NAMES: &[(&str, WantedPage)] = &[
            $($(($name, Some(PageSize::$size)),)+ $($(($alias, Some(PageSize::$of)),)+)?)+
            (CUSTOM, None),
        ];

        impl PageSize {
            /// Its measures in portrait; those of a custom page as given.
            const fn measures(self) -> PageMeasures {
                match self {
                    $($(Self::$size => PageMeasures::new($width, $height, PageUnit::$unit, $trimmed),)+)+
                    Self::Custom(measures) => measures,
                }
            }
        }
    };
}

page_sizes! {
    {
        // ISO 216.
        A3              "a3"               297.0 x 420.0   Mm WHOLE;
        #[default]
        A4              "a4"               210.0 x 297.0   Mm WHOLE;
        A5              "a5"               148.0 x 210.0   Mm WHOLE;
        A6              "a6"               105.0 x 148.0   Mm WHOLE;
    } aliases {
        "A3" A3;
        "A4" A4;
        "A5" A5;
        "A6" A6;
    }
    {
        Letter          "letter"             8.5 x 11.0    In WHOLE;
        Legal           "legal"              8.5 x 14.0    In WHOLE;
        HalfLetter      "half_letter"        5.5 x 8.5     In WHOLE;
        PostcardUs      "postcard_us"        4.0 x 6.0     In TRIMMED;
        Card5x7         "card_5x7"           5.0 x 7.0     In TRIMMED;
        CardA2          "card_a2"           4.25 x 5.5     In TRIMMED;
        Square5x5       "square_5x5"         5.0 x 5.0     In TRIMMED;
        Card96x135      "card_96x135"       96.0 x 135.0   Mm TRIMMED;
        Dl              "dl"                99.0 x 210.0   Mm WHOLE;
        Envelope10      "envelope_10"      4.125 x 9.5     In WHOLE;
        EnvelopeMonarch "envelope_monarch" 3.875 x 7.5     In WHOLE;
        Postcard6x9     "postcard_6x9"       6.0 x 9.0     In TRIMMED;
        Postcard6x11    "postcard_6x11"      6.0 x 11.0    In TRIMMED;
        Postcard425x6   "postcard_425x6"    4.25 x 6.0     In TRIMMED;
        Envelope9       "envelope_9"       3.875 x 8.875   In WHOLE;
        EnvelopeA2      "envelope_a2"      4.375 x 5.75    In WHOLE;
        EnvelopeA6      "envelope_a6"       4.75 x 6.5     In WHOLE;
        EnvelopeA7      "envelope_a7"       5.25 x 7.25    In WHOLE;
        // ISO 269, and C6/C5 of DIN 678-1.
        EnvelopeDl      "envelope_dl"      110.0 x 220.0   Mm WHOLE;
        EnvelopeC5      "envelope_c5"      162.0 x 229.0   Mm WHOLE;
        EnvelopeC6      "envelope_c6"      114.0 x 162.0   Mm WHOLE;
        EnvelopeC6C5    "envelope_c6c5"    114.0 x 229.0   Mm WHOLE;
    }
}

impl PageSize {
    /// All names of fixed sizes that a request may use, aliases included.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().filter(|(_, size)| size.is_some()).map(|(name, _)| *name)
    }

    /// The fixed size called `name` in requests, exactly as spelled in the contract.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        NAMES.iter().find(|(known, _)| *known == name).and_then(|(_, size)| *size)
    }

    /// The lower-case name, as used in file names.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, size)| *size == Some(self)).map_or(CUSTOM, |(name, _)| name)
    }

    /// The exact portrait size, or a custom size as given. ISO sizes are defined in millimetres, US sizes in inches.
    #[must_use]
    pub const fn portrait_mm(self) -> Size<Mm> {
        let PageMeasures { width, height, .. } = self.measures();
        Size { width, height }
    }

    /// Whether it is cut to size after printing, so that a press page of it has bleed.
    #[must_use]
    pub const fn is_trimmed(self) -> bool {
        self.measures().trimmed
    }

    /// Whether it is defined in millimetres, like paper outside the US.
    #[must_use]
    pub const fn is_metric(self) -> bool {
        matches!(self.measures().unit, PageUnit::Mm)
    }
}

/// A page size with an orientation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PageFormat {
    /// The sheet.
    pub size: PageSize,
    /// The orientation.
    pub orientation: Orientation,
}

impl PageFormat {
    /// The page in whole 300-DPI pixels, the contract's pixel table; 600 DPI doubles it.
    #[must_use]
    pub fn px(self) -> Size<Px> {
        let Size { width, height } = self.mm();
        Size { width: whole_px(width), height: whole_px(height) }
    }

    /// The exact size of the page.
    #[must_use]
    pub fn mm(self) -> Size<Mm> {
        let Size { width, height } = self.size.portrait_mm();
        match self.orientation {
            Orientation::Portrait => Size { width, height },
            Orientation::Landscape => Size { width: width.max(height), height: width.min(height) },
        }
    }
}

/// Rounds half up, after removing the noise of the inch conversion (1237.5 px must become 1238).
fn whole_px(length: Mm) -> Px {
    Px::new((length.to_px().get() + 1e-6).round())
}

named! {
    /// `custom_page.unit`.
    #[derive(Default)]
    pub enum PageUnit {
        /// Millimetres.
        #[default]
        Mm = "mm",
        /// Inches.
        In = "in",
        /// Pixels at 300 DPI.
        Px = "px",
    }

    /// The orientation of the page.
    #[derive(Default)]
    pub enum Orientation {
        /// As in the table: the long side is vertical. A custom page is as given.
        #[default]
        Portrait = "portrait",
        /// The long side is horizontal.
        Landscape = "landscape",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Portrait sizes in px at 300 DPI, as in the interface.
    const CONTRACT: [(&str, f64, f64); 30] = [
        ("a3", 3508.0, 4961.0),
        ("a4", 2480.0, 3508.0),
        ("a5", 1748.0, 2480.0),
        ("a6", 1240.0, 1748.0),
        ("A3", 3508.0, 4961.0),
        ("A4", 2480.0, 3508.0),
        ("A5", 1748.0, 2480.0),
        ("A6", 1240.0, 1748.0),
        ("letter", 2550.0, 3300.0),
        ("legal", 2550.0, 4200.0),
        ("half_letter", 1650.0, 2550.0),
        ("postcard_us", 1200.0, 1800.0),
        ("card_5x7", 1500.0, 2100.0),
        ("card_a2", 1275.0, 1650.0),
        ("square_5x5", 1500.0, 1500.0),
        ("card_96x135", 1134.0, 1594.0),
        ("dl", 1169.0, 2480.0),
        ("envelope_10", 1238.0, 2850.0),
        ("envelope_monarch", 1163.0, 2250.0),
        ("postcard_6x9", 1800.0, 2700.0),
        ("postcard_6x11", 1800.0, 3300.0),
        ("postcard_425x6", 1275.0, 1800.0),
        ("envelope_9", 1163.0, 2663.0),
        ("envelope_a2", 1313.0, 1725.0),
        ("envelope_a6", 1425.0, 1950.0),
        ("envelope_a7", 1575.0, 2175.0),
        ("envelope_dl", 1299.0, 2598.0),
        ("envelope_c5", 1913.0, 2705.0),
        ("envelope_c6", 1346.0, 1913.0),
        ("envelope_c6c5", 1346.0, 2705.0),
    ];

    #[test]
    fn every_name_of_the_contract_has_its_pixel_size() {
        for (name, width, height) in CONTRACT {
            let size = PageSize::from_name(name).unwrap();
            let portrait = PageFormat { size, orientation: Orientation::Portrait }.px();
            assert_eq!((portrait.width.get(), portrait.height.get()), (width, height), "{name}");
            let landscape = PageFormat { size, orientation: Orientation::Landscape }.px();
            assert_eq!((landscape.width.get(), landscape.height.get()), (height, width), "{name}");
            assert_eq!(size.name(), name.to_lowercase());
        }
        assert_eq!(PageSize::names().count(), CONTRACT.len());
    }

    #[test]
    fn other_spellings_are_unknown() {
        for name in ["", "A7", "Letter", "a4 ", "DL"] {
            assert_eq!(PageSize::from_name(name), None, "{name:?}");
        }
    }
}
