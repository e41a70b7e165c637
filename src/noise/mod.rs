//! Randomness that depends on one seed.
//!
//! Input: the seed of a request (32 bits), a purpose and a key. Output: uniform and normal numbers ([`Stream`]), and
//! displacement fields ([`ElasticField`]). A field depends on sigma alone; the seed chooses the position of a page in
//! it.
//!
//! A number is a function of seed, purpose and key, and never of the numbers drawn before. So switching on an effect,
//! or breaking lines differently, changes no other number. The module has no state, no clock and no operating system.

mod elastic_field;
mod stream;

pub use elastic_field::ElasticField;
pub use stream::{Purpose, Stream};
