//! Letters: the ink of each box as outlines, and what is doubtful in it.
//!
//! Input: the ink of pages. Output: a [`BoxReading`] for each box. In order: `boxes` gives each connected region of ink to
//! the box that has most of it, and traces its outline; `page_gate` refuses pages that cannot be trusted; `consensus`
//! compares the copies of a letter with each other and with other letters, which shows specks, slips of the pen and lost
//! dots that no box shows alone. `contour` has the geometry of outlines, `doubt` what may be wrong, `reading` the result.

mod boxes;
mod consensus;
mod contour;
mod doubt;
mod page_gate;
mod reading;

pub(super) use boxes::read_boxes;
pub(super) use consensus::compare;
pub(super) use contour::{Bounds, Contour, bounds, is_within, signed_area};
pub use doubt::Doubt;
pub(super) use page_gate::{check_boxes, check_map, check_picture, remarks};
pub use reading::BoxReading;
