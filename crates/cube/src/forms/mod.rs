//! Every text form of a cube: one reader that recognises the form, and one writer.
//!
//! | form | text | published by |
//! | --- | --- | --- |
//! | `facelets` | 54 stickers in the order U R F D L B, any six symbols | Kociemba, Cube Explorer |
//! | `ulfrbd` | 54 stickers in the order U L F R B D | dwalton's and cubing.js' programs |
//! | `net` | nine lines: U, then L F R B side by side, then D; some line ends may be missing | `rubiks_cubex` and others |
//! | `digits` | order U L F R B D; `0` and digits 1 to 6 for U L F R B D, or 54 digits from 0 or from 1 | rubiks-cube-solver.com, cubing.js |
//! | `scramble` | moves in WCA or `SiGN` notation, see [`notation`](super::notation) | World Cube Association, Kociemba, vcube, min2phase |
//! | `reid` | twenty names of pieces, perhaps with `SING ` before and centres behind | Reid, cube20src, cubing.js |
//! | `b32` | 8 letters `=` 12 letters `=` 1 letter | nissy-core |
//! | `speffz` | letters of corners, `.`, letters of edges | vcube |
//! | `twizzle` | 11 bytes as 22 hexadecimal digits or base64 | cubing.js |
//! | `link` | a link to alg.cubing.net, alpha.twizzle.net or cubedb.net | those pages |
//! | `kpattern` | a JSON object, see [`KPattern`] | cubing.js, twips |
//!
//! [`Read::of`] recognises the form as follows.
//!
//! - A list of texts, such as `['WWW', 'RRR']`, is read as these texts with spaces between them. It is of moves only if each item is one
//!   move.
//! - A text of a certain shape has that form, even with a mistake in it: links, Reid strings and B32.
//! - 54 symbols with `?` are stickers, and so are 55 digits with `?`.
//! - Letters alone, nine or more of them in a word, are stickers, never moves. So are 30 face letters or more in words of three on
//!   average, any number with five equal ones in a row within a word, and 54 with about nine of each and six different centres.
//! - 54 symbols with the centres of a cube in face letters are stickers if all other symbols are face letters or one placeholder. So are
//!   the 24 symbols of a 2x2x2.
//! - Names of pieces are moves in no case. Other spellings with several meanings are listed in [`notation`](super::notation).
//! - A text is read as Speffz only if it is one word with a `.`, and if vcube could have written it: without letters of the
//!   buffers' pieces.
//! - Base64 needs its `=` to be recognised.
//! - Of several orders for stickers with `?`, the one in which a legal cube has the known stickers is taken. If there are
//!   several, the text is [`FormError::Ambiguous`], unless its only cube is the same in each.
//! - Otherwise every form is tried. If the cubes differ, the text is [`FormError::Ambiguous`]. Any 54 symbols may be a net, unless they
//!   are in words of whole faces.
//! - Orders of the stickers are left out if the centres speak for another order: the centres of a cube in face letters or in the letters of
//!   the usual colours, `WRGYOB`. Six face letters that are the centres of a cube in no order are refused, and so are the usual
//!   colours as in a mirror.
//! - An error names the other forms in which the text is a cube.
//!
//! Impossible cubes have the codes of [`verify`](super::verify), and one more: `impossible_centres`, for the centres of a
//! Reid string, a `KPattern` or stickers to which no rotation leads.
//!
//! A cube may be held in 24 ways. The cube that is read is named by places as held. [`Read::holding`] says which way, if the text does: face letters, WCA colour letters (white,
//! red, green, yellow, orange, blue on U R F D L B) and digits on the centres, centres of Reid strings and `KPattern`, the
//! last letter of B32, the field of Twizzle binary, and rotations in a scramble.

mod b32;
mod codec;
mod detect;
mod error;
mod kpattern;
mod links;
mod reid;
mod speffz;
mod stickers;
mod twizzle;

use std::fmt;

use serde::Deserialize;
use serde::de::value::StrDeserializer;

use codec::Codec;
pub use codec::Read;
pub use detect::{are_stickers, dictionary_as_json, without_list};
pub use error::{FormError, Reading, Violation, listed, plural, shown};
pub use kpattern::{KPattern, Orbit, PatternData};
pub use links::{Link, Links, Site};
pub use reid::REID_REFUSAL;
pub(crate) use reid::{PIECES_REFUSAL, is_reid, names_pieces};
pub use speffz::Buffers;
pub use stickers::{from_facelet_order, in_facelet_order};

/// A text form of a cube.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Form {
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
    /// Moves that lead from the solved cube to this one. Only read.
    Scramble,
    /// Address of a page that shows a cube. Only read.
    Link,
    /// JSON arrays of pieces and orientations.
    KPattern,
}

impl Form {
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
        self.codec().name
    }

    /// Returns what it is, in a few words: `a scramble`.
    pub const fn title(self) -> &'static str {
        self.codec().title
    }

    /// Returns whether cubes are written in this form. All forms are read.
    pub const fn is_writable(self) -> bool {
        self.codec().write.is_some()
    }

    /// Returns how it is read, written and recognised.
    const fn codec(self) -> &'static Codec {
        match self {
            Self::Digits => &stickers::DIGITS_CODEC,
            Self::Facelets => &stickers::FACELETS_CODEC,
            Self::Ulfrbd => &stickers::ULFRBD_CODEC,
            Self::Net => &stickers::NET_CODEC,
            Self::Reid => &reid::CODEC,
            Self::B32 => &b32::CODEC,
            Self::Twizzle => &twizzle::CODEC,
            Self::Speffz => &speffz::CODEC,
            Self::Scramble => &codec::SCRAMBLE,
            Self::Link => &links::CODEC,
            Self::KPattern => &kpattern::CODEC,
        }
    }

    /// Returns the form with this name.
    ///
    /// # Examples
    /// ```
    /// use superflip_cube::Form;
    ///
    /// assert_eq!(Form::from_name("b32"), Some(Form::B32));
    /// assert_eq!(Form::from_name("nissy"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::deserialize(StrDeserializer::<serde::de::value::Error>::new(name)).ok()
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
