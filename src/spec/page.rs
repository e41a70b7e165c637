//! The page sizes of the interface, by name or free, and their exact measures.

use crate::geometry::Size;
use crate::units::{MM_PER_INCH, Mm, Px};

/// A page size of the contract. Upper-case ISO names are aliases of the lower-case ones.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum PageSize {
    /// ISO A3, 297 × 420 mm.
    A3,
    /// ISO A4, 210 × 297 mm.
    #[default]
    A4,
    /// ISO A5, 148 × 210 mm.
    A5,
    /// ISO A6, 105 × 148 mm.
    A6,
    /// US letter, 8.5 × 11 in.
    Letter,
    /// US legal, 8.5 × 14 in.
    Legal,
    /// US half letter, 5.5 × 8.5 in.
    HalfLetter,
    /// US postcard, 4 × 6 in.
    PostcardUs,
    /// Card, 5 × 7 in.
    Card5x7,
    /// A2 card, 4.25 × 5.5 in.
    CardA2,
    /// Square card, 5 × 5 in.
    Square5x5,
    /// Card, 96 × 135 mm.
    Card96x135,
    /// DL, 99 × 210 mm.
    Dl,
    /// No. 10 envelope, 4.125 × 9.5 in.
    Envelope10,
    /// Monarch envelope, 3.875 × 7.5 in.
    EnvelopeMonarch,
    /// Postcard, 6 × 9 in.
    Postcard6x9,
    /// Postcard, 6 × 11 in.
    Postcard6x11,
    /// Postcard, 4.25 × 6 in.
    Postcard425x6,
    /// No. 9 envelope, 3.875 × 8.875 in.
    Envelope9,
    /// A2 envelope, 4.375 × 5.75 in.
    EnvelopeA2,
    /// A6 envelope, 4.75 × 6.5 in.
    EnvelopeA6,
    /// A7 envelope, 5.25 × 7.25 in.
    EnvelopeA7,
    /// DL envelope (ISO 269), 110 × 220 mm.
    EnvelopeDl,
    /// C5 envelope (ISO 269), 162 × 229 mm.
    EnvelopeC5,
    /// C6 envelope (ISO 269), 114 × 162 mm.
    EnvelopeC6,
    /// C6/C5 envelope (DIN 678-1), 114 × 229 mm.
    EnvelopeC6C5,
    /// `custom`: the sides of `custom_page`.
    Custom(CustomPage),
}

/// `custom_page`: a page of any size. Each side is at least 25 mm, and both together fit A3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CustomPage {
    /// Width as given.
    pub width: Mm,
    /// Height as given.
    pub height: Mm,
    /// The unit of the sides in the request.
    pub unit: PageUnit,
    /// Whether it is cut to size after printing.
    pub trimmed: bool,
}

/// `custom_page.unit`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PageUnit {
    /// Millimetres.
    #[default]
    Mm,
    /// Inches.
    In,
    /// Pixels at 300 DPI.
    Px,
}

/// `page_size` as in the request: a fixed size, or `None` for the one that `custom_page` gives.
pub(super) type WantedPage = Option<PageSize>;

/// `page_size` of a page whose sides `custom_page` gives.
const CUSTOM: &str = "custom";

/// Every accepted `page_size`, in the order of the contract.
pub(super) const NAMES: [(&str, WantedPage); 31] = [
    ("a3", Some(PageSize::A3)),
    ("a4", Some(PageSize::A4)),
    ("a5", Some(PageSize::A5)),
    ("a6", Some(PageSize::A6)),
    ("A3", Some(PageSize::A3)),
    ("A4", Some(PageSize::A4)),
    ("A5", Some(PageSize::A5)),
    ("A6", Some(PageSize::A6)),
    ("letter", Some(PageSize::Letter)),
    ("legal", Some(PageSize::Legal)),
    ("half_letter", Some(PageSize::HalfLetter)),
    ("postcard_us", Some(PageSize::PostcardUs)),
    ("card_5x7", Some(PageSize::Card5x7)),
    ("card_a2", Some(PageSize::CardA2)),
    ("square_5x5", Some(PageSize::Square5x5)),
    ("card_96x135", Some(PageSize::Card96x135)),
    ("dl", Some(PageSize::Dl)),
    ("envelope_10", Some(PageSize::Envelope10)),
    ("envelope_monarch", Some(PageSize::EnvelopeMonarch)),
    ("postcard_6x9", Some(PageSize::Postcard6x9)),
    ("postcard_6x11", Some(PageSize::Postcard6x11)),
    ("postcard_425x6", Some(PageSize::Postcard425x6)),
    ("envelope_9", Some(PageSize::Envelope9)),
    ("envelope_a2", Some(PageSize::EnvelopeA2)),
    ("envelope_a6", Some(PageSize::EnvelopeA6)),
    ("envelope_a7", Some(PageSize::EnvelopeA7)),
    ("envelope_dl", Some(PageSize::EnvelopeDl)),
    ("envelope_c5", Some(PageSize::EnvelopeC5)),
    ("envelope_c6", Some(PageSize::EnvelopeC6)),
    ("envelope_c6c5", Some(PageSize::EnvelopeC6C5)),
    (CUSTOM, None),
];

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
    pub fn portrait_mm(self) -> Size<Mm> {
        let mm = |width, height| Size { width: Mm::new(width), height: Mm::new(height) };
        let inches = |width: f64, height: f64| mm(width * MM_PER_INCH, height * MM_PER_INCH);
        match self {
            Self::A3 => mm(297.0, 420.0),
            Self::A4 => mm(210.0, 297.0),
            Self::A5 => mm(148.0, 210.0),
            Self::A6 => mm(105.0, 148.0),
            Self::Letter => inches(8.5, 11.0),
            Self::Legal => inches(8.5, 14.0),
            Self::HalfLetter => inches(5.5, 8.5),
            Self::PostcardUs => inches(4.0, 6.0),
            Self::Card5x7 => inches(5.0, 7.0),
            Self::CardA2 => inches(4.25, 5.5),
            Self::Square5x5 => inches(5.0, 5.0),
            Self::Card96x135 => mm(96.0, 135.0),
            Self::Dl => mm(99.0, 210.0),
            Self::Envelope10 => inches(4.125, 9.5),
            Self::EnvelopeMonarch => inches(3.875, 7.5),
            Self::Postcard6x9 => inches(6.0, 9.0),
            Self::Postcard6x11 => inches(6.0, 11.0),
            Self::Postcard425x6 => inches(4.25, 6.0),
            Self::Envelope9 => inches(3.875, 8.875),
            Self::EnvelopeA2 => inches(4.375, 5.75),
            Self::EnvelopeA6 => inches(4.75, 6.5),
            Self::EnvelopeA7 => inches(5.25, 7.25),
            Self::EnvelopeDl => mm(110.0, 220.0),
            Self::EnvelopeC5 => mm(162.0, 229.0),
            Self::EnvelopeC6 => mm(114.0, 162.0),
            Self::EnvelopeC6C5 => mm(114.0, 229.0),
            Self::Custom(CustomPage { width, height, .. }) => Size { width, height },
        }
    }
}

impl PageSize {
    /// Whether it is cut to size after printing, so that a press page of it has bleed.
    #[must_use]
    pub const fn is_trimmed(self) -> bool {
        match self {
            Self::PostcardUs
            | Self::Postcard6x9
            | Self::Postcard6x11
            | Self::Postcard425x6
            | Self::Card5x7
            | Self::CardA2
            | Self::Square5x5
            | Self::Card96x135 => true,
            Self::Custom(page) => page.trimmed,
            _ => false,
        }
    }

    /// Whether it is defined in millimetres, like paper outside the US.
    #[must_use]
    pub const fn is_metric(self) -> bool {
        match self {
            Self::A3
            | Self::A4
            | Self::A5
            | Self::A6
            | Self::Dl
            | Self::Card96x135
            | Self::EnvelopeDl
            | Self::EnvelopeC5
            | Self::EnvelopeC6
            | Self::EnvelopeC6C5 => true,
            Self::Custom(page) => matches!(page.unit, PageUnit::Mm),
            _ => false,
        }
    }
}

/// The orientation of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Orientation {
    /// As in the table: the long side is vertical. A custom page is as given.
    #[default]
    Portrait,
    /// The long side is horizontal.
    Landscape,
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
