//! Recognises the form of a text.

mod lists;
mod remedy;

use std::str::FromStr;

use super::Form;
use super::codec::{Read, Recognised, parse};
use super::codec::{Symbol, symbols, words};
use super::error::{FormError, Reading, Violation};
use super::speffz::Buffers;
use super::stickers::{Centres, are_face_letters};
use crate::cubie::Cube;
use crate::face::Face;
use crate::geometry::FACELETS;
use crate::notation::MAX_MOVES;
use crate::verify::Stickers;
use lists::List;
pub use lists::{are_stickers, dictionary_as_json, without_list};
use remedy::mended;

/// Fewest letters in a row, without spaces, that are stickers.
const MIN_IN_ONE_WORD: usize = 9;

/// Fewest face letters in long words that are stickers.
const MIN_IN_LONG_WORDS: usize = 30;

/// Mean length from which words are long.
const LONG_WORD: usize = 3;

/// Number of letters of each face in 54 face letters that are read as stickers in any layout: nine, or one more or less.
const NEARLY_NINE: std::ops::RangeInclusive<usize> = 8..=10;

/// Number of equal face letters in a row, within a word, that are stickers: four equal moves do nothing.
const EQUAL_IN_A_ROW: usize = 5;

/// Most distinct symbols of a text that is explained as stickers: six colours and some misread ones.
const MAX_COLOURS: usize = 10;

/// Fewest symbols that are explained as stickers or digits.
const MIN_STICKERS: usize = 40;

/// Symbols that are no face letters, at most, in a text that is nearly 54 stickers. 54 symbols with as few are no usual maneuver.
const MAX_FOREIGN: usize = 8;

/// Stickers of a colour, at most, in such a text: one more than a cube has.
const MAX_OF_A_COLOUR: usize = 10;

/// Orders of the stickers.
const ORDERS: [Form; 3] = [Form::Facelets, Form::Ulfrbd, Form::Net];

/// Reads a cube in any text form, as [`Read::of`] does without a form.
impl FromStr for Cube {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, FormError> {
        Read::of(text, None, Buffers::default()).map(|read| read.cube)
    }
}

impl Read {
    /// Reads a cube in the form `format`, or recognises the form if it is `None`. `buffers` are the buffers of Speffz texts.
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
    /// // Wide moves, or pieces to exchange?
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
        let list = List::of(text);
        let text = list.as_ref().map_or(text, |list| &list.text);
        let read = match format {
            Some(form) => parse(text, form, buffers),
            None => detect(text, buffers, list.as_ref().is_some_and(List::is_of_stickers)),
        };
        read.map_err(|error| mended(error, text, format, buffers))
    }
}

/// Tries every form that the text resembles. The readings must agree on the cube. Otherwise the error is that of the nearest form.
/// `is_no_maneuver` says that the text is from a list of stickers.
pub(super) fn detect(text: &str, buffers: Buffers, is_no_maneuver: bool) -> Result<Read, FormError> {
    let shape = Shape { is_no_maneuver, ..Shape::of(text, buffers) };
    if let Some(form) = shape.certain {
        return parse(text, form, buffers);
    }
    if let Some(error) = shape.strange_centres().or_else(|| shape.mirrored_colours()) {
        return Err(error);
    }
    let attempts = shape.candidates().into_iter().map(|form| parse(text, form, buffers));
    let (readings, errors): (Vec<_>, Vec<_>) = attempts.partition(Result::is_ok);
    let mut readings: Vec<Read> = readings.into_iter().flatten().collect();
    let errors: Vec<FormError> = errors.into_iter().filter_map(Result::err).collect();
    if readings.windows(2).any(|pair| pair[0].cube != pair[1].cube) {
        let reading = |read: &Read| Reading { format: read.format, facelets: read.cube.to_string() };
        return Err(FormError::Ambiguous(readings.iter().map(reading).collect()));
    }
    if !readings.is_empty() {
        let best = readings.iter().position(|read| read.holding.is_some()).unwrap_or(0);
        return Ok(readings.swap_remove(best));
    }
    let mut unknown = errors.iter().filter_map(|error| match error {
        FormError::UnknownStickers { stickers, .. } => Some((error.format()?, stickers)),
        _ => None,
    });
    if let Some((format, stickers)) = unknown.next() {
        let formats = std::iter::once(format).chain(unknown.map(|(format, _)| format)).collect();
        return Err(FormError::UnknownStickers { formats, stickers: stickers.clone() });
    }
    Err(shape.nearest(errors))
}

/// What the text resembles.
struct Shape<'a> {
    text: &'a str,
    symbols: Vec<Symbol>,
    /// The form, if it is certain even for a text with a mistake.
    certain: Option<Form>,
    distinct: usize,
    /// Number of words.
    words: usize,
    /// Number of symbols of the longest word.
    longest_word: usize,
    /// Number of places in words where [`EQUAL_IN_A_ROW`] equal symbols in a row begin.
    rows: usize,
    is_net: bool,
    /// Whether the text is from a list of stickers.
    is_no_maneuver: bool,
    /// Other forms that the text may have.
    resembled: Vec<Form>,
}

impl<'a> Shape<'a> {
    fn of(text: &'a str, buffers: Buffers) -> Self {
        let symbols = symbols(text);
        let is_certain =
            |form: &Form| matches!(form.codec().recognised, Recognised::Certainly(is_alike) if is_alike(text));
        let certain = Form::ALL.into_iter().rev().find(is_certain);
        let is_like =
            |form: &Form| matches!(form.codec().recognised, Recognised::Perhaps(is_alike) if is_alike(text, buffers));
        let resembled = Form::ALL.into_iter().filter(is_like).collect();
        let mut seen: Vec<char> = symbols.iter().map(|(_, symbol)| *symbol).collect();
        seen.sort_unstable();
        seen.dedup();
        let words = words(text);
        let is_row = |row: &[Symbol]| row.iter().all(|(_, symbol)| *symbol == row[0].1);
        let rows = words.iter().flat_map(|word| word.windows(EQUAL_IN_A_ROW)).filter(|row| is_row(row)).count();
        let longest_word = words.iter().map(Vec::len).max().unwrap_or(0);
        let words = words.len();
        let distinct = seen.len();
        let is_net = is_net(text);
        Self { text, symbols, certain, distinct, words, longest_word, rows, is_net, is_no_maneuver: false, resembled }
    }

    fn has_54(&self) -> bool {
        self.symbols.len() == FACELETS
    }

    fn are_digits(&self) -> bool {
        let is_digit = |(_, symbol): &Symbol| symbol.is_ascii_digit();
        let is_known = |(_, symbol): &&Symbol| *symbol != Stickers::UNKNOWN;
        self.symbols.iter().filter(is_known).all(is_digit) && self.symbols.iter().any(is_digit)
    }

    /// Whether the text can only mean stickers: a list of them; letters alone, nine of them in one word; face letters, many in long words, or equal
    /// ones in a row, or about as many of each as a cube has; unknown stickers; or the stickers of a 2x2x2. Never true of a text that is longer than a maneuver may be.
    fn must_be_stickers(&self) -> bool {
        let length = self.symbols.len();
        if self.is_no_maneuver || self.is_small_cube() || self.has_placeholder() {
            return true;
        }
        let is_listed = self.has_54() || (self.are_digits() && length == FACELETS + 1);
        let is_unknown = is_listed && self.symbols.iter().any(|(_, symbol)| *symbol == Stickers::UNKNOWN);
        let is_in_long_words = length >= MIN_IN_LONG_WORDS && length >= LONG_WORD * self.words;
        let is_like_stickers = is_in_long_words || self.rows > 0 || self.is_nearly_counted();
        let is_word = self.longest_word >= MIN_IN_ONE_WORD && self.are_letters();
        let are_stickers = is_word || (is_like_stickers && are_face_letters(&self.symbols));
        length <= MAX_MOVES && (is_unknown || self.is_nearly_stickers() || are_stickers)
    }

    fn are_letters(&self) -> bool {
        self.symbols.iter().all(|(_, symbol)| symbol.is_alphabetic() || *symbol == Stickers::UNKNOWN)
    }

    /// Returns the number of symbols of each face, and the number of other symbols.
    fn counts(&self) -> ([usize; Face::COUNT], usize) {
        let mut counts = [0; Face::COUNT];
        let mut others = 0;
        for (_, symbol) in &self.symbols {
            match Face::from_letter(symbol.to_ascii_uppercase()) {
                Some(face) => counts[face.index()] += 1,
                None => others += 1,
            }
        }
        (counts, others)
    }

    /// Whether the text has 54 face letters, about nine of each, and six different ones on the centres.
    fn is_nearly_counted(&self) -> bool {
        let are_centres =
            || ORDERS.into_iter().any(|order| Centres::of(&self.symbols, order).are_face_letters().is_some());
        self.has_54() && self.counts().0.iter().all(|count| NEARLY_NINE.contains(count)) && are_centres()
    }

    /// Whether the text has 54 symbols with the centres of a cube, and all symbols that are no face letters are the same, such as an `x` or a
    /// `.` for each unknown sticker.
    fn has_placeholder(&self) -> bool {
        let is_face = |symbol: &char| Face::from_letter(symbol.to_ascii_uppercase()).is_some();
        let mut others = self.symbols.iter().map(|(_, symbol)| symbol).filter(|symbol| !is_face(symbol));
        let is_one = others.next().is_some_and(|first| others.all(|other| other == first));
        let is_held = || ORDERS.into_iter().any(|order| Centres::of(&self.symbols, order).are_held_faces());
        self.has_54() && is_one && is_held()
    }

    /// Whether the text has the 24 stickers of a 2x2x2: four of each of six symbols, in one word, or in words of faces or rows.
    fn is_small_cube(&self) -> bool {
        let is_four = |symbol: char| self.symbols.iter().filter(|(_, other)| *other == symbol).count() == 4;
        self.symbols.len() == 24
            && self.distinct == Face::COUNT
            && matches!(self.words, 1 | 6 | 12)
            && (self.are_letters() || self.are_digits())
            && self.symbols.iter().all(|(_, symbol)| is_four(*symbol))
    }

    /// Whether the text has 54 symbols in words of stickers, all six face letters, and some other symbols, such as the `x` or `-` of
    /// other programs for an unknown sticker. Most of these symbols are also notation, but a maneuver of so many moves has spaces.
    fn is_nearly_stickers(&self) -> bool {
        let is_laid_out = self.has_54() && (matches!(self.words, 1 | 6) || self.is_net);
        let (counts, others) = self.counts();
        is_laid_out && others <= MAX_FOREIGN && counts.iter().all(|count| (1..=MAX_OF_A_COLOUR).contains(count))
    }

    /// Whether the text has 54 stickers that may be in this order. If the centres belong to a cube in some orders, in face letters or
    /// in the usual colours, they show that it is one of these orders. Otherwise it is any.
    fn may_be_ordered(&self, format: Form) -> bool {
        if !self.has_54() {
            return false;
        }
        let are_held = |order: Form| Centres::of(&self.symbols, order).are_held();
        if ORDERS.into_iter().any(are_held) {
            are_held(format)
        } else {
            format != Form::Net || !self.has_words_of_faces()
        }
    }

    /// Whether the text has several words or lines of whole faces. A net has none.
    fn has_words_of_faces(&self) -> bool {
        let lengths: Vec<usize> = words(self.text).iter().map(Vec::len).collect();
        lengths.len() > 1 && lengths.iter().all(|length| length.is_multiple_of(FACELETS / Face::COUNT))
    }

    /// Returns the error of 54 stickers whose centres are the six face letters, but the centres of a cube in no order: then the faces are in an
    /// order that is not read. Without this, a cube near the solved one would be read as another one.
    fn strange_centres(&self) -> Option<FormError> {
        if !self.has_54()
            || !self.must_be_stickers()
            || ORDERS.into_iter().any(|order| Centres::of(&self.symbols, order).are_held_faces())
        {
            return None;
        }
        let centres = Centres::of(&self.symbols, Form::Facelets).are_face_letters()?;
        let letters: Vec<String> = centres.iter().map(char::to_string).collect();
        let message = format!(
            "The centres are {}, in the order of the text. They are those of a cube neither in the order U R F D L B nor in U L F R B D, \
             and not as a net. Write the faces in one of these orders. If the letters stand for colours, name the order.",
            letters.join(" ")
        );
        Some(FormError::impossible(vec![Violation::new("impossible_centres", None, message)]).in_form(Form::Facelets))
    }

    /// Returns the error of 54 stickers whose centres are the usual colours of a cube in a mirror. Either the cube has such colours, or the
    /// faces are written in another order or as seen from inside. A cube that is read in spite of that may be another one.
    fn mirrored_colours(&self) -> Option<FormError> {
        let centres = |order: Form| Centres::of(&self.symbols, order);
        if !self.has_54() || ORDERS.into_iter().any(|order| centres(order).are_held()) {
            return None;
        }
        let order = ORDERS.into_iter().find(|order| centres(*order).are_mirrored_colours())?;
        let message = format!(
            "The colours of the centres are mirrored: with white on top and green in front, red is on the left, not on the right as usual. \
             Write the faces as seen from outside, in the order U R F D L B. If the cube has these colours, name the order: `{order}`."
        );
        Some(FormError::impossible(vec![Violation::new("impossible_centres", None, message)]).in_form(order))
    }

    /// Returns the forms to try, in the order of [`Form::ALL`].
    fn candidates(&self) -> Vec<Form> {
        let is_candidate = |format: &Form| match format {
            Form::Digits => self.are_digits() && (FACELETS..=FACELETS + 1).contains(&self.symbols.len()),
            Form::Facelets | Form::Ulfrbd | Form::Net => self.may_be_ordered(*format),
            Form::Scramble => !self.must_be_stickers(),
            other => self.resembled.contains(other),
        };
        Form::ALL.into_iter().filter(is_candidate).collect()
    }

    /// Returns the error of the form that the text resembles most. No attempt succeeded.
    fn nearest(&self, errors: Vec<FormError>) -> FormError {
        let format = self.nearest_format();
        // Of several orders of stickers, the one with the fewest faults.
        let weight = |error: &FormError| match error {
            FormError::UnknownStickers { .. } => 0,
            FormError::Impossible { violations, .. } => violations.len(),
            _ => usize::MAX,
        };
        let is_near = |other: Form| other == format || (is_stickers(format) && is_stickers(other));
        let near = errors.into_iter().filter(|error| error.format().is_some_and(is_near));
        let smallest = near.min_by_key(|error| (weight(error), error.format() != Some(format)));
        smallest.unwrap_or_else(|| self.error_of(format))
    }

    fn nearest_format(&self) -> Form {
        let length = self.symbols.len();
        let is_long = (MIN_STICKERS..=MAX_MOVES).contains(&length);
        let is_plain = self.are_letters();
        if self.are_digits() && is_long {
            Form::Digits
        } else if self.must_be_stickers() || (is_long && self.distinct <= MAX_COLOURS && is_plain) {
            if self.is_net { Form::Net } else { Form::Facelets }
        } else {
            self.resembled.first().copied().unwrap_or(Form::Scramble)
        }
    }

    /// Returns the error of a form that was not tried because the number of symbols is wrong.
    fn error_of(&self, form: Form) -> FormError {
        let error = || FormError::at(0, "the form of this text was not recognised: name it").in_form(form);
        parse(self.text, form, Buffers::default()).err().unwrap_or_else(error)
    }
}

fn is_stickers(format: Form) -> bool {
    ORDERS.contains(&format)
}

/// Returns whether the text is laid out as an unfolded cube: lines or words of whole rows, which are 3 and 12 symbols long, but
/// not of whole faces. Some line ends may be missing.
fn is_net(text: &str) -> bool {
    let are_rows = |lengths: &[usize]| {
        let of_faces = lengths.iter().all(|length| length.is_multiple_of(9));
        lengths.iter().all(|length| length.is_multiple_of(3)) && lengths.iter().sum::<usize>() == FACELETS && !of_faces
    };
    let lines: Vec<usize> = text.lines().map(|line| symbols(line).len()).collect();
    let words: Vec<usize> = words(text).iter().map(Vec::len).collect();
    are_rows(&lines) || are_rows(&words)
}
