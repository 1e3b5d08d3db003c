//! Parses a cube from 54 facelets, and explains every fault of their symbols.

use std::collections::BTreeMap;

use super::{InputForm, NamedKind, ReadPieces, capital, sticker, stickers, verify};
use crate::cubie::Cube;
use crate::face::Face;
use crate::forms::{FormError, REID_REFUSAL, Violation, is_reid, listed, plural, shown};
use crate::geometry::{CENTRE_FACELETS, FACELETS};

/// Greatest number of symbols or stickers listed in a message.
const LISTED: usize = 12;

/// Symbols that other programs write for an unknown sticker.
const PLACEHOLDERS: &str = "xX-._*#";

impl Cube {
    /// Parses 54 symbols: faces in the order U R F D L B, each row by row as seen from outside.
    ///
    /// White space is ignored, and so are byte order marks and emoji variation selectors. Any six distinct characters will
    /// do: each centre defines the face of its symbol. So the letters `URFDLB`, the colour letters of any scheme and any of
    /// the 24 orientations are understood. Letters in results name places in the given orientation.
    ///
    /// # Examples
    /// ```
    /// use superflip_cube::{Cube, FormError, Move};
    ///
    /// let solved = "wwwwwwwwwrrrrrrrrrgggggggggyyyyyyyyyooooooooobbbbbbbbb";
    /// assert_eq!(Cube::from_facelets(solved)?, Cube::SOLVED);
    /// assert!(Move::R.cube().to_string().starts_with("UUFUUFUUF"));
    /// # Ok::<(), FormError>(())
    /// ```
    ///
    /// # Errors
    /// [`FormError::Impossible`] with all faults; the codes are listed in [`verify`](crate::verify).
    pub fn from_facelets(text: &str) -> Result<Self, FormError> {
        read(text).map_err(|error| {
            if is_reid(text) {
                FormError::impossible(vec![Violation::new("reid_string", Some(1), REID_REFUSAL.to_owned())])
            } else {
                error
            }
        })
    }
}

fn read(text: &str) -> Result<Cube, FormError> {
    let mut symbols = ['\0'; FACELETS];
    let mut length = 0;
    for symbol in text.chars().filter(|c| is_symbol(*c)) {
        if let Some(place) = symbols.get_mut(length) {
            *place = symbol;
        }
        length += 1;
    }
    let centres = CENTRE_FACELETS.map(|facelet| symbols[facelet]);
    // All six are compared: stopping at the matching one would be an unpredictable branch.
    let face_of = |symbol| {
        let centres = centres.iter().zip(Face::ALL);
        centres.fold(None, |found, (centre, face)| if *centre == symbol { Some(face) } else { found })
    };
    let faces = symbols.map(face_of);
    let mut found = Vec::new();
    let mut wrong_counts = None;
    let is_nine_each = Face::ALL.iter().all(|face| faces.iter().filter(|other| **other == Some(*face)).count() == 9);
    if length != FACELETS || !is_nine_each {
        let census = Census::of(text);
        let misread = if length == FACELETS {
            Misread::find(&symbols, &census.counts, |text| Cube::from_facelets(text).is_ok())
        } else {
            None
        };
        found.extend([census.length(), census.too_many(misread), census.too_few()].into_iter().flatten());
        if length != FACELETS {
            return Err(FormError::impossible(found));
        }
        found.extend(census.counts(misread));
        let repeated = repeated_centres(&centres);
        // Without six distinct centres, symbols cannot be assigned to faces.
        if !repeated.is_empty() || misread.is_some_and(Misread::is_centre) {
            found.extend(repeated);
            return Err(FormError::impossible(found));
        }
        wrong_counts = Some(WrongCounts { misread });
    }
    let reading = ReadPieces::of_stickers(&faces);
    found.extend(impossible_slots(&reading.corners, &symbols, &faces, wrong_counts));
    found.extend(impossible_slots(&reading.edges, &symbols, &faces, wrong_counts));
    verify(&reading, InputForm::Facelets(centres), found)
}

/// Returns the name of the cube of another size that has this number of stickers.
pub(super) const fn other_size(stickers: usize) -> Option<&'static str> {
    Some(match stickers {
        24 => "2x2x2",
        96 => "4x4x4",
        150 => "5x5x5",
        216 => "6x6x6",
        294 => "7x7x7",
        _ => return None,
    })
}

/// Returns whether the character stands for a sticker.
pub(crate) fn is_symbol(character: char) -> bool {
    !character.is_whitespace() && !matches!(character, '\u{fe0f}' | '\u{feff}')
}

/// Some colour does not occur nine times. Contains the misread sticker if it is certain.
#[derive(Clone, Copy)]
struct WrongCounts {
    misread: Option<Misread>,
}

/// The symbols of the text and their counts, from which errors are explained.
struct Census {
    /// Symbols in order; a prefix if the text is too long.
    first: Vec<char>,
    length: usize,
    /// Each symbol with its count, in order of first appearance.
    counts: Vec<(char, usize)>,
}

impl Census {
    fn of(text: &str) -> Self {
        let mut census = Self { first: Vec::new(), length: 0, counts: Vec::new() };
        let mut known = BTreeMap::new();
        for symbol in text.chars().filter(|c| is_symbol(*c)) {
            census.length += 1;
            // One symbol too many shows that the text is too long.
            if census.first.len() <= FACELETS {
                census.first.push(symbol);
            }
            let at = *known.entry(symbol).or_insert_with(|| {
                census.counts.push((symbol, 0));
                census.counts.len() - 1
            });
            census.counts[at].1 += 1;
        }
        census
    }

    /// Lists each symbol with its count: `U` 9, `R` 8 ...
    fn tally<'a>(counts: impl Iterator<Item = &'a (char, usize)>) -> String {
        let mut parts: Vec<_> = counts.take(LISTED + 1).map(|(c, n)| format!("`{}` {n}", shown(*c))).collect();
        if parts.len() > LISTED {
            parts.truncate(LISTED);
            parts.push("...".to_owned());
        }
        parts.join(", ")
    }

    fn length(&self) -> Option<Violation> {
        if self.length == FACELETS {
            return None;
        }
        let (by, what) = if self.length < FACELETS { ("missing", "add") } else { ("too many", "take out") };
        let off = self.length.abs_diff(FACELETS);
        let tally = if self.counts.is_empty() {
            String::new()
        } else {
            format!(" Found: {}; each should be there 9 times.", Self::tally(self.counts.iter()))
        };
        let remedy = other_size(self.length).map_or_else(
            || format!(": {what} the {off} {by}.{tally}"),
            |size| format!(". {} are those of a {size} cube; only the 3x3x3 is solved here.", self.length),
        );
        let message = format!(
            "A cube has 54 stickers, but {} symbol{} {} given{remedy}",
            self.length,
            plural(self.length),
            if self.length == 1 { "was" } else { "were" },
        );
        Some(Violation::new("wrong_length", Some(1), message))
    }

    /// Returns the positions of the symbols that match, if there are 54 symbols.
    fn places(&self, is_meant: impl Fn(char) -> bool) -> Vec<usize> {
        self.first.iter().enumerate().filter(|(_, symbol)| is_meant(**symbol)).map(|(facelet, _)| facelet).collect()
    }

    fn too_many(&self, misread: Option<Misread>) -> Option<Violation> {
        if self.counts.len() <= Face::COUNT {
            return None;
        }
        let mut places = Vec::new();
        let remedy = if self.length == FACELETS {
            let centres = CENTRE_FACELETS.map(|facelet| self.first[facelet]);
            let on_no_centre = || self.places(|symbol| !centres.contains(&symbol));
            places = misread.map_or_else(on_no_centre, |misread| vec![misread.facelet]);
            let odd = self.counts.iter().filter(|(c, _)| places.iter().any(|&facelet| self.first[facelet] == *c));
            let named: Vec<_> = places.iter().take(LISTED).map(|&facelet| sticker(facelet)).collect();
            format!("read these again: {} (stickers {})", Self::tally(odd), named.join(" "))
        } else {
            let mut rarest_first: Vec<_> = self.counts.iter().collect();
            rarest_first.sort_by_key(|(_, n)| *n);
            format!("the rarest are the likeliest to be wrong: {}", Self::tally(rarest_first.into_iter()))
        };
        let message = format!(
            "A cube has six colours, but {} distinct symbols were given (upper and lower case differ): {remedy}.{}",
            self.counts.len(),
            self.placeholder(),
        );
        Some(Violation::new("too_many_symbols", Some(1), message).about(places))
    }

    /// Returns the advice to write `?` if a symbol usually stands for an unknown sticker.
    fn placeholder(&self) -> String {
        let is_centre = |symbol| CENTRE_FACELETS.iter().any(|facelet| self.first.get(*facelet) == Some(&symbol));
        let usual = self.counts.iter().find(|(symbol, _)| PLACEHOLDERS.contains(*symbol) && !is_centre(*symbol));
        usual
            .map_or_else(String::new, |(symbol, _)| format!(" If `{symbol}` is an unknown sticker, write `?` instead."))
    }

    fn too_few(&self) -> Option<Violation> {
        let distinct = self.counts.len();
        if distinct + FACELETS.saturating_sub(self.length) >= Face::COUNT {
            return None;
        }
        let message = format!(
            "A cube has six colours, but only {distinct} distinct symbol{} {} given: {}. Give each colour a symbol of its \
             own.",
            plural(distinct),
            if distinct == 1 { "was" } else { "were" },
            Self::tally(self.counts.iter()),
        );
        Some(Violation::new("too_few_symbols", Some(1), message))
    }

    fn counts(&self, misread: Option<Misread>) -> Option<Violation> {
        let wrong: Vec<_> = self.counts.iter().filter(|(_, n)| *n != 9).collect();
        if wrong.is_empty() {
            return None;
        }
        let places = misread.map_or_else(
            || self.places(|symbol| wrong.iter().any(|(c, _)| *c == symbol)),
            |misread| vec![misread.facelet],
        );
        let remedy = misread.map_or_else(|| "Check the stickers of these colours.".to_owned(), Misread::remedy);
        let message =
            format!("Each symbol must occur 9 times. Wrong counts: {}. {remedy}", Self::tally(wrong.into_iter()));
        Some(Violation::new("symbol_count", Some(1), message).about(places))
    }
}

pub(crate) fn repeated_centres(centres: &[char; Face::COUNT]) -> Vec<Violation> {
    let mut found = Vec::new();
    for (i, symbol) in centres.iter().enumerate() {
        let faces: Vec<Face> = Face::ALL.into_iter().filter(|face| centres[face.index()] == *symbol).collect();
        if faces.len() > 1 && faces[0].index() == i {
            let named: Vec<_> = faces.iter().map(|face| sticker(CENTRE_FACELETS[face.index()])).collect();
            let message = format!(
                "Symbol `{}` is on {} centres, {}: the six centres must differ, for they say which face each symbol \
                 stands for.",
                shown(*symbol),
                faces.len(),
                listed(&named),
            );
            let slots = faces.iter().map(|face| face.name()).collect();
            let places = faces.iter().map(|face| CENTRE_FACELETS[face.index()]);
            found.push(Violation { slots, ..Violation::new("repeated_centre", Some(1), message).about(places) });
        }
    }
    found
}

/// Finds the slots without a possible piece.
fn impossible_slots<P: NamedKind, const N: usize>(
    pieces: &[Option<P>; N],
    symbols: &[char; FACELETS],
    faces: &[Option<Face>; FACELETS],
    wrong_counts: Option<WrongCounts>,
) -> Vec<Violation> {
    let unread = P::ALL.iter().zip(pieces).filter(|(_, piece)| piece.is_none());
    unread.map(|(&slot, _)| impossible(slot, symbols, faces, wrong_counts)).collect()
}

/// Explains why no piece has these faces.
///
/// Two exchanged stickers make a corner its mirror image and leave nine of each colour. A sticker misread as the
/// opposite colour makes it the mirror image of another corner and changes the counts.
fn impossible<P: NamedKind>(
    slot: P,
    symbols: &[char; FACELETS],
    faces: &[Option<Face>; FACELETS],
    wrong_counts: Option<WrongCounts>,
) -> Violation {
    let shows: Vec<_> = slot.facelets().iter().map(|&facelet| faces[facelet]).collect();
    let seen: Vec<_> = slot.facelets().iter().map(|&facelet| shown(symbols[facelet])).collect();
    let pairs = || (0..shows.len()).flat_map(|a| (a + 1..shows.len()).map(move |b| (a, b)));
    let mut pieces = Vec::new();
    let why = if let Some(k) = shows.iter().position(Option::is_none) {
        format!("`{}` is the symbol of no centre", seen[k])
    } else if let Some((a, _)) = pairs().find(|&(a, b)| shows[a] == shows[b]) {
        format!("no {} has `{}` twice", P::WORD, seen[a])
    } else if let Some((a, b)) = pairs().find(|&(a, b)| shows[a].map(Face::opposite) == shows[b]) {
        let centre = |k: usize| shows[k].map_or_else(String::new, |face| sticker(CENTRE_FACELETS[face.index()]));
        let one = centre(a);
        let other = centre(b);
        format!("no {} has both `{}` and `{}`, whose centres {one} and {other} are opposite", P::WORD, seen[a], seen[b])
    } else if wrong_counts.is_some() {
        format!("no {} has these colours in this order, so at least one of them is misread", P::WORD)
    } else {
        let image = P::ALL.iter().find(|piece| piece.faces().all(|face| shows.contains(&Some(face))));
        pieces.extend(image.map(|piece| piece.name()));
        format!("that is {} {} mirrored, with two of its stickers exchanged", P::WORD, pieces.join(" "))
    };
    let misread = wrong_counts.and_then(|counts| counts.misread);
    let misread = misread.filter(|misread| slot.facelets().contains(&misread.facelet));
    let message = format!(
        "{} slot {} shows `{}` on {}: {why}. {}",
        capital(P::WORD),
        slot.name(),
        seen.join(" "),
        stickers(slot),
        misread.map_or_else(|| "Check these stickers.".to_owned(), Misread::remedy),
    );
    let facelets = slot.facelets().iter().copied();
    let violation = Violation::new(P::IMPOSSIBLE, Some(P::KOCIEMBA), message).about(facelets);
    Violation { slots: vec![slot.name()], pieces, ..violation }
}

/// Number of stickers of each colour.
const EACH: usize = FACELETS / Face::COUNT;

/// A sticker that was probably misread.
///
/// A misread sticker changes two counts: its true colour occurs eight times, the colour read instead ten times.
/// Correcting it makes the cube possible. At most one correction can do so: a second candidate would be in a slot that
/// shows the same piece, and correcting it would exchange two pieces, which changes the parity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Misread {
    /// Index of the facelet.
    facelet: usize,
    /// Symbol that makes the cube possible.
    symbol: char,
}

impl Misread {
    /// Returns the only sticker for which another symbol makes the cube possible, or `None` if there is none or more
    /// than one.
    ///
    /// `counts` are the symbols with their counts. The correct symbol is the one that occurs eight times.
    fn find(symbols: &[char], counts: &[(char, usize)], is_possible: impl Fn(&str) -> bool) -> Option<Self> {
        let mut wrong = counts.iter().filter(|(_, count)| *count != EACH);
        let (Some(one), Some(other), None) = (wrong.next(), wrong.next(), wrong.next()) else { return None };
        let (seldom, often) = if one.1 == EACH - 1 { (one, other) } else { (other, one) };
        // Ten of a colour, or a seventh symbol.
        if seldom.1 != EACH - 1 || ![EACH + 1, 1].contains(&often.1) {
            return None;
        }
        let mends = |&facelet: &usize| {
            let mended = |(at, &symbol)| if at == facelet { seldom.0 } else { symbol };
            is_possible(&symbols.iter().enumerate().map(mended).collect::<String>())
        };
        let mut found = (0..symbols.len()).filter(|&facelet| symbols[facelet] == often.0).filter(mends);
        let (Some(facelet), None) = (found.next(), found.next()) else { return None };
        Some(Self { facelet, symbol: seldom.0 })
    }

    /// Returns whether it is the centre of a face.
    fn is_centre(self) -> bool {
        CENTRE_FACELETS.contains(&self.facelet)
    }

    /// Returns the advice to the user as a sentence.
    fn remedy(self) -> String {
        format!("Check sticker {}: the cube is possible if it is `{}`.", sticker(self.facelet), shown(self.symbol))
    }
}
