//! Reads and writes a cube in one form; the characters of a text with their positions.

use super::error::FormError;
use super::links::{self, Link};
use super::speffz::Buffers;
use super::{Form, reid};
use crate::cubie::Cube;
use crate::holding::Holding;
use crate::notation::{parse_held, without_length};

/// A cube that was read, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Read {
    /// The form of the text.
    pub format: Form,
    /// The cube. Letters name places as the cube is held, so a solution can be turned without rotating the cube first.
    pub cube: Cube,
    /// How the cube is held; `None` if the form or the symbols do not say it.
    pub holding: Option<Holding>,
    /// The parts of a link; `None` for other forms.
    pub link: Option<Link>,
}

impl Read {
    /// Parses a maneuver as [`Cube::from_scramble`], and tells how the cube is held in the end.
    ///
    /// # Examples
    /// ```
    /// use superflip_cube::forms::Read;
    /// use superflip_cube::{Cube, FormError, Holding};
    ///
    /// assert_eq!(Read::of_scramble("R U F (3f)")?.cube, Cube::from_scramble("R U F")?);
    /// assert_eq!(Read::of_scramble("x R")?.holding, Holding::from_name("FD"));
    /// # Ok::<(), FormError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`Cube::from_scramble`].
    pub fn of_scramble(text: &str) -> Result<Self, FormError> {
        let (cube, holding) = parse_held(without_length(text))?;
        Ok(Self { format: Form::Scramble, cube, holding: Some(holding), link: None })
    }
}

/// How a form is read, written and recognised. Each form has one, in its file.
pub(crate) struct Codec {
    /// Name in lower case.
    pub(crate) name: &'static str,
    /// What the form is, in a few words.
    pub(crate) title: &'static str,
    /// How a text is recognised that does not name its form.
    pub(crate) recognised: Recognised,
    /// Symbols to try at the position of an error. Empty if only case changes and swaps are tried.
    pub(crate) alphabet: &'static str,
    /// Reads a text.
    pub(crate) read: fn(&str, Buffers) -> Parsed,
    /// Writes a cube; `None` if the form is only read.
    pub(crate) write: Option<fn(&Cube, Holding) -> String>,
}

/// How a text is recognised.
pub(crate) enum Recognised {
    /// A text for which this is true has the form, even with a mistake in it. The last form in [`Form::ALL`] is asked first.
    Certainly(fn(&str) -> bool),
    /// A text for which this is true may have the form.
    Perhaps(fn(&str, Buffers) -> bool),
    /// By counts of symbols and words, in [`detect`](super::detect).
    ByCounts,
}

/// Moves.
pub(crate) const SCRAMBLE: Codec = Codec {
    name: "scramble",
    title: "a scramble",
    recognised: Recognised::ByCounts,
    alphabet: ")]'",
    read: |text, _| {
        if reid::is_reid(text) {
            let message = "20 names of pieces in a row are a Reid string, not moves: name the form `reid`.";
            return Err(FormError::at(0, message));
        }
        Read::of_scramble(text).map(|read| (read.cube, read.holding))
    },
    write: None,
};

/// Parses a text in one form.
pub(crate) fn parse(text: &str, form: Form, buffers: Buffers) -> Result<Read, FormError> {
    let read = || {
        if form == Form::Link {
            let (cube, holding, link) = links::read(text)?;
            return Ok(Read { format: form, cube, holding, link: Some(link) });
        }
        let (cube, holding) = (form.codec().read)(text, buffers)?;
        Ok(Read { format: form, cube, holding, link: None })
    };
    read().map_err(|error: FormError| error.in_form(form))
}

impl Form {
    /// Writes a cube, named by places as held, in this form. Returns `None` if the form is only read.
    ///
    /// Each text is canonical: the same cube and holding always give the same text. Forms that have centres show the holding:
    /// facelets, nets, digits, Reid strings, `KPattern`. In those, letters name centres. B32 and Twizzle binary name the pieces
    /// relative to the centres and give the holding apart. Speffz has no holding: there, letters name places as held, and the
    /// buffers are `A` and `U`.
    ///
    /// # Examples
    /// ```
    /// use superflip_cube::{Cube, Form, FormError, Holding};
    ///
    /// let cube: Cube = "R U F".parse()?;
    /// let twizzle = Form::Twizzle.write(&cube, Holding::HOME);
    /// assert_eq!(twizzle.as_deref(), Some("af 1e 24 f4 46 2a c2 82 d8 00 00"));
    /// # Ok::<(), FormError>(())
    /// ```
    pub fn write(self, cube: &Cube, holding: Holding) -> Option<String> {
        self.codec().write.map(|write| write(cube, holding))
    }
}

impl Cube {
    /// Writes the cube in a form, held with U on top and F in front. Forms that are only read give facelets.
    ///
    /// # Examples
    /// ```
    /// use superflip_cube::{Cube, Form, FormError};
    ///
    /// let cube: Cube = "R U F".parse()?;
    /// assert_eq!(cube.to_form(Form::Facelets), "UUUUUULLDFBBFRRFRRFFRFFRDDRRRUDDBDDBFFDLLDLLBLLLUBBUBB");
    /// assert_eq!(cube.to_form(Form::Reid), "LF UB UL UF RD BR DB DL RF FD UR BL DRF UBL ULF LDF UFR RDB DLB BUR");
    /// # Ok::<(), FormError>(())
    /// ```
    pub fn to_form(&self, form: Form) -> String {
        form.write(self, Holding::HOME).unwrap_or_else(|| self.to_string())
    }
}

/// What a parser of one form returns: the cube, named by places as held, and how it is held.
pub(crate) type Parsed = Result<(Cube, Option<Holding>), FormError>;

/// A character and its position in the text, counted in characters.
pub(crate) type Symbol = (usize, char);

/// Returns whether the character separates: white space, invisible marks, and the signs that programs put between faces or stickers.
fn is_separator(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{fe0f}' | '\u{feff}' | ',' | ';' | '|')
}

/// Returns the characters that do not separate.
pub(crate) fn symbols(text: &str) -> Vec<Symbol> {
    text.chars().enumerate().filter(|(_, character)| !is_separator(*character)).collect()
}

/// Returns the words between separators.
pub(crate) fn words(text: &str) -> Vec<Vec<Symbol>> {
    let mut words: Vec<Vec<Symbol>> = Vec::new();
    let mut is_inside = false;
    for (position, character) in text.chars().enumerate() {
        if is_separator(character) {
            is_inside = false;
            continue;
        }
        if !is_inside {
            words.push(Vec::new());
        }
        if let Some(word) = words.last_mut() {
            word.push((position, character));
        }
        is_inside = true;
    }
    words
}
