//! Files as text (RFC 4648, section 4, with padding), with the widest instructions of the processor.

use std::sync::LazyLock;

use base64::engine::general_purpose::PAD;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
use base64::engine::general_purpose::{GeneralPurpose, STANDARD};
use base64::{DecodeError, Engine as _};

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
static ENGINE: LazyLock<base64::engine::Simd> = LazyLock::new(|| base64::engine::Simd::standard(PAD));
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
static ENGINE: LazyLock<GeneralPurpose> = LazyLock::new(|| STANDARD);

/// Appends the base64 text of `bytes`, in one pass and without a copy.
pub fn append_base64(bytes: &[u8], text: &mut Vec<u8>) {
    let start = text.len();
    text.resize(start + bytes.len().div_ceil(3) * 4, 0);
    // The text has the same length for all bytes.
    let written = ENGINE.encode_slice(bytes, &mut text[start..]).unwrap_or(0);
    debug_assert_eq!(start + written, text.len());
}

/// The bytes of a base64 text.
///
/// # Errors
/// When the text is not base64 with padding.
pub fn decode_base64(text: &str) -> Result<Vec<u8>, DecodeError> {
    ENGINE.decode(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 4648, section 10, and a text long enough for the widest instructions.
    #[test]
    fn bytes_are_the_text_of_the_standard_and_back() {
        let cases =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy")];
        for (bytes, expected) in cases {
            let mut text = b"before ".to_vec();
            append_base64(bytes.as_bytes(), &mut text);
            assert_eq!(text, format!("before {expected}").as_bytes());
            assert_eq!(decode_base64(expected).unwrap(), bytes.as_bytes());
        }
        for length in [100, 1000, 4099] {
            let bytes: Vec<u8> = (0..length).map(|index: u32| (index * 167 + index / 256 * 13) as u8).collect();
            let mut text = Vec::new();
            append_base64(&bytes, &mut text);
            let expected = base64::engine::general_purpose::STANDARD.encode(&bytes);
            assert_eq!(text, expected.as_bytes());
            assert_eq!(decode_base64(&expected).unwrap(), bytes);
        }
    }

    #[test]
    fn what_is_no_base64_is_refused() {
        for text in ["Zg", "Zg=", "Z", "Zm9v!", "Zm9v\n"] {
            decode_base64(text).unwrap_err();
        }
    }
}
