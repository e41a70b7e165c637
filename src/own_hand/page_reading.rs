//! Reads one picture of a page.

use super::ink::{InkFigures, InkPage};
use super::letters::{BoxReading, check_boxes, check_map, check_picture, read_boxes, remarks};
use super::page::{FlatPage, MapFigures, PageMap};
use super::picture::{Picture, PictureError};
use super::refusal::Refusal;
use super::sheet::LabelFont;
use super::spacing::LineInk;
use crate::catalogue::FontCatalogue;

/// Why a file is not used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PictureRefusal {
    /// It is no picture.
    #[error("{0}")]
    Unreadable(#[from] PictureError),
    /// It is no good picture of a page.
    #[error("{0}")]
    Refused(#[from] Refusal),
}

/// A page as it was read.
#[derive(Clone, Debug)]
pub struct PageReading {
    /// What is known of the page's place on the picture.
    pub map: MapFigures,
    /// What is known of its ink.
    pub ink: InkFigures,
    /// Its boxes; none of the page of lines.
    pub boxes: Vec<BoxReading>,
    /// The ink of its lines; none of a page of boxes.
    pub(in crate::own_hand) lines: Vec<LineInk>,
    /// What could be better about the picture.
    pub remarks: Vec<String>,
}

/// Reads a picture of a page. `catalogue` has the hand of the printed words.
///
/// # Errors
/// The file is no picture, shows no page, or cannot be trusted.
pub fn read_page(bytes: &[u8], catalogue: &FontCatalogue) -> Result<PageReading, PictureRefusal> {
    let picture = Picture::read(bytes)?;
    let map = PageMap::find(&picture)?;
    check_map(&map.figures)?;
    let (flat, has_two_levels) = (FlatPage::of(&picture, &map), picture.has_two_levels());
    drop(picture);
    let mut page = InkPage::find(flat, map, &LabelFont::new(catalogue))?;
    if has_two_levels {
        page.take_gain_out();
    }
    check_picture(&page.figures)?;
    let boxes = read_boxes(&page);
    check_boxes(&boxes)?;
    let remarks = remarks(&page.map.figures, &page.figures);
    Ok(PageReading { map: page.map.figures, ink: page.figures, boxes, lines: LineInk::of(&page), remarks })
}
