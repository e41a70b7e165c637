//! Artwork of a page, placed.

use std::sync::Arc;

use crate::artwork::Artwork;
use crate::geometry::{Rect, Size};
use crate::named::named;
use crate::units::Px;

/// How far a picture that covers a page may end before an edge, in px: rounding errors are smaller.
const NEAR: f64 = 0.01;

/// A picture on a page. Its boxes are measured from the upper left corner of the page, and may reach into the bleed.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedArtwork {
    /// The picture.
    pub artwork: Arc<Artwork>,
    /// Where the whole picture lies.
    pub picture: Rect<Px>,
    /// The part of that box which is seen.
    pub window: Rect<Px>,
    /// Its opacity, from 0 to 1.
    pub opacity: f64,
    /// The pages that show it.
    pub pages: ArtworkPages,
}

impl PlacedArtwork {
    /// Whether PDF/X-1a may have it as a drawing: it is one without transparency.
    pub(super) fn is_printable_drawing(&self) -> bool {
        self.opacity >= 1.0 && self.artwork.facts().drawing.is_some_and(|drawing| drawing.is_printable)
    }

    /// Whether it is seen on all of a page of this size.
    #[must_use]
    pub fn covers(&self, page: Size<Px>) -> bool {
        let Rect { min, max } = self.window;
        let short = [min.x, min.y, page.width - max.x, page.height - max.y];
        short.into_iter().all(|length| length.get() < NEAR)
    }
}

named! {
    /// `fit`: how a picture fills its box.
    pub enum ArtworkFit {
        /// All of it is seen, in the middle of the box.
        Contain = "contain",
        /// It fills the box, and what is beyond the box is not seen.
        Cover = "cover",
        /// It is stretched to the box.
        Stretch = "stretch",
    }

    /// `pages`: the pages that show a picture.
    #[derive(Default)]
    pub enum ArtworkPages {
        /// All.
        #[default]
        All = "all",
        /// The first.
        First = "first",
        /// Those after the first.
        Following = "following",
    }
}
