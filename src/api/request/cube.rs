//! Reads a cube from one of its three forms.

use crate::api::problem::{Code, Problem};
use crate::api::types::Cubies;
use crate::cube::Cube;
use crate::cube::input::{parse_cubies, parse_facelets, parse_scramble};

/// The forms of the cube in a request. Exactly one must be present.
#[derive(Default)]
pub struct Forms {
    /// Colours of the 54 stickers.
    pub facelets: Option<String>,
    /// Moves from the solved cube.
    pub scramble: Option<String>,
    /// Kociemba's arrays.
    pub cubies: Option<Cubies>,
}

impl Forms {
    /// Reads the cube.
    ///
    /// # Errors
    /// Returns an error if there is not exactly one form, or if the cube is impossible.
    pub fn cube(self) -> Result<Cube, Problem> {
        match self {
            Self { facelets: Some(text), scramble: None, cubies: None } => Ok(parse_facelets(&text)?),
            Self { facelets: None, scramble: Some(text), cubies: None } => Ok(parse_scramble(&text)?),
            Self { facelets: None, scramble: None, cubies: Some(Cubies { cp, co, ep, eo }) } => {
                Ok(parse_cubies(&cp, &co, &ep, &eo)?)
            }
            Self { facelets, scramble, cubies } => {
                let given =
                    [("facelets", facelets.is_some()), ("scramble", scramble.is_some()), ("cubies", cubies.is_some())];
                let given: Vec<&str> =
                    given.into_iter().filter(|(_, is_some)| *is_some).map(|(name, _)| name).collect();
                let found =
                    if given.is_empty() { "none is given".to_owned() } else { given.join(" and ") + " are given" };
                let detail = format!("The request needs exactly one of `facelets`, `scramble` and `cubies`; {found}.");
                Err(Problem::new(Code::CubeForm, detail))
            }
        }
    }
}
