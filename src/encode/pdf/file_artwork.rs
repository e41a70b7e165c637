//! The objects of a file that artwork and the ink on it need: images, masks, drawings.

use pdf_writer::Ref;
use sha2::Digest as _;

use super::file::PdfFile;
use super::image::PageImage;
use super::picture::{Picture, PlacedPicture, Shown};
use super::shapes::Shapes;
use crate::spec::Rgb;

impl PdfFile<'_> {
    /// Appends the pictures of a page that are new to the file, and names all of them.
    pub(super) fn append_pictures<'p>(
        &mut self,
        placed: &'p [PlacedPicture],
        bytes: &mut Vec<u8>,
    ) -> Vec<(&'p PlacedPicture, String)> {
        let mut named = Vec::with_capacity(placed.len());
        for placed in placed {
            let id = placed.shown.id();
            let name = match (self.pictures.get(&id), &placed.shown) {
                (Some(name), _) => name.clone(),
                (None, Shown::Image(picture)) => self.append_picture(picture, bytes),
                (None, Shown::Shapes { shapes, opacity }) => self.append_shapes(shapes, *opacity, bytes),
            };
            self.pictures.entry(id).or_insert_with(|| name.clone());
            named.push((placed, name));
        }
        named
    }

    /// Appends a picture, and names it.
    fn append_picture(&mut self, picture: &Picture, bytes: &mut Vec<u8>) -> String {
        let (id, name) = self.name_image();
        let mask = picture.has_alpha().then(|| self.objects.next.bump());
        self.append(bytes, id, |pdf, _| picture.write(pdf, id, mask));
        if let Some(mask) = mask {
            self.append(bytes, mask, |pdf, _| picture.write_mask(pdf, mask));
        }
        self.digest.update(picture.id());
        name
    }

    /// Appends the form around a drawing, and names it; before it the drawing, if that is new to the file.
    fn append_shapes(&mut self, shapes: &Shapes, opacity: f32, bytes: &mut Vec<u8>) -> String {
        let known = self.drawings.get(shapes.id()).copied();
        let form = known.unwrap_or_else(|| {
            // The form is the first of its objects.
            let form = self.objects.next;
            for (id, object) in shapes.written(&mut self.objects.next) {
                self.append_object(bytes, id, &object);
            }
            self.digest.update(shapes.id());
            self.drawings.insert(*shapes.id(), form);
            form
        });
        let (id, name) = self.name_image();
        self.append(bytes, id, |pdf, _| shapes.write_around(pdf, id, form, opacity));
        self.digest.update(opacity.to_be_bytes());
        name
    }

    /// Appends the image of an ink on artwork: one pixel of its colour, with the coverage as soft mask.
    pub(super) fn append_masked_ink(&mut self, image: &PageImage, ink: Rgb, id: Ref, bytes: &mut Vec<u8>) {
        let mask = self.objects.next.bump();
        self.append(bytes, id, |pdf, _| {
            let mut pixel = pdf.image_xobject(id, &ink.0);
            pixel.width(1).height(1).bits_per_component(8).color_space().device_rgb();
            pixel.s_mask(mask);
        });
        self.append(bytes, mask, |pdf, _| image.write_as_mask(pdf, mask));
        self.digest.update(ink.0);
        self.digest.update(image.fingerprint());
    }
}
