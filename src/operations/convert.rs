//! `/convert` and `superflip convert`: writes a cube in the other forms.

use std::collections::BTreeMap;

use axum::extract::State;
use clap::Args;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::api::problem::{Code, Problem};
use crate::api::request::cube::{ReadCube, buffers_of};
use crate::api::request::read::{short, split_names};
use crate::api::types::fields::{InQuery, fields};
use crate::api::types::strict::Names;
use crate::api::types::{CubeRequest, Cubies, Scan, ScanDetails, ScannedFaces, same_fields};
use crate::cli::args::{EXIT_CODES, ScanFile, examples, format_of_name, forms_help};
use crate::cli::input::cube_of;
use crate::cli::{Failure, print, print_json, refuse};
use crate::contract::{self, ToSchema};
use crate::http::extract::{JsonBody, NoQuery, QueryString};
use crate::http::json::Json;
use crate::http::{AppState, operation};
use superflip_cube::forms::{self, Buffers, KPattern};
use superflip_cube::{Cube, Form, Holding};

fields! {
    /// A cube in exactly one of its forms, and the forms to write.
    pub struct Request as ConvertRequest {
        ..cube: CubeRequest,
        /// Forms to write, by their names in `CubeForms` (default: all). In a query, they are separated by commas.
        #[schema(value_type = Option<Vec<String>>, example = json!(["reid", "kpattern"]))]
        pub to: Option<Names>,
        /// How to hold the cube in the forms written: the centre on top, then the centre in front (default: as it is given).
        #[schema(example = "UF")]
        pub holding: Option<String>,
    }
}

/// Cube in every form, or in those that were asked for.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Conversion {
    /// Form that was read; null for arrays and colours.
    #[schema(value_type = Option<crate::api::types::described::CubeForm>)]
    pub format: Option<Form>,
    /// How the cube is held in the forms below: the centre on top, then the centre in front.
    #[schema(value_type = String, example = "UF")]
    pub holding: Holding,
    /// Forms of the cube. Those that were not asked for are absent.
    pub forms: CubeForms,
    /// Links to pages that show the cube; null if no moves are known, because links contain moves.
    pub links: Option<Links>,
    /// Cube that was read from `colors`; absent for other forms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scan: Option<Box<Scan>>,
    /// How the scanned faces were put together; present if their rotations or order are unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faces: Option<Box<ScannedFaces>>,
}

/// Forms of a cube.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub(crate) struct CubeForms {
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

impl CubeForms {
    /// Names of the forms.
    pub(crate) const NAMES: [&str; 10] =
        ["facelets", "ulfrbd", "net", "digits", "reid", "b32", "kpattern", "speffz", "twizzle", "cubies"];

    /// Writes a cube in the forms whose names are accepted by `wanted`, with Speffz letters for these buffers.
    pub(crate) fn new(cube: &Cube, holding: Holding, buffers: Buffers, wanted: impl Fn(&str) -> bool) -> Self {
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
pub(crate) struct Links {
    /// Link to alg.cubing.net.
    pub alg_cubing_net: String,
    /// Link to alpha.twizzle.net.
    pub twizzle: String,
    /// Link to cubedb.net.
    pub cubedb: String,
}

same_fields! {
    forms::Links => Links { alg_cubing_net, twizzle, cubedb }
}

/// Reads a cube and writes it in the forms named in `to`, or in all of them, as it is held in `holding`.
///
/// # Errors
/// Returns the errors of [`CubeRequest::read`], and an error for an unknown form or holding.
fn converted(mut request: CubeRequest, to: Option<&[String]>, holding: Option<&str>) -> Result<Conversion, Problem> {
    if to.is_some_and(<[String]>::is_empty) {
        let detail = "`to` is empty; name at least one form, or leave `to` out for all of them.";
        return Err(Problem::new(Code::OptionOutOfRange, detail).in_field("to"));
    }
    let to: Option<Vec<&str>> = to.map(|to| to.iter().map(|name| form_named(name)).collect()).transpose()?;
    let to_be_held = holding.map(|name| Holding::from_name(name).ok_or_else(|| unknown_holding(name))).transpose()?;
    let buffers = buffers_of(request.buffers.as_deref())?;
    if !request.is_text() {
        // They are those of the letters to write.
        request.buffers = None;
    }
    let ReadCube { cube, format, holding, moves, scan } = request.read()?;
    let given = holding.unwrap_or_default();
    let (cube, holding) = match to_be_held {
        Some(held) => (held.from_home(&given.to_home(&cube)), held),
        None => (cube, given),
    };
    let wanted = |name: &str| to.as_ref().is_none_or(|to| to.contains(&name));
    let forms = CubeForms::new(&cube, holding, buffers, wanted);
    let links = moves.map(|moves| forms::Links::of(&moves.setup, moves.alg.as_deref()));
    let ScanDetails { scan, faces } = scan;
    Ok(Conversion { format, holding, forms, links: links.map(Into::into), scan, faces })
}

/// Returns the name of a form that can be written.
fn form_named(name: &str) -> Result<&'static str, Problem> {
    let names = CubeForms::NAMES;
    names.into_iter().find(|known| *known == name).ok_or_else(|| {
        let detail =
            format!("`to` has the unknown form `{}`; expected one or more of: {}.", short(name), names.join(", "));
        Problem::new(Code::OptionOutOfRange, detail).in_field("to")
    })
}

fn unknown_holding(name: &str) -> Problem {
    let all: Vec<String> = Holding::ALL.iter().map(|holding| holding.name()).collect();
    let detail = format!(
        "`holding` is `{}`; expected the centre on top and the centre in front, one of: {}.",
        short(name),
        all.join(", ")
    );
    Problem::new(Code::OptionOutOfRange, detail).in_field("holding")
}

/// Convert a cube
///
/// Reads a cube in any form, and writes it in every form or in those in `to`. Each form is canonical: equal cubes give equal texts.
/// `links` are present if the cube is given as moves or as a link.
#[contract::path(post, path = "/convert", tag = "cubes", operation_id = "convert",
    request_body(content = Request, examples(
        ("nissy" = (summary = "Nissy's letters to three other forms",
            value = json!({"cube": "GETVSBAH=ZFCXBAGLYTKE=A", "to": ["facelets", "reid", "cubies"]}))),
        ("scramble" = (summary = "A scramble to every form, and links", value = json!({"cube": "R U F"})))
    )),
    responses((status = 200, description = "The cube in each form", body = Conversion), Problems))]
pub(crate) async fn post(
    State(state): State<AppState>,
    _: NoQuery,
    JsonBody(request): JsonBody<Request>,
) -> Result<Json<Conversion>, Problem> {
    answer(&state, request).await
}

/// Convert a cube, as a query
#[contract::path(get, path = "/convert", tag = "cubes", operation_id = "convert_query", params(Request),
    responses((status = 200, description = "As POST /convert", body = Conversion), QueryProblems))]
pub(crate) async fn get(
    State(state): State<AppState>,
    QueryString(InQuery(request)): QueryString<InQuery<Request>>,
) -> Result<Json<Conversion>, Problem> {
    answer(&state, request).await
}

async fn answer(state: &AppState, Request { cube, to, holding }: Request) -> Result<Json<Conversion>, Problem> {
    let to = to.map(|Names(names)| names);
    state.read(cube, move |cube| converted(cube, to.as_deref(), holding.as_deref())).await.map(Json)
}

operation! {
    routes {
        "/convert": post post, get get;
    }
    links {
        GET "/convert?cube=R%20U%20F" "A cube in every form";
    }
    problems {
        /// Problems of `POST /convert`.
        Problems: BODY QUERY CUBE [OptionOutOfRange];
        /// Problems of `GET /convert`.
        QueryProblems: QUERY CUBE [OptionOutOfRange];
    }
}

/// Convert a cube from any form to the others
///
/// Reads any of the forms that --format lists, and prints the cube in every form, or in the forms of --to. It needs no tables.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip convert \"R U F\"
  superflip convert GETVSBAH=ZFCXBAGLYTKE=A --to facelets
  superflip convert \"x R U F\" --holding UF --to reid,kpattern --json"),
    after_long_help = EXIT_CODES
)]
pub struct Flags {
    /// A cube in any form, or - for standard input
    // A maneuver never starts with a hyphen, so this only lets `-` through.
    #[arg(value_name = "CUBE", allow_hyphen_values = true, required_unless_present = "colors")]
    pub cube: Option<String>,
    /// A scan instead of CUBE.
    #[command(flatten)]
    pub scan: ScanFile,
    /// Forms to print, separated by commas.
    #[arg(long, value_name = "FORMS", help = to_help())]
    pub to: Option<String>,
    /// Form of the cube, if its text has several meanings [default: it is recognised]
    #[arg(long, value_name = "FORM", value_parser = format_of_name, long_help = forms_help())]
    pub format: Option<Form>,
    /// How to hold the cube in the forms printed: the centre on top and the centre in front, such as UF [default: as it is given]
    #[arg(long, value_name = "HOLDING")]
    pub holding: Option<String>,
    /// Buffers of Speffz letters: a corner sticker and an edge sticker [default: AU]
    #[arg(long, value_name = "LETTERS")]
    pub buffers: Option<String>,
    /// Moves on the inverse cube (NISS)
    #[arg(long, value_name = "MOVES")]
    pub inverse_moves: Option<String>,
    /// Write JSON as POST /convert does, errors too
    #[arg(long)]
    pub json: bool,
}

/// Returns the help of `--to`.
fn to_help() -> String {
    format!("Forms to print, separated by commas: {} [default: all]", CubeForms::NAMES.join(", "))
}

/// Reads a cube and prints it in other forms.
///
/// # Errors
/// Returns an error if the cube or a flag is invalid.
pub(crate) fn run(args: &Flags) -> Result<(), Failure> {
    let request = CubeRequest {
        format: args.format,
        buffers: args.buffers.clone(),
        inverse_moves: args.inverse_moves.clone(),
        ..cube_of(args.cube.as_deref(), &args.scan)?
    };
    let to = args.to.as_deref().map(split_names);
    let converted = converted(request, to.as_deref(), args.holding.as_deref());
    let converted = converted.map_err(|problem| refuse(args.json, &problem, 2))?;
    if args.json {
        return print_json(&converted);
    }
    // The links are none of the forms that `--to` names.
    let texts = texts(&converted, to.is_none())?;
    match &texts[..] {
        // One form is printed alone, for other programs to read.
        [(_, text)] => print(&format!("{text}\n")),
        _ => print(&texts.iter().map(|(name, text)| line(name, text)).collect::<String>()),
    }
}

/// Returns the name and the text of each form that is present, and of the links with `has_links`.
fn texts(converted: &Conversion, has_links: bool) -> Result<Vec<(&'static str, String)>, Failure> {
    let json = serde_json::to_string(&converted.forms).map_err(Failure::runtime)?;
    // Raw values keep the order of the members of an object, as the service writes them.
    let forms: BTreeMap<&str, &RawValue> = serde_json::from_str(&json).map_err(Failure::runtime)?;
    let text = |name| {
        let written = forms.get(name)?.get();
        Some((name, serde_json::from_str(written).unwrap_or_else(|_| written.to_owned())))
    };
    let mut texts: Vec<_> = CubeForms::NAMES.into_iter().filter_map(text).collect();
    if let Some(links) = converted.links.as_ref().filter(|_| has_links) {
        let links = [&links.alg_cubing_net, &links.twizzle, &links.cubedb];
        texts.extend(links.map(|link| ("link", link.clone())));
    }
    Ok(texts)
}

/// Formats a name and a text, whose further lines are indented.
fn line(name: &str, text: &str) -> String {
    format!("{name:9} {}\n", text.replace('\n', "\n          "))
}
