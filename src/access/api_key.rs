//! The API key: `lh_`, 30 random base62 characters, 6 characters of checksum.

use std::fmt;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;
use thiserror::Error;

const PREFIX: &str = "lh_";
const RANDOM_CHARACTERS: usize = 30;
const CHECKSUM_CHARACTERS: usize = 6;
const BODY_LENGTH: usize = PREFIX.len() + RANDOM_CHARACTERS;
const KEY_LENGTH: usize = BODY_LENGTH + CHECKSUM_CHARACTERS;
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A well-formed API key. Contains the secret: `Debug` omits it, and there is no `Display` and no serialised form.
#[derive(Clone)]
pub struct ApiKey(String);

/// Why a text is no API key. Found without the store. No message repeats the text.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum InvalidKeyFormat {
    /// Does not start with `lh_`.
    #[error("an API key starts with `lh_`")]
    Prefix,
    /// Is not 39 characters long.
    #[error("an API key is 39 characters long")]
    Length,
    /// Has a character outside `0-9A-Za-z` after the prefix.
    #[error("after `lh_` an API key has letters and digits only")]
    Alphabet,
    /// The last six characters do not belong to the rest: a typing or copying error.
    #[error("the API key's checksum does not match; it was probably not copied in full")]
    Checksum,
}

impl ApiKey {
    /// A new key from the operating system's random source: 30 characters of 62, 178 bits.
    ///
    /// # Errors
    /// The operating system provides no random bytes.
    pub fn generate() -> Result<Self, getrandom::Error> {
        // The largest multiple of 62 in a byte. Larger bytes are dropped, so that all characters are equally likely.
        const UNBIASED_BELOW: u8 = 248;
        let mut key = String::with_capacity(KEY_LENGTH);
        key.push_str(PREFIX);
        let mut bytes = [0_u8; 2 * RANDOM_CHARACTERS];
        while key.len() < BODY_LENGTH {
            getrandom::fill(&mut bytes)?;
            let missing = BODY_LENGTH - key.len();
            let unbiased = bytes.iter().filter(|byte| **byte < UNBIASED_BELOW);
            key.extend(unbiased.take(missing).map(|byte| base62_digit(u32::from(*byte))));
        }
        let checksum = checksum(&key);
        key.push_str(&checksum);
        Ok(Self(key))
    }

    /// Parses `text`. Checks prefix, length, alphabet and checksum, in this order.
    ///
    /// # Errors
    /// The first check that fails.
    pub fn parse(text: &str) -> Result<Self, InvalidKeyFormat> {
        let after_prefix = text.strip_prefix(PREFIX).ok_or(InvalidKeyFormat::Prefix)?;
        if text.chars().count() != KEY_LENGTH {
            return Err(InvalidKeyFormat::Length);
        }
        if !after_prefix.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(InvalidKeyFormat::Alphabet);
        }
        let (body, given) = text.split_at(BODY_LENGTH);
        if checksum(body) != given {
            return Err(InvalidKeyFormat::Checksum);
        }
        Ok(Self(text.to_owned()))
    }

    /// The secret, to be shown once to its owner.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The secret that signs the events of this key, in the form of Standard Webhooks: `whsec_` and 32 bytes in base64. It
    /// follows from the key, so that the owner knows it and no store keeps it.
    #[must_use]
    pub fn webhook_secret(&self) -> String {
        let secret = Sha256::new().chain_update(b"longhand webhook secret\0").chain_update(&self.0).finalize();
        format!("whsec_{}", BASE64_STANDARD.encode(secret))
    }

    /// The hash that the store keeps.
    ///
    /// A plain SHA-256, without salt or stretching: these slow down guesses of weak, human-chosen secrets, but nobody
    /// can guess 178 random bits. A fast hash authenticates a request in about a microsecond.
    pub(super) fn hash(&self) -> KeyHash {
        KeyHash(Sha256::digest(self.0.as_bytes()).into())
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ApiKey(lh_…)")
    }
}

/// The SHA-256 of a key. Deliberately not `PartialEq`: hashes are compared in constant time.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyHash(pub(super) [u8; 32]);

impl KeyHash {
    /// The hash as 64 hexadecimal digits.
    pub(super) fn to_hexadecimal(self) -> String {
        hex::encode(self.0)
    }

    /// A hash of 64 hexadecimal digits; `None` for any other text.
    pub(super) fn from_hexadecimal(digits: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(digits, &mut bytes).ok()?;
        Some(Self(bytes))
    }

    /// The first 64 bits, to look up candidates. The duration of a lookup can reveal no more than these bits, from
    /// which no key can be computed.
    pub(super) fn lookup_prefix(&self) -> u64 {
        self.0.iter().take(8).fold(0, |prefix, byte| prefix << 8 | u64::from(*byte))
    }

    /// Compares in constant time.
    pub(super) fn matches(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

/// The CRC-32 (ISO-HDLC, as in zlib) of `body` as six base62 digits, most significant first.
fn checksum(body: &str) -> String {
    let mut rest = crc32fast::hash(body.as_bytes());
    let mut digits = ['0'; CHECKSUM_CHARACTERS];
    for digit in digits.iter_mut().rev() {
        *digit = base62_digit(rest);
        rest /= 62;
    }
    digits.into_iter().collect()
}

/// The base62 digit of `value` modulo 62.
fn base62_digit(value: u32) -> char {
    char::from(BASE62[(value % 62) as usize])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `lh_` and thirty zeros, whose CRC-32 is 0x11b6258f by another implementation (Python's `zlib.crc32`).
    const ZEROS: &str = "lh_000000000000000000000000000000";

    #[test]
    fn crc_32_has_its_published_check_value() {
        assert_eq!(crc32fast::hash(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn checksum_is_the_crc_in_base62_most_significant_digit_first() {
        assert_eq!(checksum("123456789"), "3jZRME");
        assert_eq!(checksum(""), "000000");
    }

    #[test]
    fn a_known_key_is_accepted() {
        let known = format!("{ZEROS}0K6oFL");
        assert_eq!(ApiKey::parse(&known).unwrap().reveal(), known);
    }

    #[test]
    fn generated_keys_are_accepted_and_all_different() {
        let keys: std::collections::HashSet<_> =
            (0..1000).map(|_| ApiKey::generate().unwrap().reveal().to_owned()).collect();
        assert_eq!(keys.len(), 1000);
        assert!(keys.iter().all(|key| key.len() == 39 && ApiKey::parse(key).is_ok()));
    }

    #[test]
    fn every_base62_character_is_generated_about_equally_often() {
        let mut counts = [0_u32; 128];
        for _ in 0..2000 {
            let key = ApiKey::generate().unwrap();
            key.reveal()[3..33].bytes().for_each(|byte| counts[usize::from(byte)] += 1);
        }
        // 60,000 draws: 968 expected of each, standard deviation 31; 200 is more than six of them.
        assert!(BASE62.iter().all(|byte| counts[usize::from(*byte)].abs_diff(968) < 200), "{counts:?}");
    }

    #[test]
    fn each_wrong_thing_is_named() {
        let key = ApiKey::generate().unwrap().reveal().to_owned();
        let parse = |text: &str| ApiKey::parse(text).map(|_| ()).unwrap_err();
        assert_eq!(parse(""), InvalidKeyFormat::Prefix);
        assert_eq!(parse(&key.replacen("lh_", "sk_", 1)), InvalidKeyFormat::Prefix);
        assert_eq!(parse(&key.replacen("lh_", "LH_", 1)), InvalidKeyFormat::Prefix);
        assert_eq!(parse(&format!(" {key}")), InvalidKeyFormat::Prefix);
        assert_eq!(parse("lh_"), InvalidKeyFormat::Length);
        assert_eq!(parse(&key[..38]), InvalidKeyFormat::Length);
        assert_eq!(parse(&format!("{key}0")), InvalidKeyFormat::Length);
        assert_eq!(parse(&format!("{key}\n")), InvalidKeyFormat::Length);
        assert_eq!(parse(&format!("lh_-{}", &key[4..])), InvalidKeyFormat::Alphabet);
        assert_eq!(parse(&format!("lh_é{}", &key[4..])), InvalidKeyFormat::Alphabet);
        assert_eq!(parse(&format!("lh_\0{}", &key[4..])), InvalidKeyFormat::Alphabet);
        let swapped = if key.starts_with("lh_0") { "lh_1" } else { "lh_0" };
        assert_eq!(parse(&format!("{swapped}{}", &key[4..])), InvalidKeyFormat::Checksum);
    }

    #[test]
    fn every_single_changed_character_is_noticed() {
        let key = ApiKey::generate().unwrap().reveal().to_owned();
        for position in 3..39 {
            for other in BASE62.iter().map(|byte| char::from(*byte)) {
                let mut characters: Vec<char> = key.chars().collect();
                if characters[position] != other {
                    characters[position] = other;
                    let changed: String = characters.into_iter().collect();
                    assert_eq!(ApiKey::parse(&changed).unwrap_err(), InvalidKeyFormat::Checksum);
                }
            }
        }
    }

    #[test]
    fn debug_shows_nothing_of_the_secret() {
        assert_eq!(format!("{:?}", ApiKey::generate().unwrap()), "ApiKey(lh_…)");
    }

    #[test]
    fn hashes_match_only_their_own_key() {
        let (one, other) = (ApiKey::generate().unwrap(), ApiKey::generate().unwrap());
        assert!(one.hash().matches(&ApiKey::parse(one.reveal()).unwrap().hash()));
        assert!(!one.hash().matches(&other.hash()));
    }

    #[test]
    fn the_hash_is_sha_256() {
        let hash = ApiKey("abc".to_owned()).hash();
        assert_eq!(hash.0[..4], [0xba, 0x78, 0x16, 0xbf], "FIPS 180-4 example");
        assert_eq!(hash.lookup_prefix(), 0xba78_16bf_8f01_cfea);
        assert!(hash.to_hexadecimal().starts_with("ba7816bf8f01cfea"));
        assert!(KeyHash::from_hexadecimal(&hash.to_hexadecimal()).unwrap().matches(&hash));
        assert!(KeyHash::from_hexadecimal("ba78").is_none());
    }

    proptest! {
        #[test]
        fn no_text_makes_parsing_panic(text in "(lh_)?\\PC{0,45}") {
            prop_assert!(ApiKey::parse(&text).is_err());
        }
    }
}
