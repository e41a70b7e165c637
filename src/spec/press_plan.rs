//! How a PDF page is laid out and coloured: preset, standard, bleed, marks and condition resolved into one value.

use super::page::{PageFormat, PageSize};
use super::pdf_options::{CropBox, LayoutProfile, PdfOptions, Preset, PrintingCondition, Region, Standard, TextLayer};
use super::provider::ProviderRefusal;
use super::representation::Representation;
use crate::geometry::Size;
use crate::units::{MM_PER_INCH, Mm};

/// How a PDF is laid out and coloured, with every contradiction between options resolved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PressPlan {
    /// The printing service whose rules the file follows.
    pub preset: Preset,
    /// The finished page, exact: ISO sizes from millimetres, US sizes from inches.
    pub trim: Size<Mm>,
    /// The width of the bleed around the trim; 0 without bleed.
    pub bleed: Mm,
    /// Crop marks, if there are any.
    pub marks: Option<CropMarks>,
    /// The box that viewers show.
    pub crop_box: CropBox,
    /// The colours for print.
    pub colors: PdfColors,
    /// How the writing is to be carried; pages that outlines cannot show are images nevertheless.
    pub representation: Representation,
    /// Whether the file has its text beside the writing.
    pub text_layer: TextLayer,
    /// Options without effect.
    pub ignored: IgnoredOptions,
    /// The refusal to expect from the printing service of the preset.
    pub refusal: Option<ProviderRefusal>,
}

/// Crop marks in line with the edges of the trim, at all four corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CropMarks {
    /// From the trim to the nearer end of a mark; more than the bleed.
    pub gap: Mm,
    /// Length of a mark.
    pub length: Mm,
}

/// The kind of PDF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PdfColors {
    /// RGB.
    Rgb,
    /// PDF/X-1a:2001 for this printing condition.
    PdfX1a(PrintingCondition),
}

/// Options that others overruled.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct IgnoredOptions {
    /// A `standard` other than the default, because the preset allows only that.
    pub standard: Option<Standard>,
    /// A `bleed_mm` other than 0 on a page that is laid out without bleed.
    pub bleed: Option<Mm>,
    /// A `profile` other than the default, because the preset lays the page out.
    pub layout: Option<LayoutProfile>,
    /// `crop_box`, because the preset allows only the `MediaBox`.
    pub crop_box: Option<CropBox>,
}

/// Thickness of the lines of crop marks: 0.25 pt.
pub const MARK_WIDTH: Mm = Mm::new(0.25 * MM_PER_INCH / 72.0);

impl PressPlan {
    /// The plan for a page.
    pub(super) fn of(page: PageFormat, options: &PdfOptions) -> Self {
        let by_size = if page.size.is_metric() { Region::Eu } else { Region::Us };
        let region = options.region.unwrap_or(by_size);
        // What the preset allows.
        let standard = match options.preset {
            Preset::Generic => options.standard,
            Preset::Lob => Standard::PdfX1a,
            Preset::Click2mail => Standard::Pdf,
        };
        let layout = Layout::of(page.size, options, standard);
        let asked_bleed = options.bleed_mm.map(Mm::new);
        let bleed = match layout {
            Layout::AsIs => Mm::ZERO,
            Layout::Bleed | Layout::BleedAndMarks => asked_bleed.unwrap_or_else(|| region.bleed(options.preset)),
        };
        Self {
            preset: options.preset,
            trim: page.mm(),
            bleed,
            marks: region.marks(layout, bleed, standard),
            crop_box: if standard == Standard::Pdf { options.crop_box } else { CropBox::Media },
            colors: match standard {
                Standard::Pdf => PdfColors::Rgb,
                Standard::PdfX1a => PdfColors::PdfX1a(options.icc_profile.unwrap_or_else(|| region.condition())),
            },
            representation: options.writing,
            text_layer: options.text_layer,
            ignored: IgnoredOptions {
                standard: Some(options.standard).filter(|asked| ![standard, Standard::default()].contains(asked)),
                bleed: asked_bleed.filter(|asked| layout == Layout::AsIs && *asked > Mm::ZERO),
                layout: Some(options.profile).filter(|asked| {
                    let is_own = *asked != LayoutProfile::default();
                    is_own && options.preset != Preset::Generic && !layout.follows(*asked)
                }),
                crop_box: Some(options.crop_box).filter(|asked| {
                    options.preset != Preset::Generic && standard == Standard::PdfX1a && *asked != CropBox::Media
                }),
            },
            refusal: ProviderRefusal::of(options.preset, page, bleed),
        }
    }
}

/// The surroundings of the trim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    AsIs,
    Bleed,
    BleedAndMarks,
}

impl Layout {
    fn of(size: PageSize, options: &PdfOptions, standard: Standard) -> Self {
        let trimmed = size.is_trimmed();
        let wants_bleed = options.bleed_mm.is_some_and(|bleed| bleed > 0.0);
        let (surrounded, layout) = match (options.preset, standard) {
            (Preset::Lob | Preset::Click2mail, _) => (trimmed, Self::Bleed),
            (Preset::Generic, Standard::PdfX1a) => (trimmed || wants_bleed, Self::BleedAndMarks),
            (Preset::Generic, Standard::Pdf) => match options.profile {
                LayoutProfile::Document => (false, Self::AsIs),
                LayoutProfile::Press => (true, Self::BleedAndMarks),
                LayoutProfile::Auto => (trimmed, Self::BleedAndMarks),
            },
        };
        if surrounded { layout } else { Self::AsIs }
    }

    /// Whether it is what a profile asks for.
    fn follows(self, profile: LayoutProfile) -> bool {
        match profile {
            LayoutProfile::Auto => true,
            LayoutProfile::Document => self == Self::AsIs,
            LayoutProfile::Press => self == Self::BleedAndMarks,
        }
    }
}

impl Region {
    /// The default bleed.
    fn bleed(self, preset: Preset) -> Mm {
        match (self, preset) {
            (Self::Eu, _) => Mm::new(3.0),
            (Self::Us, Preset::Click2mail) => Mm::inches(0.25),
            (Self::Us, Preset::Generic | Preset::Lob) => Mm::inches(0.125),
        }
    }

    /// Marks keep a distance of a line's thickness from the bleed. PDF/X has marks only with bleed.
    fn marks(self, layout: Layout, bleed: Mm, standard: Standard) -> Option<CropMarks> {
        let wanted = layout == Layout::BleedAndMarks && (standard == Standard::Pdf || bleed > Mm::ZERO);
        let (least_gap, length) = match self {
            Self::Eu => (Mm::new(3.0), Mm::new(5.0)),
            Self::Us => (Mm::inches(0.125), Mm::inches(0.25)),
        };
        wanted.then(|| CropMarks { gap: least_gap.max(bleed + MARK_WIDTH), length })
    }

    /// The default printing condition.
    const fn condition(self) -> PrintingCondition {
        match self {
            Self::Us => PrintingCondition::Gracol2013,
            Self::Eu => PrintingCondition::PsoCoatedV3,
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::super::page::Orientation;
    use super::*;

    fn plan(size: PageSize, options: PdfOptions) -> PressPlan {
        PressPlan::of(PageFormat { size, orientation: Orientation::Portrait }, &options)
    }

    fn options(preset: Preset, standard: Standard, layout: LayoutProfile) -> PdfOptions {
        PdfOptions { preset, standard, profile: layout, ..PdfOptions::default() }
    }

    /// Row by row: bleed and marks of a US postcard, an ISO card and an A4 sheet.
    #[rstest]
    #[case::document(Preset::Generic, Standard::Pdf, LayoutProfile::Document, [(0.0, false), (0.0, false), (0.0, false)])]
    #[case::press(Preset::Generic, Standard::Pdf, LayoutProfile::Press, [(3.175, true), (3.0, true), (3.0, true)])]
    #[case::auto(Preset::Generic, Standard::Pdf, LayoutProfile::Auto, [(3.175, true), (3.0, true), (0.0, false)])]
    #[case::x1a(Preset::Generic, Standard::PdfX1a, LayoutProfile::Document,
        [(3.175, true), (3.0, true), (0.0, false)])]
    #[case::lob(Preset::Lob, Standard::Pdf, LayoutProfile::Press, [(3.175, false), (3.0, false), (0.0, false)])]
    #[case::click2mail(Preset::Click2mail, Standard::Pdf, LayoutProfile::Press, [(6.35, false), (3.0, false), (0.0, false)])]
    fn defaults_follow_the_table(
        #[case] preset: Preset,
        #[case] standard: Standard,
        #[case] layout: LayoutProfile,
        #[case] expected: [(f64, bool); 3],
    ) {
        for (size, (bleed, marks)) in
            [PageSize::PostcardUs, PageSize::Card96x135, PageSize::A4].into_iter().zip(expected)
        {
            let plan = plan(size, options(preset, standard, layout));
            assert!((plan.bleed.get() - bleed).abs() < 1e-9, "{size:?}: {plan:?}");
            assert_eq!(plan.marks.is_some(), marks, "{size:?}: {plan:?}");
        }
    }

    #[test]
    fn a_bleed_asked_for_makes_any_pdfx_page_a_press_page() {
        let asked = |bleed| PdfOptions {
            bleed_mm: Some(bleed),
            ..options(Preset::Generic, Standard::PdfX1a, LayoutProfile::Document)
        };
        let a4 = plan(PageSize::A4, asked(5.0));
        assert_eq!((a4.bleed, a4.marks.is_some(), a4.ignored.bleed), (Mm::new(5.0), true, None));
        for size in [PageSize::A4, PageSize::CardA2] {
            let none = plan(size, asked(0.0));
            assert_eq!((none.bleed, none.marks, none.ignored.bleed), (Mm::ZERO, None, None), "{size:?}");
        }
    }

    #[test]
    fn marks_start_outside_the_bleed_and_no_nearer_than_the_region_wants() {
        let marks = |region, bleed| {
            let asked = PdfOptions {
                region: Some(region),
                bleed_mm: Some(bleed),
                ..options(Preset::Generic, Standard::Pdf, LayoutProfile::Press)
            };
            plan(PageSize::A6, asked).marks.unwrap()
        };
        assert_eq!(marks(Region::Eu, 0.0), CropMarks { gap: Mm::new(3.0), length: Mm::new(5.0) });
        assert_eq!(marks(Region::Us, 0.0), CropMarks { gap: Mm::inches(0.125), length: Mm::inches(0.25) });
        assert_eq!(marks(Region::Eu, 20.0).gap, Mm::new(20.0) + MARK_WIDTH);
    }

    #[test]
    fn the_profile_goes_by_region_unless_it_is_named() {
        let condition = |size, region, icc_profile| {
            let asked = PdfOptions {
                icc_profile,
                region,
                ..options(Preset::Generic, Standard::PdfX1a, LayoutProfile::Document)
            };
            plan(size, asked).colors
        };
        let x1a = PdfColors::PdfX1a;
        assert_eq!(condition(PageSize::Letter, None, None), x1a(PrintingCondition::Gracol2013));
        assert_eq!(condition(PageSize::Dl, None, None), x1a(PrintingCondition::PsoCoatedV3));
        assert_eq!(condition(PageSize::Dl, Some(Region::Us), None), x1a(PrintingCondition::Gracol2013));
        assert_eq!(
            condition(PageSize::A4, Some(Region::Us), Some(PrintingCondition::IsoCoatedV2)),
            x1a(PrintingCondition::IsoCoatedV2)
        );
    }

    #[test]
    fn a_preset_overrules_a_standard_and_says_so_unless_it_is_the_default() {
        for (preset, asked, ignored) in [
            (Preset::Lob, Standard::Pdf, None),
            (Preset::Lob, Standard::PdfX1a, None),
            (Preset::Click2mail, Standard::PdfX1a, Some(Standard::PdfX1a)),
            (Preset::Click2mail, Standard::Pdf, None),
            (Preset::Generic, Standard::PdfX1a, None),
        ] {
            let plan = plan(PageSize::CardA2, options(preset, asked, LayoutProfile::Document));
            assert_eq!(plan.ignored.standard, ignored, "{preset:?} {asked:?}");
        }
    }

    #[test]
    fn lob_refuses_what_is_none_of_its_sheets() {
        let lob = |size, more: PdfOptions| plan(size, PdfOptions { preset: Preset::Lob, ..more }).refusal;
        let default = PdfOptions::default();
        for size in
            [PageSize::PostcardUs, PageSize::Postcard6x9, PageSize::Postcard6x11, PageSize::Letter, PageSize::Legal]
        {
            assert_eq!(lob(size, default), None, "{size:?}");
        }
        let wanted = Size { width: Mm::inches(4.25), height: Mm::inches(6.25) };
        for more in [
            PdfOptions { bleed_mm: Some(5.0), ..default },
            PdfOptions { region: Some(Region::Eu), ..default },
            PdfOptions { bleed_mm: Some(0.0), ..default },
        ] {
            let found = lob(PageSize::PostcardUs, more).and_then(|refusal| refusal.wanted).unwrap();
            let apart = (found.width - wanted.width).get().abs() + (found.height - wanted.height).get().abs();
            assert!(apart < 1e-9, "{more:?}: {found:?}");
        }
        let named = PdfOptions { region: Some(Region::Eu), bleed_mm: Some(3.175), ..default };
        assert_eq!(lob(PageSize::PostcardUs, named), None);
        for size in [PageSize::Card5x7, PageSize::A4, PageSize::CardA2, PageSize::HalfLetter, PageSize::Envelope10] {
            assert!(lob(size, default).is_some_and(|refusal| refusal.wanted.is_none()), "{size:?}");
        }
        assert_eq!(plan(PageSize::A4, default).refusal, None);
    }

    #[test]
    fn a_preset_says_which_profile_and_crop_box_it_ignores() {
        let ignored = |preset, profile, crop_box| {
            let asked = PdfOptions { preset, profile, crop_box, ..PdfOptions::default() };
            let ignored = plan(PageSize::PostcardUs, asked).ignored;
            (ignored.layout.is_some(), ignored.crop_box.is_some())
        };
        assert_eq!(ignored(Preset::Lob, LayoutProfile::Press, CropBox::Trim), (true, true));
        assert_eq!(ignored(Preset::Lob, LayoutProfile::Document, CropBox::Media), (false, false));
        assert_eq!(ignored(Preset::Click2mail, LayoutProfile::Press, CropBox::Trim), (true, false));
        assert_eq!(ignored(Preset::Lob, LayoutProfile::Press, CropBox::Media), (true, false));
        assert_eq!(ignored(Preset::Lob, LayoutProfile::Auto, CropBox::Media), (false, false));
        assert_eq!(ignored(Preset::Generic, LayoutProfile::Press, CropBox::Trim), (false, false));
    }
}
