//! Draws cubes of one to ten layers as SVG and PNG.
//!
//! A picture is made in three steps. [`parameters`] reads the parameters of `VisualCube` into a [`Picture`]: the colours of the stickers,
//! the view, the styles and the arrows. [`Picture::scene`] projects it to plane shapes, the [`Scene`]. [`svg`] and [`png`](mod@png) write a
//! scene. Both draw the same shapes.
//!
//! The crate performs no I/O.
//!
//! # Examples
//!
//! ```
//! use superflip_picture::parameters::{Parameters, Reading};
//! use superflip_picture::svg;
//!
//! let parameters = Parameters { alg: Some("R U R' U'"), ..Parameters::default() };
//! let picture = parameters.read(Reading::Strict)?;
//! assert!(svg::write(&picture.scene()).starts_with("<svg "));
//! # Ok::<(), superflip_picture::parameters::ParameterError>(())
//! ```

// Sizes of cubes are at most 10 and pictures have at most 1024 pixels, so these casts are exact.
#![allow(clippy::cast_precision_loss, clippy::cast_sign_loss, clippy::cast_possible_wrap)]

pub mod arrow;
pub mod colour;
pub mod geometry;
pub mod moves;
pub mod net;
pub mod parameters;
mod picture;
pub mod png;
pub mod scene;
pub mod steps;
pub mod stickers;
pub mod svg;

pub use colour::Rgb;
pub use picture::Picture;
pub use scene::Scene;

/// Runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
