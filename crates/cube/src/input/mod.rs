//! Text forms of a cube: parsers, writers, and the checks of impossible cubes.
//!
//! | form | parser |
//! | --- | --- |
//! | 54 facelets, any six symbols, any of the 24 orientations | [`parse_facelets`]; [`to_facelets`] writes them |
//! | a scramble in WCA or `SiGN` notation | [`parse_scramble`] |
//! | Kociemba's arrays `cp`, `co`, `ep`, `eo` | [`parse_cubies`] |
//!
//! A cube that no turns can reach is rejected with all its faults, in this order:
//!
//! | code | Kociemba | meaning | reported |
//! | --- | --- | --- | --- |
//! | `reid_string` | 1 | twenty names of pieces in place of 54 symbols | alone |
//! | `wrong_length` | 1 | not 54 symbols | always; then only `too_many_symbols` and `too_few_symbols` are checked in addition |
//! | `too_many_symbols` | 1 | more than six distinct symbols | always |
//! | `too_few_symbols` | 1 | fewer than six distinct symbols | unless the missing symbols could correct it |
//! | `symbol_count` | 1 | a symbol does not occur nine times; names the misread sticker if correcting it alone makes the cube possible | with 54 symbols |
//! | `repeated_centre` | 1 | one symbol on several centres | with 54 symbols, once for each such symbol |
//! | `wrong_array_length` | | an array of cubies has not 8 or 12 entries | always, once for each array |
//! | `value_out_of_range` | | an entry is not a piece, twist or flip | always, once for each array |
//! | `impossible_corner` | 4 | a slot shows no corner of this cube, or with nine of each symbol the mirror image of one | with six distinct centres, once for each slot |
//! | `impossible_edge` | 2 | a slot shows no edge of this cube | likewise |
//! | `duplicate_corner` | 4 | one corner in several slots | with six distinct centres, once for each piece |
//! | `missing_corner` | 4 | corners that are in no slot | likewise, all in one; not if `cp` has a wrong length |
//! | `duplicate_edge`, `missing_edge` | 2 | the same for edges | likewise |
//! | `corner_twist` | 5 | the twists do not add up to a multiple of 3 | if all eight twists are known |
//! | `edge_flip` | 3 | the flips do not add up to an even number | if all twelve flips are known |
//! | `permutation_parity` | 6 | two pieces are exchanged | if every corner and every edge occurs exactly once; not if `cp` or `ep` has a wrong length |

mod cubies;
pub(crate) mod error;
pub(crate) mod facelets;
mod misread;
pub(crate) mod notation;
pub(crate) mod reid;
mod stickers;
pub(crate) mod verify;

pub use cubies::parse_cubies;
pub use error::{InputError, Violation, listed, plural, shown};
pub use facelets::{parse_facelets, to_facelets};
pub use notation::{parse_move, parse_scramble, parse_turns};
pub use reid::REID_REFUSAL;
pub use stickers::Stickers;
pub use verify::sticker;
