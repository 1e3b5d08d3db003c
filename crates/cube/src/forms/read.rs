//! Reads a cube in any text form.

use std::str::FromStr;

use super::detect::detect;
use super::error::FormError;
use super::links::{self, Link};
use super::speffz::{self, Buffers};
use super::{Form, b32, kpattern, reid, stickers, twizzle};
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

/// What a parser of one form returns: the cube, named by places as held, and how it is held.
pub(crate) type Parsed = Result<(Cube, Option<Holding>), FormError>;

/// Reads a cube in any text form, as [`Read::of`] does without a form.
impl FromStr for Cube {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, FormError> {
        Read::of(text, None, Buffers::default()).map(|read| read.cube)
    }
}

impl Read {
    /// Reads a cube in the form `format`, or recognises the form if it is `None`. `buffers` are those of Speffz texts.
    ///
    /// The forms and the rules by which they are recognised are listed in [`forms`](super).
    ///
    /// # Examples
    /// ```
    /// use superflip_cube::forms::{Buffers, Read};
    /// use superflip_cube::{Cube, Form, FormError, Holding, Move};
    ///
    /// let cube = Cube::SOLVED.after(&[Move::R, Move::U, Move::F]);
    /// for text in ["R U F", "GETVSBAH=ZFCXBAGLYTKE=A", "dgtbcvc.onmqeilJ", "https://alg.cubing.net/?setup=R_U_F"] {
    ///     assert_eq!(Read::of(text, None, Buffers::default())?.cube, cube);
    /// }
    /// let held = Read::of("y R", None, Buffers::default())?;
    /// assert_eq!((held.cube, held.holding), (*Move::R.cube(), Holding::from_name("UR")));
    ///
    /// // Wide turns, or pieces to exchange?
    /// let ambiguous = Read::of("f.b", None, Buffers::default());
    /// assert!(matches!(ambiguous, Err(FormError::Ambiguous(_))));
    /// assert!(Read::of("f.b", Some(Form::Speffz), Buffers::default()).is_ok());
    /// # Ok::<(), FormError>(())
    /// ```
    ///
    /// # Errors
    /// - [`FormError::Ambiguous`] if the text is a different cube in several forms, and `format` is `None`.
    /// - [`FormError::Unreadable`], [`FormError::Impossible`] or [`FormError::UnknownStickers`] if it is a cube in no form, or
    ///   not in the form `format`.
    pub fn of(text: &str, format: Option<Form>, buffers: Buffers) -> Result<Self, FormError> {
        let read = match format {
            Some(form) => parse(text, form, buffers),
            None => detect(text, buffers),
        };
        read.map_err(|mut error| {
            if let FormError::Unreadable { format: Some(form), position, nearest: found, .. } = &mut error {
                *found = nearest(text, *form, buffers, *position);
            }
            error
        })
    }

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

/// Parses a text in one form.
pub(crate) fn parse(text: &str, form: Form, buffers: Buffers) -> Result<Read, FormError> {
    let parsed = match form {
        Form::Digits => stickers::digits(text),
        Form::Facelets | Form::Ulfrbd | Form::Net => stickers::read(text, form),
        Form::Reid => reid::read(text),
        Form::B32 => b32::read(text),
        Form::Twizzle => twizzle::read(text),
        Form::Speffz => speffz::read(text, buffers),
        Form::KPattern => kpattern::read(text),
        Form::Scramble if reid::is_reid(text) => {
            Err(FormError::at(0, "20 names of pieces in a row are a Reid string, not turns: name the form `reid`."))
        }
        Form::Scramble => Read::of_scramble(text).map(|read| (read.cube, read.holding)),
        Form::Link => {
            return links::read(text)
                .map(|(cube, holding, link)| Read { format: form, cube, holding, link: Some(link) })
                .map_err(|error| error.in_form(form));
        }
    };
    let (cube, holding) = parsed.map_err(|error| error.in_form(form))?;
    Ok(Read { format: form, cube, holding, link: None })
}

/// Longest text, in characters, for which corrections are tried.
const MAX_BYTES: usize = 400;

/// Returns the first text that differs by one character at the position and is a cube in this form: with the case of the
/// character changed, the character exchanged with the next, replaced, removed, or another one inserted before it. Returns
/// `None` for links and for Reid strings that were named scrambles: one character is not what is wrong with them.
fn nearest(text: &str, form: Form, buffers: Buffers, position: usize) -> Option<String> {
    let given: Vec<char> = text.chars().collect();
    let is_other = form == Form::Link || (form == Form::Scramble && reid::is_reid(text));
    if is_other || given.len() > MAX_BYTES || position > given.len() {
        return None;
    }
    let mut candidates = Vec::new();
    let mut add = |with: &[char], skipped: usize| {
        let rest = given.get(position + skipped..).unwrap_or_default();
        candidates.push(given[..position].iter().chain(with).chain(rest).collect::<String>());
    };
    let alphabet: Vec<char> = alphabet(form).chars().collect();
    if let Some(&wrong) = given.get(position) {
        let other_case: Vec<char> =
            if wrong.is_lowercase() { wrong.to_uppercase().collect() } else { wrong.to_lowercase().collect() };
        add(&other_case, 1);
        if let Some(&next) = given.get(position + 1) {
            add(&[next, wrong], 2);
        }
        for symbol in &alphabet {
            add(&[*symbol], 1);
        }
        add(&[], 1);
    }
    for symbol in &alphabet {
        add(&[*symbol], 0);
    }
    candidates.into_iter().find(|candidate| candidate != text && parse(candidate, form, buffers).is_ok())
}

/// Characters that may replace a wrong one.
const fn alphabet(form: Form) -> &'static str {
    match form {
        Form::Digits => "0123456",
        Form::Reid => "URFDLB ",
        Form::B32 => "=ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef",
        Form::Twizzle => "0123456789abcdef",
        Form::Speffz => "abcdefghijklmnopqrstuvwx.",
        Form::Scramble => ")]'",
        Form::Facelets | Form::Ulfrbd | Form::Net | Form::Link | Form::KPattern => "",
    }
}

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
