//! An image in a PDF as a file by itself (ISO 32000-2, 8.9.5): a JPEG stays one, others become PNG.
//!
//! Images by `DCTDecode`, `FlateDecode` and `CCITTFaxDecode` of group 4 are read, in gray levels, colours or a palette.

use std::io::Cursor;

use image::{DynamicImage, GrayImage, ImageFormat, RgbImage};
use lopdf::{Dictionary, Document, Object, Stream};
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use super::decode::{LEAST_SIDE, MOST_PIXELS};
use super::png_lines::unfiltered;

/// Entries of the largest palette.
const MOST_COLORS: usize = 256;

/// An image of a document.
pub(super) struct PdfImage<'a> {
    document: &'a Document,
    dictionary: &'a Dictionary,
    stream: &'a Stream,
    width: usize,
    height: usize,
}

/// The colours of samples.
enum Colors {
    Gray,
    Rgb,
    /// Red, green and blue of each index.
    Palette(Vec<u8>),
}

impl<'a> PdfImage<'a> {
    /// The images of a document that could be pages, in the order of their objects.
    pub(super) fn all(document: &'a Document) -> Vec<Self> {
        let streams = document.objects.values().filter_map(|object| object.as_stream().ok());
        streams.filter_map(|stream| Self::of(document, stream)).collect()
    }

    fn of(document: &'a Document, stream: &'a Stream) -> Option<Self> {
        let dictionary = &stream.dict;
        let is_image = dictionary.get(b"Subtype").and_then(Object::as_name).is_ok_and(|name| name == b"Image");
        let side = |key: &[u8]| usize::try_from(number(document, dictionary, key)?).ok();
        let (width, height) = (side(b"Width")?, side(b"Height")?);
        let is_page = is_image && width.min(height) >= LEAST_SIDE as usize;
        is_page.then_some(Self { document, dictionary, stream, width, height })
    }

    /// The image as a file.
    ///
    /// # Errors
    /// What it is made by, if that is not read.
    pub(super) fn file(&self) -> Result<Vec<u8>, String> {
        if (self.width as u64).saturating_mul(self.height as u64) > MOST_PIXELS {
            return Err(format!("{} × {} pixels", self.width, self.height));
        }
        let filters = self.filters();
        let mut data = self.stream.content.clone();
        for (index, filter) in filters.iter().enumerate() {
            let is_last = index + 1 == filters.len();
            match filter.as_slice() {
                b"DCTDecode" if is_last => return Ok(data),
                b"CCITTFaxDecode" if is_last => return self.fax(&data, index),
                b"FlateDecode" => data = self.inflated(&data, index)?,
                other => return Err(String::from_utf8_lossy(other).chars().take(64).collect()),
            }
        }
        self.samples(&data)
    }

    /// The names of the filters, the first to be undone first.
    fn filters(&self) -> Vec<Vec<u8>> {
        let names = |object: &Object| match object {
            Object::Name(name) => vec![name.clone()],
            Object::Array(all) => all.iter().filter_map(|one| one.as_name().ok().map(<[u8]>::to_vec)).collect(),
            _ => Vec::new(),
        };
        resolved(self.document, self.dictionary, b"Filter").map(names).unwrap_or_default()
    }

    /// A parameter of a filter.
    fn parameter(&self, index: usize, key: &[u8]) -> Option<&'a Object> {
        let parameters = resolved(self.document, self.dictionary, b"DecodeParms")?;
        let of_filter = match parameters {
            Object::Array(all) => self.document.dereference(all.get(index)?).ok()?.1,
            one => one,
        };
        resolved(self.document, of_filter.as_dict().ok()?, key)
    }

    fn integer(&self, index: usize, key: &[u8], usual: i64) -> i64 {
        self.parameter(index, key).and_then(|value| value.as_i64().ok()).unwrap_or(usual)
    }

    fn is(&self, index: usize, key: &[u8]) -> bool {
        self.parameter(index, key).and_then(|value| value.as_bool().ok()).unwrap_or_default()
    }

    /// The page of a fax of group 4 (ITU-T T.6).
    fn fax(&self, data: &[u8], index: usize) -> Result<Vec<u8>, String> {
        let columns = usize::try_from(self.integer(index, b"Columns", 1728)).unwrap_or_default();
        let is_read = self.integer(index, b"K", 0) < 0 && !self.is(index, b"EncodedByteAlign") && columns == self.width;
        if !is_read {
            return Err("CCITTFaxDecode of group 3".to_owned());
        }
        let (width, height) = (self.width as u32, self.height as u32);
        // Black is 0, unless the file says that it is 1 or that samples are inverted.
        let is_inverted = self.is(index, b"BlackIs1") != self.decodes_inverted();
        let mut pixels = Vec::with_capacity(self.width * self.height);
        let mut line = |transitions: &[u32]| {
            let is_light = |color| (color == fax::Color::White) != is_inverted;
            pixels.extend(fax::decoder::pels(transitions, width).map(|color| if is_light(color) { 255 } else { 0 }));
        };
        // A page that ends early keeps its lines, as viewers show it.
        let _ = fax::decoder::decode_g4(data.iter().copied(), width, Some(height), &mut line);
        pixels.resize(self.width * self.height, 255);
        let image = GrayImage::from_raw(width, height, pixels).ok_or("CCITTFaxDecode")?;
        png(&DynamicImage::ImageLuma8(image))
    }

    /// Data without its compression and prediction (ISO 32000-2, 7.4.4).
    fn inflated(&self, data: &[u8], index: usize) -> Result<Vec<u8>, String> {
        // 16 bits of four colours, and the bytes that name the filters of lines.
        let most = 8 * self.width * self.height + self.height;
        let inflated = decompress_to_vec_zlib_with_limit(data, most).map_err(|_| "FlateDecode".to_owned())?;
        let predictor = self.integer(index, b"Predictor", 1);
        if predictor < 2 {
            return Ok(inflated);
        }
        let part = |key: &[u8], usual: i64| usize::try_from(self.integer(index, key, usual)).unwrap_or_default();
        let bits = part(b"Colors", 1).saturating_mul(part(b"BitsPerComponent", 8));
        let line = bits.saturating_mul(part(b"Columns", 1)).div_ceil(8);
        if predictor < 10 || line == 0 {
            return Err("FlateDecode with the predictor of TIFF".to_owned());
        }
        Ok(unfiltered(&inflated, line, bits.div_ceil(8)))
    }

    /// Whether the samples are the other way round: `/Decode [1 0]`.
    fn decodes_inverted(&self) -> bool {
        let decode = resolved(self.document, self.dictionary, b"Decode").and_then(|decode| decode.as_array().ok());
        decode.and_then(|decode| decode.first()?.as_float().ok()).is_some_and(|first| first > 0.5)
    }

    fn samples(&self, data: &[u8]) -> Result<Vec<u8>, String> {
        let is_mask = resolved(self.document, self.dictionary, b"ImageMask")
            .is_some_and(|is| matches!(is, Object::Boolean(true)));
        let bits = if is_mask { 1 } else { number(self.document, self.dictionary, b"BitsPerComponent").unwrap_or(8) };
        let colors = if is_mask { Colors::Gray } else { self.colors()? };
        let bits = usize::try_from(bits).ok().filter(|bits| [1, 2, 4, 8].contains(bits));
        let bits = bits.ok_or("more than 8 bits of a colour")?;
        let channels = if matches!(colors, Colors::Rgb) { 3 } else { 1 };
        let line = (self.width * channels * bits).div_ceil(8);
        let largest = (1_usize << bits) - 1;
        let is_inverted = self.decodes_inverted();
        let mut values = Vec::with_capacity(3 * self.width * self.height);
        for row in 0..self.height {
            let line = data.get(row * line..(row + 1) * line).unwrap_or_default();
            for at in 0..self.width * channels {
                let bit = at * bits;
                let byte = line.get(bit / 8).copied().unwrap_or(u8::MAX);
                let sample = usize::from(byte) >> (8 - bits - bit % 8) & largest;
                let sample = if is_inverted { largest - sample } else { sample };
                match &colors {
                    Colors::Palette(palette) => {
                        let color = palette.get(3 * sample..3 * sample + 3);
                        values.extend_from_slice(color.unwrap_or(&[255; 3]));
                    }
                    _ => values.push((sample * 255 / largest) as u8),
                }
            }
        }
        let (width, height) = (self.width as u32, self.height as u32);
        let image = match colors {
            Colors::Gray => GrayImage::from_raw(width, height, values).map(DynamicImage::ImageLuma8),
            _ => RgbImage::from_raw(width, height, values).map(DynamicImage::ImageRgb8),
        };
        png(&image.ok_or("FlateDecode")?)
    }

    fn colors(&self) -> Result<Colors, String> {
        let space = resolved(self.document, self.dictionary, b"ColorSpace").ok_or("an image without colours")?;
        self.colors_of(space)
    }

    fn colors_of(&self, space: &Object) -> Result<Colors, String> {
        let entries = space.as_array().map(Vec::as_slice).unwrap_or_default();
        let name = entries.first().unwrap_or(space).as_name().unwrap_or_default();
        let entry = |index: usize| self.document.dereference(entries.get(index)?).ok().map(|(_, object)| object);
        match name {
            b"DeviceGray" | b"CalGray" | b"G" => Ok(Colors::Gray),
            b"DeviceRGB" | b"CalRGB" | b"RGB" => Ok(Colors::Rgb),
            b"ICCBased" => {
                let profile = entry(1).and_then(|profile| profile.as_stream().ok());
                match profile.and_then(|profile| number(self.document, &profile.dict, b"N")) {
                    Some(1) => Ok(Colors::Gray),
                    Some(3) => Ok(Colors::Rgb),
                    _ => Err("CMYK".to_owned()),
                }
            }
            b"Indexed" | b"I" => {
                let is_rgb = entry(1).and_then(|base| self.is_rgb_base(base)).ok_or("Indexed")?;
                let table = match entry(3) {
                    Some(Object::String(bytes, _)) => bytes.clone(),
                    Some(Object::Stream(stream)) => self.table(stream)?,
                    _ => return Err("Indexed".to_owned()),
                };
                let table = if is_rgb { table } else { table.iter().flat_map(|gray| [*gray; 3]).collect() };
                Ok(Colors::Palette(table.into_iter().take(3 * MOST_COLORS).collect()))
            }
            other => Err(String::from_utf8_lossy(other).chars().take(64).collect()),
        }
    }

    /// Whether the base of a palette is RGB; `None` of what is neither that nor gray levels.
    fn is_rgb_base(&self, base: &Object) -> Option<bool> {
        let first = base.as_array().ok().and_then(|entries| entries.first()).unwrap_or(base);
        // A palette of a palette is not allowed, and might never end.
        let is_palette = first.as_name().is_ok_and(|name| name == b"Indexed" || name == b"I");
        let colors = if is_palette { None } else { self.colors_of(base).ok() };
        colors.map(|colors| matches!(colors, Colors::Rgb))
    }

    fn table(&self, stream: &Stream) -> Result<Vec<u8>, String> {
        match resolved(self.document, &stream.dict, b"Filter") {
            None => Ok(stream.content.clone()),
            Some(Object::Name(name)) if name == b"FlateDecode" => {
                decompress_to_vec_zlib_with_limit(&stream.content, 4 * MOST_COLORS).map_err(|_| "Indexed".to_owned())
            }
            Some(_) => Err("Indexed".to_owned()),
        }
    }
}

/// The value of a key, references followed.
fn resolved<'a>(document: &'a Document, dictionary: &'a Dictionary, key: &[u8]) -> Option<&'a Object> {
    document.dereference(dictionary.get(key).ok()?).ok().map(|(_, object)| object)
}

fn number(document: &Document, dictionary: &Dictionary, key: &[u8]) -> Option<i64> {
    resolved(document, dictionary, key)?.as_i64().ok()
}

fn png(image: &DynamicImage) -> Result<Vec<u8>, String> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, ImageFormat::Png).map_err(|error| error.to_string())?;
    Ok(bytes.into_inner())
}

#[cfg(test)]
mod tests {
    use pdf_writer::{Filter, Finish as _, Name, Pdf, Ref};

    use super::*;

    const SIDES: [u32; 2] = [421, 405];

    /// A picture with large and small parts.
    fn picture() -> RgbImage {
        RgbImage::from_fn(SIDES[0], SIDES[1], |x, y| {
            image::Rgb([
                (x * 5 + y / 3) as u8,
                if (x / 7 + y / 5).is_multiple_of(3) { 255 } else { (x * y / 64) as u8 },
                (y * 3) as u8,
            ])
        })
    }

    /// A document with this image, and the image as it is read.
    fn read(
        data: &[u8],
        describe: impl Fn(&mut pdf_writer::writers::ImageXObject<'_>),
    ) -> Result<DynamicImage, String> {
        let mut pdf = Pdf::new();
        let [catalog, tree, page, id] = [1, 2, 3, 4].map(Ref::new);
        pdf.catalog(catalog).pages(tree);
        pdf.pages(tree).kids([page]).count(1);
        pdf.page(page).parent(tree).resources().finish();
        let mut image = pdf.image_xobject(id, data);
        image.width(SIDES[0] as i32).height(SIDES[1] as i32);
        describe(&mut image);
        image.finish();
        let document = Document::load_mem(&pdf.finish()).unwrap();
        let images = PdfImage::all(&document);
        assert_eq!(images.len(), 1);
        images[0].file().map(|file| image::load_from_memory(&file).unwrap())
    }

    /// The compressed data of a PNG, whose lines have the filters that its encoder chose.
    fn data_of_png(image: &DynamicImage) -> Vec<u8> {
        let file = png(image).unwrap();
        let (mut at, mut data) = (8, Vec::new());
        while at < file.len() {
            let length = u32::from_be_bytes(file[at..at + 4].try_into().unwrap()) as usize;
            if &file[at + 4..at + 8] == b"IDAT" {
                data.extend_from_slice(&file[at + 8..at + 8 + length]);
            }
            at += length + 12;
        }
        data
    }

    fn compressed(bytes: &[u8]) -> Vec<u8> {
        miniz_oxide::deflate::compress_to_vec_zlib(bytes, 1)
    }

    #[test]
    fn colours_and_gray_levels_come_back_with_and_without_prediction() {
        let colors = DynamicImage::ImageRgb8(picture());
        let grays = DynamicImage::ImageLuma8(colors.to_luma8());
        for (image, channels) in [(&colors, 3), (&grays, 1)] {
            let space = |image: &mut pdf_writer::writers::ImageXObject<'_>| {
                image.bits_per_component(8).filter(Filter::FlateDecode);
                if channels == 3 { image.color_space().device_rgb() } else { image.color_space().device_gray() }
            };
            assert_eq!(read(&compressed(image.as_bytes()), space).as_ref(), Ok(image));
            let predicted = read(&data_of_png(image), |image| {
                space(image);
                let mut parameters = image.decode_parms();
                parameters.predictor(pdf_writer::types::Predictor::PngOptimum);
                parameters.colors(channels).bits_per_component(8).columns(SIDES[0] as i32);
            });
            assert_eq!(predicted.as_ref(), Ok(image));
        }
    }

    #[test]
    fn palettes_and_inverted_samples_are_told_apart() {
        let line = (SIDES[0] as usize).div_ceil(8);
        let stripes: Vec<u8> =
            (0..line * SIDES[1] as usize).map(|at| if (at / line).is_multiple_of(2) { 0xFF } else { 0x0F }).collect();
        let at = |image: Result<DynamicImage, String>, x, y| image.unwrap().to_rgb8().get_pixel(x, y).0;
        let of_palette = || {
            read(&compressed(&stripes), |image| {
                image.bits_per_component(1).filter(Filter::FlateDecode);
                image.color_space().indexed(Name(b"DeviceRGB"), 1, &[10, 20, 30, 200, 210, 220]);
            })
        };
        assert_eq!([at(of_palette(), 0, 0), at(of_palette(), 0, 1)], [[200, 210, 220], [10, 20, 30]]);
        for (decode, light) in [([0.0, 1.0], 255), ([1.0, 0.0], 0)] {
            let of_grays = read(&compressed(&stripes), |image| {
                image.bits_per_component(1).decode(decode).filter(Filter::FlateDecode);
                image.color_space().device_gray();
            });
            assert_eq!(at(of_grays, 5, 0), [light; 3]);
        }
    }

    #[test]
    fn a_fax_comes_back_and_its_black_may_be_1() {
        let is_black = |x: u32, y: u32| (x / 9 + y / 4).is_multiple_of(2);
        let mut encoder = fax::encoder::Encoder::new(fax::VecWriter::new());
        for y in 0..SIDES[1] {
            let color = |x| if is_black(x, y) { fax::Color::Black } else { fax::Color::White };
            encoder.encode_line((0..SIDES[0]).map(color), SIDES[0]).unwrap();
        }
        let data = encoder.finish().unwrap().finish();
        for (black_is_1, decode) in [(false, [0.0, 1.0]), (true, [1.0, 0.0])] {
            let image = read(&data, |image| {
                image.bits_per_component(1).decode(decode).filter(Filter::CcittFaxDecode);
                image.color_space().device_gray();
                let mut parameters = image.decode_parms();
                parameters.k(-1).columns(SIDES[0] as i32).rows(SIDES[1] as i32).black_is_1(black_is_1);
            });
            let image = image.unwrap().to_luma8();
            let is_right = |(x, y, pixel): (u32, u32, &image::Luma<u8>)| (pixel.0[0] == 0) == is_black(x, y);
            assert!(image.enumerate_pixels().all(is_right), "{black_is_1}");
        }
    }

    #[test]
    fn what_is_hostile_is_refused() {
        let flate = |image: &mut pdf_writer::writers::ImageXObject<'_>| {
            image.bits_per_component(8).filter(Filter::FlateDecode);
            image.color_space().device_gray();
        };
        assert_eq!(
            read(&compressed(&vec![0; 40 << 20]), flate),
            Err("FlateDecode".to_owned()),
            "more than its pixels need"
        );
        assert_eq!(read(b"no data", flate), Err("FlateDecode".to_owned()));
        let huge = read(b"", |image| {
            image.width(60_000).height(60_000).bits_per_component(8).filter(Filter::FlateDecode);
        });
        assert!(huge.is_err());
        let cmyk = read(&compressed(&[0; 9]), |image| {
            image.bits_per_component(8).filter(Filter::FlateDecode);
            image.color_space().device_cmyk();
        });
        assert_eq!(cmyk, Err("DeviceCMYK".to_owned()));
    }
}
