//! Randomness that one seed decides.
//!
//! Input: the seed of a request (32 bits) and what the numbers are for. Output: uniform numbers by key ([`Stream`]), and
//! displacement fields that no seed changes, only where a page lies in them ([`ElasticField`]). A number is a function of seed, purpose and key alone, never of how many were drawn before it: switching one effect
//! on, or changing a line break, leaves every other number as it was. No state, no clock, no operating system.

mod elastic_field;
mod stream;

pub use elastic_field::ElasticField;
pub use stream::{Purpose, Stream};
