//! A colour of ink.

/// An sRGB colour, 8 bits per channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rgb(pub [u8; 3]);
