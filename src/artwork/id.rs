//! The name of a file: the digest of its bytes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The SHA-256 of a file: the same bytes are the same artwork.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ArtworkId([u8; 32]);

impl ArtworkId {
    /// The characters of an id as text.
    pub const LENGTH: usize = 64;

    /// The id of a file with these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
}

impl fmt::Display for ArtworkId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for ArtworkId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl FromStr for ArtworkId {
    type Err = hex::FromHexError;

    /// Reads 64 lower-case hexadecimal digits.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some((index, c)) = text.char_indices().find(|(_, c)| c.is_ascii_uppercase()) {
            return Err(hex::FromHexError::InvalidHexCharacter { c, index });
        }
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).map(|()| Self(bytes))
    }
}

impl From<ArtworkId> for String {
    fn from(id: ArtworkId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for ArtworkId {
    type Error = hex::FromHexError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_the_digest_of_the_file_in_lower_case() {
        let id = ArtworkId::of(b"abc");
        let text = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!((id.to_string().as_str(), text.parse()), (text, Ok(id)));
        for wrong in ["", "ba78", &text.to_uppercase(), &format!("{text}00"), &text.replace('b', "x")] {
            assert!(wrong.parse::<ArtworkId>().is_err(), "{wrong}");
        }
    }
}
