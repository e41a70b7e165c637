//! Randomness that depends on one seed.
//!
//! Input: the seed of a request (32 bits), a purpose and a key. Output: uniform numbers ([`Stream`]), and displacement
//! fields ([`ElasticField`]). A field depends on sigma alone; the seed chooses the offset of the page.
//!
//! A number is a function of seed, purpose and key, never of the numbers drawn before it. So switching an effect on, or
//! another line break, does not change any other number. The module has no state, no clock and no operating system.

mod elastic_field;
mod stream;

pub use elastic_field::ElasticField;
pub use stream::{Purpose, Stream};
