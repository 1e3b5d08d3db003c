//! `/repair` and `superflip repair`: the legal cubes nearest to stickers that contain errors.

use axum::extract::State;
use clap::Args;
use serde::Serialize;

use crate::api::problem::{Code, PhysicalWay, Problem, Repairs};
use crate::api::request::cube::ReadCube;
use crate::api::request::options::in_range;
use crate::api::request::scan::{of_text, put_together};
use crate::api::types::fields::{InQuery, fields};
use crate::api::types::{CubeRequest, CubeValue, Scan, ScanDetails, ScannedFaces, StickerFields};
use crate::cli::args::{EXIT_CODES, ScanFile, examples, format_of_name};
use crate::cli::input::cube_of;
use crate::cli::{Failure, print, print_json, refuse};
use crate::contract::{self, ToSchema};
use crate::http::extract::{JsonBody, NoQuery, QueryString};
use crate::http::json::Json;
use crate::http::{AppState, operation};
use superflip_cube::Form;
use superflip_cube::verify::sticker;
use superflip_scan::repair::{MAX_REPAIRS, Stickers};

fields! {
    /// Stickers that may contain errors, or colours.
    pub struct Request as RepairRequest {
        ..cube: StickerFields,
        /// Maximum number of repairs to list (default: 20).
        #[schema(minimum = 1, maximum = 100)]
        pub limit: Option<u32>,
    }
}

/// The nearest legal cubes, and the scan if the cube was given as `colors`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct RepairAnswer {
    /// Form that was read; null for colours.
    #[schema(value_type = Option<crate::api::types::described::CubeForm>)]
    pub format: Option<Form>,
    /// Nearest legal cubes.
    #[serde(flatten)]
    pub repairs: Repairs,
    /// Cube that was read from `colors`; absent for other forms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scan: Option<Box<Scan>>,
    /// How the scanned faces were put together; present if their rotations or order are unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faces: Option<Box<ScannedFaces>>,
}

/// Number of repairs listed without `limit`.
const LISTED: u32 = 20;

/// A checked request for repairs. Finding them takes about a millisecond, and some milliseconds for colours.
struct RepairTask {
    request: CubeRequest,
    limit: usize,
}

impl RepairTask {
    /// Checks the fields, but not the stickers.
    ///
    /// # Errors
    /// Returns an error if there is not exactly one form, if the cube is an object, or if `format` or `limit` is out of range.
    fn new(request: CubeRequest, limit: Option<u32>) -> Result<Self, Problem> {
        let limit = in_range("limit", limit.unwrap_or(LISTED), 1..=MAX_REPAIRS as u64, "")?;
        request.check("`cube`, `facelets` and `colors`")?;
        if matches!(request.cube, Some(CubeValue::Cubies(_) | CubeValue::Pattern(_))) {
            let detail = "`cube` is an object; expected a text that lists stickers. Pieces have no stickers to repair.";
            return Err(Problem::new(Code::InvalidField, detail).in_field("cube"));
        }
        if let Some(format) = request.format.filter(|format| !STICKERS.contains(format)) {
            let names = STICKERS.map(Form::name).join("`, `");
            let detail = format!("`format` is `{format}`, which does not list stickers; expected one of `{names}`.");
            return Err(Problem::new(Code::OptionOutOfRange, detail).in_field("format"));
        }
        Ok(Self { request, limit })
    }

    /// Finds the repairs. They are in the symbols of the request; a cube from colours is in the letters URFDLB.
    ///
    /// # Errors
    /// Returns an error if the cube is not given as 54 symbols of six colours, or if its colours are ambiguous.
    fn run(self) -> Result<RepairAnswer, Problem> {
        let Self { request, limit } = self;
        let mut details = ScanDetails::default();
        let scanned = request.scanned();
        let (format, text) = match request {
            CubeRequest { facelets: Some(text), .. } => {
                // Faces can be put together only without errors; the cube is then legal.
                let faces = scanned.map(|scanned| put_together(&text, scanned)).transpose()?;
                let together = faces.as_ref().map_or(text, |faces| faces.facelets.clone());
                details.faces = faces.map(Box::new);
                (Some(Form::Facelets), together)
            }
            CubeRequest { cube: Some(cube), format, .. } => {
                let (text, known) = cube.text().ok_or_else(Problem::internal)?;
                let (format, text) = of_text(text, format.or(known))?;
                (Some(format), text)
            }
            request => {
                let ReadCube { cube, scan, .. } = request.read()?;
                details = scan;
                (None, cube.to_string())
            }
        };
        let stickers = Stickers::parse(&text).map_err(|error| Problem::from(error).of_stickers(&text))?;
        let ScanDetails { scan, faces } = details;
        Ok(RepairAnswer { format, repairs: Repairs::of(&stickers, limit), scan, faces })
    }
}

/// Forms that list stickers.
const STICKERS: [Form; 4] = [Form::Facelets, Form::Ulfrbd, Form::Net, Form::Digits];

/// Repair a scan
///
/// Returns the legal cubes that differ from the stickers in the fewest places. Stickers that are `?` may have any colour. Centres are never
/// changed, because they define the colours. The result is exact: `distance` is the least possible number of changes, and `total` counts
/// all cubes at this distance. If the pieces exist and only their assembly is impossible, `physical` lists what to twist, flip or exchange.
/// With `colors`, the cube is the most likely legal one, and `scan` shows how certain it is.
#[contract::path(post, path = "/repair", tag = "cubes", operation_id = "repair",
    request_body(content = Request, examples(
        ("misread" = (summary = "One sticker misread, one unknown", value = json!(
            {"facelets": "UULUUFUUFRRUBRRURRFFDFFUFFFDDRDDDDDDBLLLLLLLLBRRBBBB?R", "limit": 3}))),
        ("flipped" = (summary = "One edge flipped", value = json!(
            {"facelets": "UUUUURUUURURRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB", "limit": 1})))
    )),
    responses((status = 200, description = "The nearest legal cubes", body = RepairAnswer), Problems))]
pub(crate) async fn post(
    State(state): State<AppState>,
    _: NoQuery,
    JsonBody(request): JsonBody<Request>,
) -> Result<Json<RepairAnswer>, Problem> {
    answer(&state, request).await
}

/// Repair a scan, as a query
#[contract::path(get, path = "/repair", tag = "cubes", operation_id = "repair_query", params(Request),
    responses((status = 200, description = "As POST /repair", body = RepairAnswer), QueryProblems))]
pub(crate) async fn get(
    State(state): State<AppState>,
    QueryString(InQuery(request)): QueryString<InQuery<Request>>,
) -> Result<Json<RepairAnswer>, Problem> {
    answer(&state, request).await
}

async fn answer(state: &AppState, Request { cube, limit }: Request) -> Result<Json<RepairAnswer>, Problem> {
    let task = RepairTask::new(cube.into(), limit)?;
    state.work(move || task.run()).await.map(Json)
}

operation! {
    routes {
        "/repair": post post, get get;
    }
    links {
        POST "/repair" "The legal cubes nearest to a scan with errors";
    }
    problems {
        /// Problems of `POST /repair`.
        Problems: BODY QUERY CUBE [OptionOutOfRange];
        /// Problems of `GET /repair`.
        QueryProblems: QUERY CUBE [OptionOutOfRange];
    }
}

/// Find the legal cubes nearest to a scan that contains errors
///
/// CUBE lists 54 stickers as facelets in either order, as a net or as digits; `?` is an unknown sticker. Prints the legal
/// cubes that differ in the fewest stickers, each with the stickers to change, such as U9. If the pieces exist and are assembled wrongly,
/// also prints what to twist, flip or exchange. It needs no tables.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip repair UULUUFUUFRRUBRRURRFFDFFUFFFDDRDDDDDDBLLLLLLLLBRRBBBB?R
  superflip repair - --limit 3 --json < scan.txt
  superflip repair --colors samples.json"),
    after_long_help = EXIT_CODES
)]
pub struct Flags {
    /// 54 stickers, or - for standard input
    #[arg(value_name = "CUBE", allow_hyphen_values = true, required_unless_present = "colors")]
    pub cube: Option<String>,
    /// A scan instead of CUBE.
    #[command(flatten)]
    pub scan: ScanFile,
    /// Form of CUBE, if it has several meanings: facelets, ulfrbd, net or digits
    #[arg(long, value_name = "FORM", value_parser = format_of_name)]
    pub format: Option<Form>,
    /// Maximum number of cubes to list, 1 to 100 [default: 20]
    #[arg(long, value_name = "N")]
    pub limit: Option<u32>,
    /// Write JSON as POST /repair does, errors too
    #[arg(long)]
    pub json: bool,
}

/// Prints the nearest legal cubes.
///
/// # Errors
/// Returns an error if the stickers, the colours or a flag are invalid.
pub(crate) fn run(args: &Flags) -> Result<(), Failure> {
    let request = CubeRequest { format: args.format, ..cube_of(args.cube.as_deref(), &args.scan)? };
    let answer = RepairTask::new(request, args.limit).and_then(RepairTask::run);
    let answer = answer.map_err(|problem| refuse(args.json, &problem, 2))?;
    if args.json { print_json(&answer) } else { print(&text(&answer.repairs)) }
}

/// Formats repairs: a summary, a line for each cube, and a line for each physical way.
fn text(found: &Repairs) -> String {
    let listed =
        if found.truncated { format!("; the first {} are listed", found.repairs.len()) } else { String::new() };
    let mut lines = vec![format!("stickers to change: {}; cubes: {}{listed}", found.distance, found.total)];
    for repair in &found.repairs {
        let changed: Vec<String> = repair.changed.iter().map(|&facelet| sticker(facelet.into())).collect();
        lines.push(format!("{}  {}", repair.facelets, changed.join(" ")).trim_end().to_owned());
    }
    for way in found.physical.iter().flat_map(|physical| &physical.ways) {
        lines.push(format!("{}  {}", way.facelets, actions(way)));
    }
    lines.join("\n") + "\n"
}

fn actions(way: &PhysicalWay) -> String {
    let actions = way.actions.iter().map(|action| format!("{} {}", action.action.words(), action.slots.join(" and ")));
    actions.collect::<Vec<_>>().join(", ")
}
