//! Links that show one page to people without a key, until a day.
//!
//! A link holds the request for the page, compressed, with the key of its sender and the end of its time, signed by that
//! key ([`Access::sign`]). So the service keeps nothing of it. It stands behind the `#` of an address, which browsers send to
//! no server, and comes back in the header `Authorization`: no log has it.

use std::io::{Read as _, Write as _};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use super::errors::table::{ApiError, LARGEST_BODY};
use crate::access::{Access, AuthError, Client, KeyId, SIGNATURE_LENGTH};

/// What a link begins with, so that nobody takes it for a key.
const PREFIX: &str = "link_";
/// Most characters: the head of a request has 32 KiB.
pub(super) const LONGEST_LINK: usize = 24 * 1024;
/// The form of the bytes.
const FORM: u8 = 1;

/// What a link says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ClientLink {
    /// The key of its sender.
    pub(super) key_id: KeyId,
    /// When it ends, in Unix seconds.
    pub(super) ends: u32,
    /// The request for a preview, JSON.
    pub(super) request: Vec<u8>,
}

impl ClientLink {
    /// The text of the link; `None` if it would be longer than [`LONGEST_LINK`].
    ///
    /// # Errors
    /// The key is not active, or the store cannot be read.
    pub(super) async fn signed(&self, access: &Access) -> Result<Option<String>, AuthError> {
        let mut bytes = self.to_bytes();
        let signature = access.sign(&self.key_id, &bytes).await?;
        bytes.extend(signature);
        let text = PREFIX.to_owned() + &BASE64_URL_SAFE_NO_PAD.encode(bytes);
        Ok((text.len() <= LONGEST_LINK).then_some(text))
    }

    /// The link of a text, and its sender.
    ///
    /// # Errors
    /// [`ApiError::InvalidLink`] if it is damaged, has ended before `now` (Unix seconds), or its sender's key is not active;
    /// or the store cannot be read.
    pub(super) async fn read(text: &str, access: &Access, now: i64) -> Result<(Self, Client), ApiError> {
        let bytes = text.strip_prefix(PREFIX).and_then(|packed| BASE64_URL_SAFE_NO_PAD.decode(packed).ok());
        let bytes = bytes.ok_or(ApiError::InvalidLink)?;
        let (signed, signature) = bytes.split_last_chunk::<SIGNATURE_LENGTH>().ok_or(ApiError::InvalidLink)?;
        let (key_id, ends, packed) = parts(signed).ok_or(ApiError::InvalidLink)?;
        let client = access.signer(&key_id, signed, signature).await.map_err(|error| match error {
            AuthError::Unknown => ApiError::InvalidLink,
            error @ AuthError::Store(_) => error.into(),
        })?;
        // Nothing that was not signed is unpacked.
        let request = unpacked(packed).filter(|_| i64::from(ends) > now).ok_or(ApiError::InvalidLink)?;
        Ok((Self { key_id, ends, request }, client))
    }

    fn to_bytes(&self) -> Vec<u8> {
        let key_id = self.key_id.as_str().as_bytes();
        let mut bytes = vec![FORM];
        bytes.extend(self.ends.to_be_bytes());
        bytes.push(u8::try_from(key_id.len()).unwrap_or(u8::MAX));
        bytes.extend(key_id);
        let mut packer = DeflateEncoder::new(bytes, Compression::best());
        // Writing to memory does not fail.
        let _ = packer.write_all(&self.request);
        packer.finish().unwrap_or_default()
    }
}

/// Key, end and packed request of the bytes that were signed.
fn parts(bytes: &[u8]) -> Option<(KeyId, u32, &[u8])> {
    let (&[form, ends @ .., length], rest) = bytes.split_first_chunk::<6>()?;
    let (key_id, packed) = rest.split_at_checked(usize::from(length))?;
    let key_id = KeyId::from(std::str::from_utf8(key_id).ok()?);
    (form == FORM).then_some((key_id, u32::from_be_bytes(ends), packed))
}

fn unpacked(packed: &[u8]) -> Option<Vec<u8>> {
    let mut request = Vec::new();
    DeflateDecoder::new(packed).take(LARGEST_BODY as u64).read_to_end(&mut request).ok()?;
    Some(request)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;

    fn now<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
    }

    #[test]
    fn a_link_is_read_as_long_as_it_lasts_and_its_key_does() {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::manual(std::time::UNIX_EPOCH);
        let access = Access::open_local(folder.path(), clock.clone()).unwrap();
        let created = access.keys().create("shop", Some(7)).unwrap();
        let key_id = KeyId::from(created.id.as_str());
        let link = ClientLink { key_id: key_id.clone(), ends: 2_000, request: br#"{"text": "Dear Ann"}"#.to_vec() };
        let text = now(link.signed(&access)).unwrap().unwrap();
        let read = |text: &str, at| now(ClientLink::read(text, &access, at)).map_err(|error| error.to_string());
        let (found, client) = read(&text, 1_999).unwrap();
        assert_eq!((found, client.key_id, client.monthly_quota), (link.clone(), key_id.clone(), Some(7)));
        let invalid = Err(ApiError::InvalidLink.to_string());
        assert_eq!(read(&text, 2_000), invalid, "it has ended");
        // No byte of it can be changed.
        for at in PREFIX.len()..text.len() {
            let other = if text.as_bytes()[at] == b'A' { "B" } else { "A" };
            let mut forged = text.clone();
            forged.replace_range(at..=at, other);
            assert_eq!(read(&forged, 1_999), invalid, "character {at}");
        }
        for broken in ["", "link_", "link_AQ", &text[..text.len() / 2], created.key.reveal()] {
            assert_eq!(read(broken, 1_999), invalid, "{broken}");
        }
        // Another key signs otherwise.
        let other = KeyId::from(access.keys().create("other", None).unwrap().id.as_str());
        let of_other = now(ClientLink { key_id: other, ..link }.signed(&access)).unwrap().unwrap();
        assert_ne!(of_other[text.len() - 40..], text[text.len() - 40..]);
        access.keys().rotate(&created.id).unwrap();
        clock.advance(std::time::Duration::from_secs(1));
        assert_eq!(read(&text, 1_999), invalid, "its key has a new secret");
        assert!(read(&of_other, 1_999).is_ok());
    }

    #[test]
    fn a_request_that_is_too_long_has_no_link() {
        let folder = tempfile::tempdir().unwrap();
        let access = Access::open_local(folder.path(), Clock::system()).unwrap();
        let key_id = KeyId::from(access.keys().create("shop", None).unwrap().id.as_str());
        let draws = crate::noise::Stream::new(1, crate::noise::Purpose::WriterLetters);
        let noise = (0..40_000).map(|key| b'a' + (draws.bits(key) % 26) as u8).collect();
        assert_eq!(now(ClientLink { key_id, ends: 0, request: noise }.signed(&access)).unwrap(), None);
    }
}
