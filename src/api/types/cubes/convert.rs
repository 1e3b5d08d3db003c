//! Response of `/convert`.

use crate::contract::ToSchema;
use serde::Serialize;

use super::{Cubies, Scan, ScannedFaces};
use superflip_cube::forms::{Buffers, KPattern, Links};
use superflip_cube::{Cube, Form, Holding};

/// Cube in every form, or in those that were asked for.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Conversion {
    /// Form that was read; null for arrays and colours.
    #[schema(value_type = Option<crate::api::types::described::CubeForm>)]
    pub format: Option<Form>,
    /// How the cube is held in the forms below: the centre on top, then the centre in front.
    #[schema(value_type = String, example = "UF")]
    pub holding: Holding,
    /// Forms of the cube. Those that were not asked for are absent.
    pub forms: ConvertedForms,
    /// Links to pages that show the cube; null if no moves are known, because links contain moves.
    pub links: Option<LinksBody>,
    /// Cube that was read from `colors`; absent for other forms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scan: Option<Box<Scan>>,
    /// How the scanned faces were put together; present if their rotations or order are unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faces: Option<Box<ScannedFaces>>,
}

/// Forms of a cube.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[schema(as = CubeForms)]
pub struct ConvertedForms {
    /// 54 letters in the order U R F D L B.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facelets: Option<String>,
    /// 54 letters in the order U L F R B D.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ulfrbd: Option<String>,
    /// Nine lines of an unfolded cube.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub net: Option<String>,
    /// `0` and 54 digits in the order U L F R B D.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digits: Option<String>,
    /// Reid string; with centres if the cube is not held with U on top and F in front.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reid: Option<String>,
    /// Letters of nissy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b32: Option<String>,
    /// Object of cubing.js and twips.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<crate::api::types::described::KPattern>)]
    pub kpattern: Option<KPattern>,
    /// Speffz letters with the buffers of the request, or else `AU`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speffz: Option<String>,
    /// Twizzle binary as hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub twizzle: Option<String>,
    /// Kociemba's arrays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cubies: Option<Cubies>,
}

impl ConvertedForms {
    /// Names of the forms.
    pub const NAMES: [&str; 10] =
        ["facelets", "ulfrbd", "net", "digits", "reid", "b32", "kpattern", "speffz", "twizzle", "cubies"];

    /// Writes a cube in the forms whose names are accepted by `wanted`, with Speffz letters for these buffers.
    pub fn new(cube: &Cube, holding: Holding, buffers: Buffers, wanted: impl Fn(&str) -> bool) -> Self {
        let text = |form: Form| if wanted(form.name()) { form.write(cube, holding) } else { None };
        Self {
            facelets: text(Form::Facelets),
            ulfrbd: text(Form::Ulfrbd),
            net: text(Form::Net),
            digits: text(Form::Digits),
            reid: text(Form::Reid),
            b32: text(Form::B32),
            kpattern: wanted("kpattern").then(|| KPattern::of(cube, holding)),
            speffz: wanted("speffz").then(|| buffers.write(cube)),
            twizzle: text(Form::Twizzle),
            cubies: wanted("cubies").then(|| cube.into()),
        }
    }
}

/// Links to pages that show a scramble and its solution.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Links)]
pub struct LinksBody {
    /// Link to alg.cubing.net.
    pub alg_cubing_net: String,
    /// Link to alpha.twizzle.net.
    pub twizzle: String,
    /// Link to cubedb.net.
    pub cubedb: String,
}

impl From<Links> for LinksBody {
    fn from(from: Links) -> Self {
        let Links { alg_cubing_net, twizzle, cubedb } = from;
        Self { alg_cubing_net, twizzle, cubedb }
    }
}
