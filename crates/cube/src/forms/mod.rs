//! Every text form of a cube: one reader that recognises the form, and one writer.
//!
//! | form | text | published by |
//! | --- | --- | --- |
//! | `facelets` | 54 stickers in the order U R F D L B, any six symbols | Kociemba, Cube Explorer |
//! | `ulfrbd` | 54 stickers in the order U L F R B D | dwalton's and cubing.js' programs |
//! | `net` | nine lines: U, then L F R B side by side, then D; some line ends may be missing | `rubiks_cubex` and others |
//! | `digits` | order U L F R B D; `0` and digits 1 to 6 for U L F R B D, or 54 digits from 0 or from 1 | rubiks-cube-solver.com, cubing.js |
//! | `scramble` | turns in WCA or `SiGN` notation, see [`parse_scramble`](super::input::parse_scramble) | World Cube Association, Kociemba, vcube, min2phase |
//! | `reid` | twenty names of pieces, perhaps with `SING ` before and centres behind | Reid, cube20src, cubing.js |
//! | `b32` | 8 letters `=` 12 letters `=` 1 letter | nissy-core |
//! | `speffz` | letters of corners, `.`, letters of edges | vcube |
//! | `twizzle` | 11 bytes as 22 hexadecimal digits or base64 | cubing.js |
//! | `link` | a link to alg.cubing.net, alpha.twizzle.net or cubedb.net | those pages |
//! | `kpattern` | a JSON object; [`KPattern`] in place of a text | cubing.js, twips |
//!
//! [`read()`] recognises the form as follows.
//!
//! - A text of a certain shape has that form, even with a mistake in it: links, Reid strings and B32.
//! - 54 symbols with `?` are stickers, and so are 55 digits with `?`.
//! - Letters alone, nine or more of them in a word, are stickers, never turns. So are 30 face letters or more in words of three on
//!   average, any number with five equal ones in a row within a word, and 54 with about nine of each and the centres of a cube.
//! - A text is read as Speffz only if it is one word with a `.`, and if vcube could have written it: without letters of the
//!   buffers' pieces.
//! - Base64 needs its `=` to be recognised.
//! - Of several orders for stickers with `?`, the one in which a legal cube has the known stickers is taken. If there are
//!   several, the text is [`FormError::Ambiguous`], unless its only cube is the same in each.
//! - Otherwise every form is tried. If the cubes differ, the text is [`FormError::Ambiguous`]. Orders of the
//!   stickers are left out if the centres are face letters that no rotation of the cube explains in that order, and one
//!   does in another order.
//!
//! Impossible cubes have the codes of [`input`](super::input), and one more: `impossible_centres`, for the centres of a
//! Reid string or `KPattern` to which no rotation leads.
//!
//! A cube may be held in 24 ways. The cube that is read is named by places as held: the same convention as in
//! [`input`](super::input). [`Read::holding`] says which way, if the text does: face letters, WCA colour letters (white,
//! red, green, yellow, orange, blue on U R F D L B) and digits on the centres, centres of Reid strings and `KPattern`, the
//! last letter of B32, the field of Twizzle binary, and rotations in a scramble.

mod colours;
mod detect;
mod error;
mod format;
mod found;
mod holding;
mod moves;
mod nearest;
mod parse;
mod pieces;
mod read;
mod stickers;
mod symbols;
mod write;

pub use error::{FormError, Reading};
pub use format::Format;
pub use holding::Holding;
pub use moves::link::{Link, Links, Site};
pub use moves::niss::{apply_niss, unniss};
pub use moves::plain::plain_moves;
pub use moves::scramble::{held_scramble, without_length};
pub use pieces::kpattern::{KPattern, Orbit, PatternData};
pub use pieces::speffz::{Buffers, to_speffz};
pub use read::{Read, read};
pub use stickers::read::{from_facelet_order, in_facelet_order};
pub use write::Forms;
