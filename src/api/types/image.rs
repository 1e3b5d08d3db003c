//! Queries for pictures of cubes.

use superflip_picture::parameters::Parameters;

use super::request;
use crate::contract::IntoParams;

request! {
    param
    /// A picture, in the parameters of `VisualCube`, and perhaps a cube. An empty value of such a parameter counts as absent.
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    ImageQuery: cube_text {
        /// Format: `svg` or `png`.
        pub fmt: Option<String>,
        /// Number of layers, 1 to 10 (default: 3).
        #[param(example = "3")]
        pub pzl: Option<String>,
        /// Width and height in pixels, 0 to 1024 (default: 128).
        #[param(example = "200")]
        pub size: Option<String>,
        /// `plan` (from above, with the upper layer of each side) or `trans` (transparent).
        #[param(example = "plan")]
        pub view: Option<String>,
        /// Stage of a solving method, such as `f2l` or `cross-x2`: shows its stickers, and draws the others dark grey.
        #[param(example = "oll")]
        pub stage: Option<String>,
        /// Rotations in degrees (default: `y45x-34`).
        #[param(example = "y45x-34")]
        pub r: Option<String>,
        /// Moves to show.
        #[param(example = "R U R' U'")]
        pub alg: Option<String>,
        /// Moves that solve the cube to show, such as `R U2 R'`; their inverse is applied before `alg`.
        pub case: Option<String>,
        /// Stickers as letters of faces `urfdlb`, or `n` (blank), `o` (oriented), `t` (transparent).
        pub fd: Option<String>,
        /// Stickers as letters of colours, `ndlswyrobgmpt`.
        pub fc: Option<String>,
        /// Colours of the faces U R F D L B: six letters, or six colours separated by commas (default: `yrbwog`; with a cube `wrgyob`).
        #[param(example = "wrgyob")]
        pub sch: Option<String>,
        /// Background: a letter, a name, 3 or 6 hexadecimal digits, or `t` (default: `white`).
        #[param(example = "t")]
        pub bg: Option<String>,
        /// Colour of the body (default: `black`).
        #[param(example = "black")]
        pub cc: Option<String>,
        /// Colour of arrows (default: `grey`).
        #[param(example = "grey")]
        pub ac: Option<String>,
        /// Opacity of the body in percent (default: 100; with `view=trans` 50).
        #[param(example = "100")]
        pub co: Option<String>,
        /// Opacity of the stickers in percent (default: 100).
        #[param(example = "100")]
        pub fo: Option<String>,
        /// Distance of the eye, 1 to 100 (default: 5).
        #[param(example = "5")]
        pub dist: Option<String>,
        /// Arrows, such as `U0U2,R6R2R0-s8-i5-yellow`.
        #[param(example = "U0U2")]
        pub arw: Option<String>,
        /// Version of this service, as in `superflip --version`. Browsers then keep the picture for a year; any other value has no effect.
        #[param(example = "0.1.0")]
        pub v: Option<String>,
    }
}

request! {
    param
    /// A cube, and moves to show step by step.
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    StepsQuery: cube_text {
        /// Moves to show, at most 30.
        #[param(example = "R U R' U'")]
        pub solution: String,
        /// Width of each picture in pixels, 16 to 256 (default: 128).
        #[param(example = "128")]
        pub size: Option<String>,
        /// Colours of the faces U R F D L B, as for GET /image.svg (default: `wrgyob`).
        #[param(example = "wrgyob")]
        pub sch: Option<String>,
        /// Background, as for GET /image.svg (default: `white`).
        #[param(example = "t")]
        pub bg: Option<String>,
        /// Colour of the body, as for GET /image.svg (default: `black`).
        #[param(example = "black")]
        pub cc: Option<String>,
        /// Version of this service, as in `superflip --version`. Browsers then keep the picture for a year; any other value has no effect.
        #[param(example = "0.1.0")]
        pub v: Option<String>,
    }
}

impl ImageQuery {
    /// Names of the parameters.
    pub const NAMES: [&str; 27] = [
        "cube",
        "facelets",
        "scramble",
        "format",
        "buffers",
        "inverse_moves",
        "face_rotations",
        "face_order",
        "fmt",
        "pzl",
        "size",
        "view",
        "stage",
        "r",
        "alg",
        "case",
        "fd",
        "fc",
        "sch",
        "bg",
        "cc",
        "ac",
        "co",
        "fo",
        "dist",
        "arw",
        "v",
    ];

    /// Returns the parameters of `VisualCube`.
    pub fn parameters(&self) -> Parameters<'_> {
        Parameters {
            pzl: self.pzl.as_deref(),
            size: self.size.as_deref(),
            view: self.view.as_deref(),
            stage: self.stage.as_deref(),
            r: self.r.as_deref(),
            alg: self.alg.as_deref(),
            case: self.case.as_deref(),
            fd: self.fd.as_deref(),
            fc: self.fc.as_deref(),
            sch: self.sch.as_deref(),
            bg: self.bg.as_deref(),
            cc: self.cc.as_deref(),
            ac: self.ac.as_deref(),
            co: self.co.as_deref(),
            fo: self.fo.as_deref(),
            dist: self.dist.as_deref(),
            arw: self.arw.as_deref(),
        }
    }
}

impl StepsQuery {
    /// Returns the parameters of each picture.
    pub fn parameters(&self) -> Parameters<'_> {
        Parameters {
            size: self.size.as_deref(),
            sch: self.sch.as_deref(),
            bg: self.bg.as_deref(),
            cc: self.cc.as_deref(),
            ..Parameters::default()
        }
    }
}
