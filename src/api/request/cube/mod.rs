//! Reads the cube of a request. Exactly one of `cube`, `facelets`, `scramble`, `cubies` and `colors` must be present.

mod target;

use serde::de::IgnoredAny;

use super::read::{parse, short, syntax_message};
use super::scan::other_arrangements;
use super::{colors, scan};
use crate::api::problem::{Code, Problem};
use crate::api::types::{CubeRequest, CubeValue, Cubies, FaceKnowledge, ScanDetails};
use superflip_cube::forms::{Buffers, Link, Read};
use superflip_cube::notation::{plain_moves, without_length};
use superflip_cube::{Cube, Form, FormError, Holding, Moves, forms};
use superflip_scan::order_of;
use superflip_scan::repair::{Scanned, Stickers};
pub(crate) use target::{Reached, Start, Target};

/// A cube, and what its form says about it.
pub struct ReadCube {
    /// Cube, named by places as it is held.
    pub cube: Cube,
    /// Form that was read; `None` for arrays.
    pub format: Option<Form>,
    /// How the cube is held, if the form says so.
    pub holding: Option<Holding>,
    /// Moves from the solved cube, if the form has them.
    pub moves: Option<LinkMoves>,
    /// What a scan adds to the response.
    pub scan: ScanDetails,
}

impl From<Cube> for ReadCube {
    fn from(cube: Cube) -> Self {
        Self { cube, format: None, holding: None, moves: None, scan: ScanDetails::default() }
    }
}

/// Moves that a link to a page contains, in a notation that the pages read.
pub struct LinkMoves {
    /// Moves from the solved cube to this one.
    pub setup: String,
    /// Moves that the page plays, if the cube was given as a link with such moves.
    pub alg: Option<String>,
}

impl LinkMoves {
    /// Returns the moves of a scramble, without a length at its end.
    fn of_scramble(text: &str) -> Result<Self, Problem> {
        Ok(Self { setup: plain_moves(without_length(text))?, alg: None })
    }

    /// Returns the moves of a link. The setup of a page that gives the cube at the end is completed by the inverse of what is played.
    fn of(Link { setup, alg, setup_is_at_end, .. }: &Link) -> Result<Self, Problem> {
        let (setup, alg) = (plain_moves(setup)?, plain_moves(alg)?);
        let is_played = !alg.trim().is_empty();
        let setup = if *setup_is_at_end && is_played {
            // A comment ends with its line.
            let end = |text: &str| if text.contains("//") { "\n" } else { "" };
            format!("{setup}{} ({alg}{})'", end(&setup), end(&alg)).trim_start().to_owned()
        } else {
            setup
        };
        Ok(Self { setup, alg: is_played.then_some(alg) })
    }
}

impl CubeRequest {
    /// Creates a request with a text in `cube`, whose form is recognised.
    pub fn of_text(text: impl Into<String>) -> Self {
        Self { cube: Some(CubeValue::Text(text.into())), ..Self::default() }
    }

    /// Creates a request with moves from the solved cube.
    pub fn of_scramble(moves: impl Into<String>) -> Self {
        Self { scramble: Some(moves.into()), ..Self::default() }
    }

    /// Returns whether no field that describes the cube is present.
    pub(crate) fn has_no_cube(&self) -> bool {
        let has_form = self.cube.is_some()
            || self.facelets.is_some()
            || self.scramble.is_some()
            || self.cubies.is_some()
            || self.colors.is_some();
        !has_form && self.format.is_none() && self.buffers.is_none() && self.inverse_moves.is_none()
    }

    /// Returns whether the cube is a text in `cube`.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.cube, Some(CubeValue::Text(_)))
    }

    /// Returns whether the cube is read within microseconds. Colours, unknown stickers and faces in unknown rotations or order take up to
    /// some milliseconds.
    pub(crate) fn is_quick(&self) -> bool {
        !(self.colors.is_some()
            || self.scanned().is_some()
            || self.facelets.as_deref().is_some_and(|text| text.contains(Stickers::UNKNOWN))
            || has_unknown(self.cube.as_ref()))
    }

    /// Returns what is unknown of the faces, if anything is.
    pub(crate) fn scanned(&self) -> Option<Scanned> {
        let is_unknown = |given| given == Some(FaceKnowledge::Unknown);
        let (unknown_rotations, unknown_order) = (is_unknown(self.face_rotations), is_unknown(self.face_order));
        (unknown_rotations || unknown_order).then_some(Scanned { unknown_rotations, unknown_order })
    }

    /// Reads the cube.
    ///
    /// # Errors
    /// Returns the errors of [`CubeRequest::read`].
    pub fn cube(self) -> Result<Cube, Problem> {
        self.cube_and_scan().map(|(cube, _)| cube)
    }

    /// Reads the cube, and the details of a scan.
    ///
    /// # Errors
    /// Returns the errors of [`CubeRequest::read`].
    pub(crate) fn cube_and_scan(self) -> Result<(Cube, ScanDetails), Problem> {
        // The forms of most requests, without what they say beside the cube.
        let Self {
            cube: None,
            colors: None,
            format: None,
            buffers: None,
            inverse_moves: None,
            channel_order: None,
            face_rotations: None,
            face_order: None,
            ..
        } = &self
        else {
            return self.read().map(|read| (read.cube, read.scan));
        };
        match self {
            Self { facelets: Some(text), scramble: None, cubies: None, .. } if !text.contains(Stickers::UNKNOWN) => {
                Ok((facelets(&text)?, ScanDetails::default()))
            }
            Self { scramble: Some(text), facelets: None, cubies: None, .. } => {
                Ok((Read::of_scramble(&text)?.cube, ScanDetails::default()))
            }
            request => request.read().map(|read| (read.cube, read.scan)),
        }
    }

    /// Reads the cube, and what its form says about it.
    ///
    /// # Errors
    /// Returns an error if there is not exactly one form, if the form cannot be read or has several meanings, or if the cube is impossible.
    /// The problem of impossible stickers keeps them for `Problem::with_repairs`.
    pub fn read(self) -> Result<ReadCube, Problem> {
        self.check("`cube`, `facelets`, `scramble`, `cubies` and `colors`")?;
        let scanned = self.scanned();
        let Self { cube, facelets, scramble, cubies, colors, format, buffers, inverse_moves, channel_order, .. } = self;
        let mut read = match (cube, facelets, scramble, cubies, colors) {
            (Some(CubeValue::Text(text)), ..) => read_text(&text, format, buffers.as_deref())?,
            (Some(CubeValue::Faces(text)), ..) => read_text(&text, Some(Form::Facelets), None)?,
            (object @ Some(_), ..) => read_object(object.as_ref())?,
            (_, Some(text), ..) => read_facelets(&text, scanned)?,
            (_, _, Some(text), ..) => {
                let Read { cube, holding, .. } = Read::of_scramble(&text)?;
                let moves = Some(LinkMoves::of_scramble(&text)?);
                ReadCube { format: Some(Form::Scramble), holding, moves, ..cube.into() }
            }
            (.., Some(cubies), _) => read_cubies(&cubies)?,
            (.., colors) => {
                let colors = colors.ok_or_else(Problem::internal)?;
                let (cube, scan) = colors::read(&colors, channel_order, scanned)?;
                ReadCube { scan, ..cube.into() }
            }
        };
        if let Some(text) = inverse_moves {
            let moves = text.parse::<Moves>().map_err(|error| Problem::from(error).within("inverse_moves"))?;
            read.cube = read.cube.after_on_inverse(&moves);
            read.moves = None;
        }
        Ok(read)
    }

    /// Checks that exactly one form is present, and that the other fields stand beside the form that they describe.
    /// `expected` lists the forms of the request.
    ///
    /// # Errors
    /// Returns an error that names the field.
    pub(crate) fn check(&self, expected: &str) -> Result<(), Problem> {
        let forms = [
            ("cube", self.cube.is_some()),
            ("facelets", self.facelets.is_some()),
            ("scramble", self.scramble.is_some()),
            ("cubies", self.cubies.is_some()),
            ("colors", self.colors.is_some()),
        ];
        let given: Vec<&str> = forms.iter().filter(|(_, is_given)| *is_given).map(|(name, _)| *name).collect();
        if given.len() != 1 {
            let found = if given.is_empty() {
                "none is given".into()
            } else {
                format!("`{}` are given", given.join("` and `"))
            };
            let detail = format!("The request needs exactly one of {expected}; {found}.");
            return Err(Problem::new(Code::CubeForm, detail));
        }
        let is_text = self.is_text();
        let is_pattern = matches!((&self.cube, self.format), (Some(CubeValue::Pattern(_)), Some(Form::KPattern)));
        let describes_text = [("format", self.format.is_some() && !is_pattern), ("buffers", self.buffers.is_some())];
        for (field, is_given) in describes_text {
            if is_given && !is_text {
                let detail =
                    format!("`{field}` describes a text in `cube`. Give the text in `cube`, or remove `{field}`.");
                return Err(Problem::new(Code::OptionOutOfRange, detail).in_field(field));
            }
        }
        let (has_faces, faces) = (self.facelets.is_some() || self.colors.is_some(), "`facelets` or `colors`");
        let described = [
            ("channel_order", self.channel_order.is_some(), "`colors`", self.colors.is_some()),
            ("face_rotations", self.face_rotations.is_some(), faces, has_faces),
            ("face_order", self.face_order.is_some(), faces, has_faces),
        ];
        for (field, is_given, form, has_form) in described {
            if is_given && !has_form {
                let detail = format!("`{field}` describes {form}. Give the cube in {form}, or remove `{field}`.");
                return Err(Problem::new(Code::OptionOutOfRange, detail).in_field(field));
            }
        }
        Ok(())
    }
}

/// Returns whether a text has unknown stickers. The query of a link begins with `?` too.
fn has_unknown(cube: Option<&CubeValue>) -> bool {
    let text = cube.and_then(CubeValue::text);
    text.is_some_and(|(text, _)| text.contains(Stickers::UNKNOWN) && !text.contains("://"))
}

/// Parses stickers without unknown ones. The error says first in which form or arrangement of the faces the text is a cube.
fn facelets(text: &str) -> Result<Cube, Problem> {
    let text = &*forms::without_list(text);
    Cube::from_facelets(text).map_err(|error| {
        let problem = Problem::from(error);
        let problem = match Read::of(text, None, Buffers::default()) {
            // The error of a Reid string says it already.
            Ok(Read { format, .. }) if !matches!(format, Form::Facelets | Form::Reid) => problem.mended_by(&format!(
                "The text can be read as {} (form `{format}`). Send it in `cube`, which takes every form.",
                format.title()
            )),
            _ if problem.code() == Code::ImpossibleCube => match other_arrangements(text, true) {
                Some(sentence) => problem.mended_by(&sentence),
                None => problem,
            },
            _ => problem,
        };
        problem.of_stickers(text)
    })
}

/// Reads stickers in the order U R F D L B, with unknown ones, or in another arrangement of the faces.
fn read_facelets(text: &str, scanned: Option<Scanned>) -> Result<ReadCube, Problem> {
    let text = &*forms::without_list(text);
    let faces = scanned.map(|scanned| scan::put_together(text, scanned)).transpose()?.map(Box::new);
    let completed = match &faces {
        Some(faces) => Some(faces.facelets.clone()),
        None if text.contains(Stickers::UNKNOWN) => Some(scan::complete(text)?),
        None => None,
    };
    let text = completed.as_deref().unwrap_or(text);
    let cube = facelets(text)?;
    let holding = Read::of(text, Some(Form::Facelets), Buffers::default()).ok().and_then(|read| read.holding);
    let scan = ScanDetails { scan: None, faces };
    Ok(ReadCube { format: Some(Form::Facelets), holding, scan, ..cube.into() })
}

/// Reads a text of any form.
fn read_text(text: &str, format: Option<Form>, buffers: Option<&str>) -> Result<ReadCube, Problem> {
    let buffers = buffers_of(buffers)?;
    // A byte order mark is not part of the text, but positions count it.
    let marked = text.len() - text.trim_start_matches('\u{feff}').len();
    let text = text[..marked].replace('\u{feff}', " ") + &text[marked..];
    let plain = &*forms::without_list(&text);
    // A JSON object given as text, such as a query parameter.
    if format == Some(Form::KPattern) || (format.is_none() && text.trim_start().starts_with('{')) {
        let syntax = |text: &str| serde_json::from_str::<IgnoredAny>(text).map_err(|error| not_json(text, &error));
        let text = match syntax(&text) {
            Ok(_) => text,
            Err(problem) => {
                let json = forms::dictionary_as_json(&text);
                if syntax(&json).is_err() {
                    return Err(problem);
                }
                json
            }
        };
        let request = parse(format!("{{\"cube\":{text}}}").as_bytes(), None);
        // Remove the line and column: they refer to the JSON built above, not to the body of the request.
        let request: Result<CubeRequest, _> =
            request.map_err(|problem| problem.with(|document| (document.line, document.column) = (None, None)));
        return read_object(request?.cube.as_ref());
    }
    let Read { format, cube, holding, link } = match Read::of(&text, format, buffers) {
        Ok(read) => read,
        Err(error) => {
            let read = read_stickers(plain, error, format.is_some());
            return if format.is_none() { read.map_err(or_moves) } else { read };
        }
    };
    let moves = match &link {
        Some(link) => Some(LinkMoves::of(link)?),
        None if format == Form::Scramble => Some(LinkMoves::of_scramble(plain)?),
        None => None,
    };
    Ok(ReadCube { format: Some(format), holding, moves, ..cube.into() })
}

/// Completes a text with unknown stickers. An error keeps the stickers. `is_named` says that the request names the form.
fn read_stickers(text: &str, error: FormError, is_named: bool) -> Result<ReadCube, Problem> {
    let format = match &error {
        FormError::UnknownStickers { formats, .. } => Some(order_of(text, formats)?),
        error => error.format(),
    };
    let stickers = format.and_then(|format| forms::in_facelet_order(text, format));
    match (error, stickers) {
        (FormError::UnknownStickers { .. }, Some(stickers)) => {
            let completed = scan::complete(&stickers);
            let completed = completed.map_err(|problem| problem.with(|document| document.format = format))?;
            // In the form of the text again: there, the symbols of the centres say how the cube is held.
            let rewritten = format.and_then(|format| forms::from_facelet_order(&completed, format));
            let read = Read::of(&rewritten.unwrap_or(completed), format, Buffers::default())?;
            Ok(ReadCube { format, holding: read.holding, ..read.cube.into() })
        }
        // Legal stickers are refused for the colours of their centres: no other arrangement is meant.
        (error, Some(stickers)) if Cube::from_facelets(&stickers).is_ok() => {
            Err(Problem::from(error).of_stickers(&stickers))
        }
        (error, Some(stickers)) => {
            let given = forms::in_facelet_order(text, Form::Facelets);
            let Some((given, sentence)) = given.and_then(|given| {
                let sentence = other_arrangements(&given, false)?;
                Some((given, sentence))
            }) else {
                return Err(Problem::from(error).of_stickers(&stickers));
            };
            // Whole faces are explained in the order of the text, unless the request names another form.
            let as_given = if is_named { None } else { Read::of(text, Some(Form::Facelets), Buffers::default()).err() };
            let stickers = if as_given.is_some() { given } else { stickers };
            Err(Problem::from(as_given.unwrap_or(error)).mended_by(&sentence).of_stickers(&stickers))
        }
        (error, None) => Err(error.into()),
    }
}

/// Adds how to read a text as moves, if it was recognised as stickers and their number is wrong.
fn or_moves(problem: Problem) -> Problem {
    problem.with(|document| {
        if document.violations.iter().flatten().any(|violation| violation.code == "wrong_length") {
            document.detail += " If these are moves, give `format=scramble`.";
        }
    })
}

/// Returns the problem for a text that should be an object.
fn not_json(text: &str, error: &serde_json::Error) -> Problem {
    let before = text.split('\n').take(error.line().saturating_sub(1)).map(|line| line.len() + 1).sum::<usize>();
    let byte = text.floor_char_boundary(before + error.column().saturating_sub(1));
    let position = text[..byte].chars().count();
    let detail =
        format!("Read as kpattern: at character {}: the text is not JSON: {}.", position + 1, syntax_message(error));
    Problem::new(Code::UnreadableCube, detail)
        .with(|document| (document.format, document.position) = (Some(Form::KPattern), Some(position)))
}

/// Reads an object.
fn read_object(object: Option<&CubeValue>) -> Result<ReadCube, Problem> {
    match object {
        Some(CubeValue::Cubies(cubies)) => read_cubies(cubies),
        Some(CubeValue::Pattern(pattern)) => {
            let (cube, holding) = pattern.to_cube()?;
            Ok(ReadCube { format: Some(Form::KPattern), holding: Some(holding), ..cube.into() })
        }
        // Faces given as text, such as a query parameter.
        Some(CubeValue::Faces(text)) => read_text(text, Some(Form::Facelets), None),
        Some(CubeValue::Text(_)) | None => {
            let detail = "`cube` with `format` `kpattern` is a JSON string or null; give the object itself.";
            Err(Problem::new(Code::InvalidField, detail).in_field("cube"))
        }
    }
}

/// Reads the buffers of Speffz letters: the letter of a corner sticker, then that of an edge sticker.
///
/// # Errors
/// Returns an error if the text is not two letters from A to X.
pub(crate) fn buffers_of(letters: Option<&str>) -> Result<Buffers, Problem> {
    let Some(text) = letters else { return Ok(Buffers::default()) };
    let mut letters = text.chars();
    let pair = (letters.next(), letters.next(), letters.next());
    let buffers = if let (Some(corner), Some(edge), None) = pair { Buffers::new(corner, edge) } else { None };
    buffers.ok_or_else(|| {
        let detail = format!(
            "`buffers` is `{}`; expected two letters from A to X, of a corner sticker and of an edge sticker, such as `AU`.",
            short(text)
        );
        Problem::new(Code::OptionOutOfRange, detail).in_field("buffers")
    })
}

fn read_cubies(Cubies { cp, co, ep, eo, center }: &Cubies) -> Result<ReadCube, Problem> {
    let Some(center) = center else { return Ok(Cube::from_cubies(cp, co, ep, eo)?.into()) };
    let (cube, holding) = Cube::from_held_cubies(cp, co, ep, eo, center)?;
    Ok(ReadCube { holding: Some(holding), ..cube.into() })
}
