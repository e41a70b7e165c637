//! Signatures of clients: a server takes bytes that anybody may hold for those of a client, and keeps nothing of them.
//!
//! A signature is an HMAC-SHA256 (RFC 2104). Its secret follows from the hash of the client's key, which the store keeps:
//! every instance of a fleet knows it, and it ends when the key is revoked or gets a new secret.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use super::api_key::KeyHash;
use super::client::{Client, KeyId};
use super::{Access, AuthError};

/// Bytes of a signature.
pub const SIGNATURE_LENGTH: usize = 32;

impl Access {
    /// The signature of `message` by the active key `key_id`.
    ///
    /// # Errors
    /// As [`authenticate`](Self::authenticate).
    pub async fn sign(&self, key_id: &KeyId, message: &[u8]) -> Result<[u8; SIGNATURE_LENGTH], AuthError> {
        let (hash, _) = self.active_key(key_id).await?;
        Ok(code(&hash, message).finalize().into_bytes().into())
    }

    /// The client who signed `message` with the key `key_id`.
    ///
    /// # Errors
    /// [`AuthError::Unknown`] if the key is not active, or has not signed this; or as [`authenticate`](Self::authenticate).
    pub async fn signer(&self, key_id: &KeyId, message: &[u8], signature: &[u8]) -> Result<Client, AuthError> {
        let (hash, client) = self.active_key(key_id).await?;
        // Compares in constant time.
        code(&hash, message).verify_slice(signature).map_err(|_| AuthError::Unknown)?;
        Ok(client)
    }
}

fn code(hash: &KeyHash, message: &[u8]) -> Hmac<Sha256> {
    // HMAC pads short secrets so to the 64 bytes of a block.
    let mut secret = [0; 64];
    secret[..hash.0.len()].copy_from_slice(&hash.0);
    Hmac::new(&secret.into()).chain_update(b"longhand signature\0").chain_update(message)
}
