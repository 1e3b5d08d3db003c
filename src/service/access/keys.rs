//! API keys: how one is made, what is kept of it, and how a given one is told from others.
//!
//! A key is 256 random bits, so nobody finds it by trying: neither at the door nor, having seen the configuration, from its
//! digest. That is why one round of SHA-256 is enough where a password, which people choose, would need a slow hash, and why
//! there is no salt: no two keys are alike.

use std::fmt::{self, Write as _};

use rand::TryRng as _;
use rand::rngs::SysRng;
use sha2::{Digest as _, Sha256};
use subtle::{Choice, ConditionallySelectable as _, ConstantTimeEq as _};

use crate::service::config::access::Key;

/// What every key begins with, so that people and scanners for secrets know it when they see one.
const PREFIX: &str = "superflip_";

/// Longest key that is looked at, in bytes.
const LONGEST: usize = 256;

/// The SHA-256 of a key, all that is kept of it. It does not show itself in debugging output.
#[derive(Clone, Copy)]
pub struct KeyDigest([u8; 32]);

impl KeyDigest {
    /// The digest of a key.
    pub fn of(key: &[u8]) -> Self {
        Self(Sha256::digest(key).into())
    }

    /// The digest written as 64 hexadecimal digits.
    pub fn from_hex(text: &str) -> Option<Self> {
        let digits = text.bytes().map(|digit| char::from(digit).to_digit(16));
        let digits: Vec<u8> = digits.map(|digit| digit.map(|digit| digit as u8)).collect::<Option<_>>()?;
        let bytes: Vec<u8> = digits.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).unwrap_or(&0)).collect();
        (digits.len() == 64).then_some(())?;
        bytes.try_into().ok().map(Self)
    }

    /// The digest as 64 hexadecimal digits.
    pub fn to_hex(self) -> String {
        hex(&self.0)
    }

    /// Whether both are of one key, in a time that does not tell where they differ.
    fn is(&self, other: &Self) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

impl PartialEq for KeyDigest {
    fn eq(&self, other: &Self) -> bool {
        self.is(other).into()
    }
}

impl Eq for KeyDigest {}

impl fmt::Debug for KeyDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyDigest(redacted)")
    }
}

/// A new key: 256 bits from the operating system, written as 74 characters.
///
/// # Errors
/// When the operating system has no randomness to give.
pub fn new_key() -> Result<String, rand::rngs::SysError> {
    let mut bytes = [0; 32];
    SysRng.try_fill_bytes(&mut bytes)?;
    Ok(PREFIX.to_owned() + &hex(&bytes))
}

/// Whether the text looks like a key, and so should stand in no configuration.
pub(crate) fn is_like_a_key(text: &str) -> bool {
    text.starts_with(PREFIX)
}

/// Which of the keys was given, by its place in the list. All are looked at whichever it is, so that the time it takes tells
/// nothing but how many there are.
pub fn which(keys: &[Key], given: &[u8]) -> Option<u16> {
    if given.len() > LONGEST {
        return None;
    }
    let given = KeyDigest::of(given);
    let (mut found, mut place) = (Choice::from(0), 0);
    for (number, key) in (0..).zip(keys) {
        let is_it = key.sha256.is(&given);
        place.conditional_assign(&number, is_it);
        found |= is_it;
    }
    bool::from(found).then_some(place)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing into a text cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str, secret: &str) -> Key {
        Key {
            name: name.into(),
            sha256: KeyDigest::of(secret.as_bytes()),
            requests_per_second: None,
            request_burst: None,
            max_requests: None,
        }
    }

    #[test]
    fn the_digest_is_that_of_the_standard() {
        // FIPS 180-4, the example of one block.
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
    fn keys_do_not_repeat_and_are_long() {
        let (one, two) = (new_key().unwrap(), new_key().unwrap());
        assert_ne!(one, two);
        assert!(one.len() == PREFIX.len() + 64 && is_like_a_key(&one));
    }

    #[test]
    fn each_key_is_found_at_its_place_and_no_other() {
        let keys = ["first", "second", "third"].map(|secret| key("k", secret));
        for (place, secret) in [(0, "first"), (1, "second"), (2, "third")] {
            assert_eq!(which(&keys, secret.as_bytes()), Some(place));
        }
        for wrong in ["", "firs", "first ", "FIRST", "fourth", &"x".repeat(300)] {
            assert_eq!(which(&keys, wrong.as_bytes()), None, "{wrong}");
        }
        let long = "x".repeat(300);
        assert_eq!(which(&[key("k", &long)], long.as_bytes()), None);
        assert_eq!(which(&[], b"first"), None);
    }

    #[test]
    fn a_digest_does_not_show_itself() {
        let shown = format!("{:?} {:#?}", key("ci", "secret"), KeyDigest::of(b"secret"));
        assert!(shown.contains("ci") && shown.contains("redacted"));
        assert!(!shown.contains(&KeyDigest::of(b"secret").to_hex()[..8]) && !shown.contains("0x"), "{shown}");
    }
}
