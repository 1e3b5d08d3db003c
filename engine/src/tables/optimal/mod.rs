//! Coset tables for optimal solutions: the distance of a cube from the solved coset of tetrads and slices.
//!
//! | size | corners | edges | entries | bytes |
//! | --- | --- | --- | --- | --- |
//! | `s` | 1184 classes | 34650 separations x parities of the slices, 2^2 | 164 102 400 | 41 MB |
//! | `m` | 1184 classes | 5775 separations x orientation up to whole slices, 2^8 | 1 750 425 600 | 438 MB |
//! | `l` | 1184 classes | 34650 separations x orientation up to whole slices, 2^8 | 10 502 553 600 | 2.6 GB |
//! | `xl` | 3393 classes | 34650 separations x orientation up to whole slices, 2^8 | 30 097 267 200 | 7.5 GB |
//!
//! All are invariant under the 48 symmetries. The entry of a cube holds, in two bits, how far its distance exceeds a
//! base: 0 for the base or less, 1, 2, and 3 for three or more. Each base maximises the average bound of random cubes.
//! In a cache line of 256 entries, the first two are replaced by the smallest distance in the line. It is the bound for
//! these two and for every 0:
//!
//! ```text
//! bit  0        4    6    8             510
//!      smallest | e2 | e3 | e4 | ... | e255 |
//! ```
//!
//! Coset tables belong to no profile. [`OptimalTable::open_or_build`] opens one.

pub(crate) mod build;
pub mod check;
mod line;
pub(crate) mod size;
mod steps;
pub(crate) mod table;

pub use size::Size;
pub use table::OptimalTable;
