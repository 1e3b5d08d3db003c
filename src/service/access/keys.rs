//! API keys: generation, digests and lookup in constant time.
//!
//! A key is 256 random bits and cannot be guessed, neither by requests nor from its digest. One round of SHA-256 without salt is therefore
//! enough; a slow hash would only be needed for passwords.

use std::fmt;

use rand::TryRng as _;
use rand::rngs::SysRng;
use sha2::{Digest as _, Sha256};
use subtle::{Choice, ConditionallySelectable as _, ConstantTimeEq as _};

/// Prefix of every key, by which people and secret scanners recognize it.
const PREFIX: &str = "superflip_";

/// Maximum length of a key in a request, in bytes.
const MAX_LENGTH: usize = 256;

/// SHA-256 of a key. The key itself is not stored. Debug output is redacted.
#[derive(Clone, Copy)]
pub struct KeyDigest([u8; 32]);

impl KeyDigest {
    /// Computes the digest of a key.
    pub fn of(key: &[u8]) -> Self {
        Self(Sha256::digest(key).into())
    }

    /// Parses 64 hexadecimal digits.
    pub(crate) fn from_hex(text: &str) -> Option<Self> {
        let bytes = text.as_bytes().chunks(2).map(|pair| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok());
        let is_hex = text.len() == 64 && text.bytes().all(|c| c.is_ascii_hexdigit());
        let bytes: Vec<u8> = bytes.filter(|_| is_hex).collect::<Option<_>>()?;
        bytes.try_into().ok().map(Self)
    }

    /// Formats the digest as 64 hexadecimal digits.
    pub fn to_hex(self) -> String {
        hex(&self.0)
    }

    /// Returns whether both digests are equal, in constant time.
    fn constant_time_eq(&self, other: &Self) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

impl PartialEq for KeyDigest {
    fn eq(&self, other: &Self) -> bool {
        self.constant_time_eq(other).into()
    }
}

impl Eq for KeyDigest {}

impl fmt::Debug for KeyDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyDigest(redacted)")
    }
}

/// Generates a key from 256 random bits of the operating system, as 74 characters.
///
/// # Errors
/// Returns an error if the operating system has no source of randomness.
pub fn new_key() -> Result<String, rand::rngs::SysError> {
    let mut bytes = [0; 32];
    SysRng.try_fill_bytes(&mut bytes)?;
    Ok(PREFIX.to_owned() + &hex(&bytes))
}

/// Returns whether the text looks like a key. A configuration must not contain a key.
pub(crate) fn looks_like_key(text: &str) -> bool {
    text.starts_with(PREFIX)
}

/// Returns the index of the digest of `given`. The time depends on the number of digests only, because all of them are compared.
pub(crate) fn find_key<'a>(digests: impl IntoIterator<Item = &'a KeyDigest>, given: &[u8]) -> Option<u16> {
    if given.len() > MAX_LENGTH {
        return None;
    }
    let given = KeyDigest::of(given);
    let (mut found, mut index) = (Choice::from(0), 0);
    for (number, digest) in (0..).zip(digests) {
        let is_equal = digest.constant_time_eq(&given);
        index.conditional_assign(&number, is_equal);
        found |= is_equal;
    }
    bool::from(found).then_some(index)
}

fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_sha256() {
        // FIPS 180-4, example of one block.
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(KeyDigest::of(b"abc").to_hex(), digest);
        assert_eq!(KeyDigest::from_hex(&digest.to_uppercase()), Some(KeyDigest::of(b"abc")));
        for wrong in
            ["", "abc", &digest[1..], &format!("{digest}0"), &digest.replace('b', "g"), &digest.replace('b', "é")]
        {
            assert_eq!(KeyDigest::from_hex(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_key_is_found_by_its_digest() {
        let digests = ["first", "second", "third"].map(|secret| KeyDigest::of(secret.as_bytes()));
        for (index, secret) in [(0, "first"), (1, "second"), (2, "third")] {
            assert_eq!(find_key(&digests, secret.as_bytes()), Some(index));
        }
        for wrong in ["", "firs", "first ", "FIRST", "fourth", &"x".repeat(300)] {
            assert_eq!(find_key(&digests, wrong.as_bytes()), None, "{wrong}");
        }
        let long = "x".repeat(300);
        assert_eq!(find_key(&[KeyDigest::of(long.as_bytes())], long.as_bytes()), None);
        assert_eq!(find_key(&[], b"first"), None);
    }
}
