//! Names of the text forms.

use std::fmt;

use serde::Deserialize;
use serde::de::value::StrDeserializer;

/// A text form of a cube.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// 55 or 54 digits in the order U L F R B D.
    Digits,
    /// 54 stickers in the order U R F D L B.
    Facelets,
    /// 54 stickers in the order U L F R B D.
    Ulfrbd,
    /// 54 stickers as an unfolded cube.
    Net,
    /// Names of the pieces in the twenty slots.
    Reid,
    /// One letter per piece, as nissy writes them.
    B32,
    /// Eleven bytes as hexadecimal digits or base64.
    Twizzle,
    /// Letters of stickers that are exchanged with a buffer.
    Speffz,
    /// Turns that lead from the solved cube to this one.
    Scramble,
    /// Address of a page that shows a cube.
    Link,
    /// JSON arrays of pieces and orientations.
    KPattern,
}

impl Format {
    /// Every form. If several forms give the same cube for one text, the first one here is reported.
    pub const ALL: [Self; 11] = [
        Self::Digits,
        Self::Facelets,
        Self::Ulfrbd,
        Self::Net,
        Self::Reid,
        Self::B32,
        Self::Twizzle,
        Self::Speffz,
        Self::Scramble,
        Self::Link,
        Self::KPattern,
    ];

    /// Returns its name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Digits => "digits",
            Self::Facelets => "facelets",
            Self::Ulfrbd => "ulfrbd",
            Self::Net => "net",
            Self::Reid => "reid",
            Self::B32 => "b32",
            Self::Twizzle => "twizzle",
            Self::Speffz => "speffz",
            Self::Scramble => "scramble",
            Self::Link => "link",
            Self::KPattern => "kpattern",
        }
    }

    /// Returns the form with this name.
    ///
    /// # Examples
    /// ```
    /// use superflip_cube::forms::Format;
    ///
    /// assert_eq!(Format::from_name("b32"), Some(Format::B32));
    /// assert_eq!(Format::from_name("nissy"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::deserialize(StrDeserializer::<serde::de::value::Error>::new(name)).ok()
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
