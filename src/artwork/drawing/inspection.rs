//! Reads the content of a form with all that it paints: which fonts it needs, whether PDF/X-1a may have it, and the
//! resolution of its pictures.

use std::collections::HashMap;

use lopdf::content::Content;
use lopdf::{Dictionary, Document, Object, Stream};

use super::super::error::ArtworkError;
use super::contents;
use super::print_rules::{MOST_INK, PrintRules};
use super::resolution::{Resolution, matrix_of};

/// The most bytes of content that are read: longer content is not for PDF/X-1a.
const MOST_CONTENT: usize = 8 << 20;
/// The most forms and patterns within one another.
const MOST_NESTED_FORMS: usize = 24;
/// Operators that neither colour nor name anything (ISO 32000-1, annex A).
const PLAIN: [&str; 53] = [
    "b", "B", "b*", "B*", "BMC", "BDC", "BT", "c", "cm", "d", "d0", "DP", "EMC", "ET", "f", "F", "f*", "g", "G", "h",
    "i", "j", "J", "l", "m", "M", "MP", "n", "q", "Q", "re", "ri", "s", "S", "T*", "Tc", "Td", "TD", "Tj", "TJ", "TL",
    "Tm", "Tr", "Ts", "Tw", "Tz", "v", "w", "W", "W*", "y", "'", "\"",
];

/// What content says of a drawing.
pub(super) struct Inspected {
    /// Whether PDF/X-1a may have it as it is.
    pub(super) is_printable: bool,
    /// The least resolution of its pictures, in px per point; infinite without one, or if its content is too long.
    pub(super) least_resolution: f64,
}

/// Inspects a form whose resources are in the document.
///
/// # Errors
/// A font that it selects is not in the document, or a form shows itself.
pub(super) fn inspect(document: &Document, form: &Stream) -> Result<Inspected, ArtworkError> {
    let none = &Dictionary::new();
    let resources = form.dict.get_deref(b"Resources", document).and_then(Object::as_dict).unwrap_or(none);
    // The file has all of them, painted or not.
    let rules = PrintRules(document);
    let is_printable = rules.members(resources) && document.objects.values().all(|object| rules.whole(object));
    let mut inspection = Inspection { document, none, streams: HashMap::new(), is_printable };
    let own = inspection.read(&form.content, resources, 0)?;
    let mut resolution = Resolution::new();
    resolution.form(matrix_of(document, &form.dict), own);
    Ok(Inspected { is_printable: inspection.is_printable, least_resolution: resolution.least() })
}

/// What was read so far.
struct Inspection<'a> {
    document: &'a Document,
    /// The resources of what has none.
    none: &'a Dictionary,
    /// The least resolution of the streams whose content is read, by their places in memory; `None` for those that are
    /// not read to their end.
    streams: HashMap<*const Stream, Option<f64>>,
    is_printable: bool,
}

impl<'a> Inspection<'a> {
    /// Reads content that has these resources, and tells the least resolution of its pictures in px per unit.
    fn read(&mut self, content: &[u8], resources: &'a Dictionary, depth: usize) -> Result<f64, ArtworkError> {
        let is_short = content.len() <= MOST_CONTENT && depth < MOST_NESTED_FORMS;
        let Some(content) = is_short.then(|| Content::decode_strict(content).ok()).flatten() else {
            self.is_printable = false;
            self.all_fonts(resources)?;
            return Ok(f64::INFINITY);
        };
        let mut resolution = Resolution::new();
        for operation in &content.operations {
            let operands = &operation.operands;
            let name = operands.first().and_then(|operand| operand.as_name().ok());
            let named = |kind: &[u8]| self.named(resources, kind, name?);
            match operation.operator.as_str() {
                "Tf" => self.font(named(b"Font"))?,
                "Do" => self.x_object(named(b"XObject"), &mut resolution, depth)?,
                "gs" => self.state(named(b"ExtGState"), &mut resolution, depth)?,
                "sh" => self.allow_if(named(b"Shading").is_some_and(|shading| self.rules().shading(shading))),
                "cs" | "CS" => self.space(name, named(b"ColorSpace")),
                "k" | "K" => self.allow_if(operands.len() == 4 && ink(operands) <= MOST_INK),
                "scn" | "SCN" if name.is_some() => self.pattern(named(b"Pattern"), &mut resolution, depth)?,
                "sc" | "SC" | "scn" | "SCN" => {
                    let is_one_color = operands.len() == 1 || operands.len() == 4;
                    // A pattern that is painted in a colour is not measured.
                    self.allow_if(is_one_color && operands.iter().all(is_number) && ink(operands) <= MOST_INK);
                }
                "BI" => {
                    self.allow_if(false);
                    if let Some(Object::Stream(picture)) = operands.first() {
                        resolution.picture(self.document, &picture.dict);
                    }
                }
                operator => {
                    self.allow_if(PLAIN.contains(&operator));
                    resolution.follow(operator, operands);
                }
            }
        }
        Ok(resolution.least())
    }

    const fn rules(&self) -> PrintRules<'a> {
        PrintRules(self.document)
    }

    fn allow_if(&mut self, is_allowed: bool) {
        self.is_printable &= is_allowed;
    }

    /// A named resource.
    fn named(&self, resources: &'a Dictionary, kind: &[u8], name: &[u8]) -> Option<&'a Object> {
        let of_kind = resources.get_deref(kind, self.document).and_then(Object::as_dict).ok()?;
        of_kind.get_deref(name, self.document).ok()
    }

    /// Reads the content of a form or pattern, once, and tells its least resolution.
    fn stream(&mut self, stream: &'a Stream, depth: usize) -> Result<f64, ArtworkError> {
        match self.streams.get(&std::ptr::from_ref(stream)) {
            Some(Some(least)) => return Ok(*least),
            Some(None) => return Err(ArtworkError::Broken("a form shows itself".to_owned())),
            None => self.streams.insert(stream, None),
        };
        let own = stream.dict.get_deref(b"Resources", self.document).and_then(Object::as_dict).ok();
        let content = contents::of_stream(stream)?;
        let least = self.read(&content, own.unwrap_or(self.none), depth + 1)?;
        self.streams.insert(stream, Some(least));
        Ok(least)
    }

    fn x_object(
        &mut self,
        object: Option<&'a Object>,
        resolution: &mut Resolution,
        depth: usize,
    ) -> Result<(), ArtworkError> {
        // What is not there is not painted.
        let Some(Object::Stream(stream)) = object else { return Ok(()) };
        match stream.dict.get(b"Subtype").and_then(Object::as_name) {
            Ok(b"Form") => {
                self.allow_if(!stream.dict.has(b"Group"));
                resolution.form(matrix_of(self.document, &stream.dict), self.stream(stream, depth)?);
            }
            Ok(b"Image") => {
                self.allow_if(self.rules().image(stream));
                resolution.picture(self.document, &stream.dict);
            }
            _ => self.allow_if(false),
        }
        Ok(())
    }

    /// A graphics state. The form of a soft mask may have fonts.
    fn state(
        &mut self,
        state: Option<&'a Object>,
        resolution: &mut Resolution,
        depth: usize,
    ) -> Result<(), ArtworkError> {
        let Some(Object::Dictionary(state)) = state else { return Ok(()) };
        self.allow_if(self.rules().state(state));
        let mask = state.get_deref(b"SMask", self.document).and_then(Object::as_dict);
        match mask.and_then(|mask| mask.get_deref(b"G", self.document)) {
            Ok(Object::Stream(form)) => {
                resolution.form(matrix_of(self.document, &form.dict), self.stream(form, depth)?);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn space(&mut self, name: Option<&[u8]>, named: Option<&'a Object>) {
        let is_allowed = match named {
            Some(space) => self.rules().space(space, 0),
            None => matches!(name, Some(b"DeviceGray" | b"DeviceCMYK" | b"Pattern")),
        };
        self.allow_if(is_allowed);
    }

    fn pattern(
        &mut self,
        pattern: Option<&'a Object>,
        resolution: &mut Resolution,
        depth: usize,
    ) -> Result<(), ArtworkError> {
        match pattern {
            Some(Object::Stream(tiles)) => {
                resolution.tiles(matrix_of(self.document, &tiles.dict), self.stream(tiles, depth)?);
                Ok(())
            }
            Some(Object::Dictionary(shading)) => {
                let is_plain = !shading.has(b"ExtGState");
                let shading = shading.get_deref(b"Shading", self.document);
                self.allow_if(is_plain && shading.is_ok_and(|shading| self.rules().shading(shading)));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// A font that is selected. The glyphs of one of type 3 are content themselves.
    fn font(&mut self, font: Option<&'a Object>) -> Result<(), ArtworkError> {
        let Some(Object::Dictionary(font)) = font else { return Ok(()) };
        let entry = |of: &'a Dictionary, name: &[u8]| of.get_deref(name, self.document).ok();
        let kind = entry(font, b"Subtype").and_then(|kind| kind.as_name().ok());
        if kind == Some(b"Type3") {
            self.allow_if(false);
            return Ok(());
        }
        let descendant = || {
            let all = entry(font, b"DescendantFonts")?.as_array().ok()?;
            self.document.dereference(all.first()?).ok()?.1.as_dict().ok()
        };
        let described = if kind == Some(b"Type0") { descendant().unwrap_or(font) } else { font };
        let descriptor = entry(described, b"FontDescriptor").and_then(|found| found.as_dict().ok());
        let program = descriptor.and_then(|found| {
            [b"FontFile".as_slice(), b"FontFile2", b"FontFile3"].iter().find_map(|name| entry(found, name))
        });
        let Some(Object::Stream(program)) = program else {
            let name = entry(font, b"BaseFont").and_then(|name| name.as_name().ok()).unwrap_or_default();
            return Err(ArtworkError::FontMissing(String::from_utf8_lossy(name).into_owned()));
        };
        // OpenType is newer than PDF 1.3 (9.9, table 126).
        let is_open_type = program.dict.get(b"Subtype").and_then(Object::as_name).is_ok_and(|name| name == b"OpenType");
        self.allow_if(!is_open_type);
        Ok(())
    }

    /// All fonts of resources, where the content does not tell which it selects.
    fn all_fonts(&mut self, resources: &'a Dictionary) -> Result<(), ArtworkError> {
        let Ok(fonts) = resources.get_deref(b"Font", self.document).and_then(Object::as_dict) else { return Ok(()) };
        for (_, font) in fonts {
            self.font(self.document.dereference(font).ok().map(|(_, font)| font))?;
        }
        Ok(())
    }
}

/// The sum of amounts of ink.
fn ink(operands: &[Object]) -> f32 {
    operands.iter().filter_map(|operand| operand.as_float().ok()).map(|amount| amount.max(0.0)).sum()
}

fn is_number(operand: &Object) -> bool {
    operand.as_float().is_ok()
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{Pdf, stream};
    use super::super::one_page::OnePage;
    use super::*;

    fn is_printable(content: &str, resources: &str, objects: &[&str]) -> bool {
        OnePage::of(&Pdf { content, resources, objects, ..Pdf::default() }.file(), 1.0).unwrap().is_printable
    }

    #[test]
    fn a_font_that_is_selected_has_to_be_there() {
        let font = "/Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>";
        let shown = Pdf { content: "BT /F1 9 Tf (a) Tj ET", resources: font, ..Pdf::default() };
        assert_eq!(OnePage::of(&shown.file(), 1.0).unwrap_err(), ArtworkError::FontMissing("Helvetica".to_owned()));
        assert!(is_printable("0 g", font, &[]), "programs name fonts that they do not use");
        let form = stream(&format!("/Subtype/Form/BBox[0 0 9 9]/Resources<<{font}>>"), "BT /F1 9 Tf (a) Tj ET");
        let inner = Pdf { content: "/Fm Do", resources: "/XObject<</Fm 6 0 R>>", objects: &[&form], ..Pdf::default() };
        assert!(OnePage::of(&inner.file(), 1.0).is_err());
    }

    #[test]
    fn colours_of_ink_are_printable_and_others_are_not() {
        let tint = "<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 1 0 0]/N 1>>";
        let ink = format!(
            "/Spot[/Separation/Gold/DeviceCMYK {tint}]/Every[/Separation/All/DeviceCMYK {tint}]\
             /Few[/Indexed/DeviceCMYK 1<00000000ff00ff00>]/Dark[/Indexed/DeviceCMYK 0<ffffffff>]/Tiles[/Pattern/DeviceCMYK]"
        );
        let spaces = format!("/ColorSpace<<{ink}>>");
        for other in [
            format!("/ColorSpace<<{ink}/Web[/Separation/Gold/DeviceRGB {tint}]>>"),
            format!("/ColorSpace<<{ink}/Cal[/CalRGB<<>>]>>"),
            format!("/ColorSpace<<{ink}/Two[/DeviceN[/Gold/Cyan]/DeviceCMYK {tint}]>>"),
            format!("/ColorSpace<<{ink}/DefaultCMYK[/ICCBased 6 0 R]>>"),
            format!("{spaces}/ExtGState<</G<</ca 0.5>>>>"),
            format!("{spaces}/XObject<</Lzw 7 0 R>>"),
        ] {
            let objects =
                [&stream("/N 4", ""), &stream("/Subtype/Form/BBox[0 0 9 9]/Resources<<>>/Filter/LZWDecode", "")];
            let objects = objects.map(String::as_str);
            assert!(is_printable("0 0 0 1 k 0 0 9 9 re f", &spaces, &objects));
            assert!(!is_printable("0 0 0 1 k 0 0 9 9 re f", &other, &objects), "{other}");
        }
        for (content, expected) in [
            ("0 0 0 1 k 0 0 9 9 re f 0.5 G 0 0 9 9 re S", true),
            ("/DeviceCMYK cs 1 1 0.9 0 scn 0 0 9 9 re f", true),
            ("1 1 1 0.1 k 0 0 9 9 re f", false),
            ("/DeviceCMYK CS 1 1 1 1 SC", false),
            ("1 0 0 rg 0 0 9 9 re f", false),
            ("1 0 0 RG", false),
            ("/DeviceRGB cs", false),
            ("/Spot cs 1 scn 0 0 9 9 re f", true),
            ("/Every cs 1 scn 0 0 9 9 re f", false),
            ("/Tiles cs 1 1 1 1 /P scn", false),
            ("-5 1 1 1 1 k", false),
            ("0 g 1 0 %c\n 0 rg 0 0 9 9 re f", false),
            ("0 g } 1 0 0 rg", false),
            ("/Few cs 1 sc", true),
            ("/Dark cs 1 sc", false),
            ("unknown", false),
            ("BI /W 1 /H 1 /CS /G /BPC 8 ID a EI", false),
        ] {
            assert_eq!(is_printable(content, &spaces, &[]), expected, "{content}");
        }
    }

    #[test]
    fn transparency_is_not_printable() {
        for (state, expected) in [
            ("/LW 2/OP true/OPM 1", true),
            ("/ca 1/CA 1.0/BM/Normal/SMask/None", true),
            ("/ca 0.9", false),
            ("/BM/Multiply", false),
            ("/SMask<</S/Alpha>>", false),
            ("/TR/Identity", false),
            ("/HT/Default", false),
        ] {
            let resources = format!("/ExtGState<</G<<{state}>>>>");
            assert_eq!(is_printable("/G gs 0 0 9 9 re f", &resources, &[]), expected, "{state}");
        }
        for (group, expected) in [("", true), ("/Group<</S/Transparency>>", false)] {
            let form = stream(&format!("/Subtype/Form/BBox[0 0 9 9]/Resources<<>>{group}"), "0 g 0 0 9 9 re f");
            assert_eq!(is_printable("/Fm Do", "/XObject<</Fm 6 0 R>>", &[&form]), expected, "{group}");
        }
    }

    #[test]
    fn pictures_and_shadings_are_measured() {
        for (entries, data, expected) in [
            ("/ColorSpace/DeviceGray", "a", true),
            ("/ColorSpace/DeviceCMYK", "aaaa", true),
            ("/ColorSpace/DeviceCMYK", "~~~~", true),
            ("/ColorSpace/DeviceCMYK", "ÿÿ", false),
            ("/ColorSpace/DeviceCMYK/Decode[1 0 1 0 1 0 1 0]", "aaaa", false),
            ("/ColorSpace/DeviceCMYK/Filter/DCTDecode", "aaaa", false),
            ("/ColorSpace/DeviceGray/Filter/DCTDecode", "a", true),
            ("/ColorSpace/DeviceGray/Filter/LZWDecode", "a", false),
            ("/ColorSpace/DeviceGray/SMask 7 0 R", "a", false),
            ("/ColorSpace/DeviceRGB", "aaa", false),
        ] {
            let entries = format!("/Subtype/Image/Width 1/Height 1/BitsPerComponent 8{entries}");
            let mask = stream("/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray", "a");
            let image = stream(&entries, data);
            assert_eq!(is_printable("/Im Do", "/XObject<</Im 6 0 R>>", &[&image, &mask]), expected, "{entries}");
        }
        for (ends, expected) in [("/C0[1 1 1 0]/C1[0 0 0 1]", true), ("/C0[1 1 1 1]/C1[0 0 0 1]", false)] {
            let shading = format!(
                "/Shading<</Sh<</ShadingType 2/ColorSpace/DeviceCMYK/Coords[0 0 9 9]/Function\
                 <</FunctionType 2/Domain[0 1]{ends}/N 1>>>>>>"
            );
            assert_eq!(is_printable("/Sh sh", &shading, &[]), expected, "{ends}");
        }
    }

    #[test]
    fn forms_that_show_each_other_many_times_are_read_once() {
        let form = |next: usize| {
            let resources = format!("/Resources<</XObject<</A {next} 0 R>>>>");
            stream(&format!("/Subtype/Form/BBox[0 0 9 9]{resources}"), &"/A Do ".repeat(50))
        };
        let forms: Vec<String> =
            (7..27).map(form).chain([stream("/Subtype/Form/BBox[0 0 9 9]/Resources<<>>", "0 g")]).collect();
        let objects: Vec<&str> = forms.iter().map(String::as_str).collect();
        assert!(is_printable("/A Do", "/XObject<</A 6 0 R>>", &objects));
    }

    #[test]
    fn forms_that_show_themselves_are_refused() {
        let form = |shown: &str| {
            stream(&format!("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<<{shown}>>"), "/A Do /A Do")
        };
        let [itself, one, two] = ["/XObject<</A 6 0 R>>", "/XObject<</A 7 0 R>>", "/XObject<</A 6 0 R>>"].map(form);
        for objects in [&[itself.as_str()][..], &[&one, &two]] {
            let resources = "/XObject<</Fm 6 0 R>>";
            let pdf = Pdf { content: "/Fm Do", resources, objects, ..Pdf::default() };
            let error = OnePage::of(&pdf.file(), 1.0).unwrap_err();
            assert_eq!(error, ArtworkError::Broken("a form shows itself".to_owned()));
        }
    }
}
