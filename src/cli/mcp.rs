//! `superflip mcp`: operations as tools of the Model Context Protocol, for language models.
//!
//! The client starts the program and speaks JSON-RPC over its standard input and output. The crate `rmcp` has the protocol. A call of a tool is a
//! request to the router of the service, in this process and without a port, so tools have the limits, checks and errors of the HTTP
//! API. Names, descriptions and types of the arguments come from the contract.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{self, Method, Request, StatusCode, header};
use base64::Engine as _;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::{RequestContext, ServerInitializeError};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};
use serde_json::{Map, Value, json};
use tower::ServiceExt as _;

use super::args::Mcp;
use super::serve::{check_memory, start};
use super::{Failure, configure, log_for_people};
use crate::http::{AppState, contract};
use crate::service::VERSION;

/// Maximum size of an answer, in bytes.
const MAX_ANSWER: usize = 16 << 20;
/// Maximum time for searches to notice that the client has ended.
const SHUTDOWN: Duration = Duration::from_secs(1);

/// An operation as a tool.
struct Operation {
    name: &'static str,
    method: Method,
    path: &'static str,
    description: &'static str,
}

const fn get(name: &'static str, path: &'static str, description: &'static str) -> Operation {
    Operation { name, method: Method::GET, path, description }
}

/// The tools. The arguments of a GET are its query, those of a POST its body.
static OPERATIONS: [Operation; 7] = [
    get(
        "solve",
        "/solve",
        "Finds a short solution of a cube, or a shortest one with `optimal`. The solution was checked on the cube.",
    ),
    Operation {
        name: "check_solution",
        method: Method::POST,
        path: "/check-solution",
        description: "Checks whether a written solution solves a cube, and whether it is valid by the WCA rules of the event Fewest Moves.",
    },
    get(
        "explain",
        "/explain",
        "Explains a solution move by move: what each move does to the cube, and when parts of the cube become solved.",
    ),
    get(
        "scramble",
        "/scramble",
        "Makes random scrambles, of all cubes or of a subset, or scrambles that lead to a given cube.",
    ),
    get("draw", "/image.png", "Draws a cube as a PNG picture."),
    get(
        "steps",
        "/steps",
        "Solves a cube in steps, such as cross > xcross or EO > DR > HTR > FIN. Without a cube, lists the goals of steps.",
    ),
    get("convert", "/convert", "Reads a cube in any form, says whether it is possible, and writes it in other forms."),
];

/// Given to the language model before the first call.
const INSTRUCTIONS: &str = "Solves 3x3x3 Rubik's cubes. Do not compute solutions or states of cubes yourself: these tools compute and check them. A cube is given by \
     `scramble` (moves from the solved cube), `facelets` (54 letters U R F D L B in the order of the faces U R F D L B), or `cube` (text in any known form). \
     Moves are in Singmaster notation, such as R U2 F'. An error says what is wrong and how to mend it.";

/// Serves tools on standard input and output until the client closes them.
///
/// # Errors
/// Returns an error if the configuration is invalid, the tables need more memory than there is, or the client breaks the protocol.
pub fn run(args: &Mcp, app: fn(AppState) -> Router) -> Result<(), Failure> {
    let mut config = configure(&args.configuration, Vec::new())?;
    log_for_people(&config);
    // The one client is the process that started this one.
    config.access.keys.clear();
    (config.server.requests_per_second, config.server.max_requests_per_client) = (0, 0);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::runtime)?;
    let result = runtime.block_on(async {
        check_memory(&mut config)?;
        let (state, _loading) = start(config);
        let contract = Contract(serde_json::from_str(&contract::JSON).map_err(Failure::runtime)?);
        let tools = OPERATIONS.iter().map(|operation| operation.tool(&contract)).collect();
        let server = Server { router: app(state), tools };
        let service = server.serve(rmcp::transport::stdio()).await.map_err(not_begun)?;
        service.waiting().await.map_err(Failure::runtime)
    });
    // A pending read of standard input cannot be cancelled.
    runtime.shutdown_timeout(SHUTDOWN);
    result.map(|_| ())
}

/// Returns the failure of a session that did not begin.
fn not_begun(error: ServerInitializeError) -> Failure {
    let reason = match error {
        ServerInitializeError::ConnectionClosed(_) => "the input ended before the request `initialize`",
        ServerInitializeError::ExpectedInitializeRequest(_) => "the first message is not the request `initialize`",
        other => return Failure::runtime(other),
    };
    Failure::runtime(format!("{reason}; start `superflip mcp` from a client of the Model Context Protocol"))
}

/// The tools, and the service behind them.
struct Server {
    router: Router,
    tools: Vec<Tool>,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        info.server_info = Implementation::new("superflip", VERSION);
        info.instructions = Some(INSTRUCTIONS.to_owned());
        info
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.clone()))
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(operation) = OPERATIONS.iter().find(|operation| operation.name == call.name) else {
            let names: Vec<&str> = OPERATIONS.iter().map(|operation| operation.name).collect();
            let names = names.join(", ");
            return Err(ErrorData::invalid_params(format!("unknown tool `{}`; there are {names}", call.name), None));
        };
        let request = operation.request(call.arguments.unwrap_or_default()).map_err(internal)?;
        tokio::select! {
            answer = answer(self.router.clone(), request) => answer.map(CallToolResponse::Complete),
            // The drop of the request stops its search.
            () = context.ct.cancelled() => Err(ErrorData::internal_error("cancelled by the client", None)),
        }
    }
}

fn internal(error: impl std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

impl Operation {
    /// Returns the request of a call with these arguments.
    fn request(&self, arguments: JsonObject) -> Result<Request<Body>, http::Error> {
        let request = Request::builder().method(&self.method).header(header::ACCEPT, "application/json, image/png");
        if self.method == Method::POST {
            let body = Body::from(Value::Object(arguments).to_string());
            return request.uri(self.path).header(header::CONTENT_TYPE, "application/json").body(body);
        }
        let mut query = form_urlencoded::Serializer::for_suffix(format!("{}?", self.path), self.path.len() + 1);
        for (name, value) in arguments {
            match value {
                Value::Null => {}
                Value::String(text) => drop(query.append_pair(&name, &text)),
                other => drop(query.append_pair(&name, &other.to_string())),
            }
        }
        request.uri(query.finish()).body(Body::empty())
    }

    /// Returns the tool: its arguments are those of the operation in the contract whose values are texts, numbers or flags.
    fn tool(&self, contract: &Contract) -> Tool {
        let operation = &contract.0["paths"][self.path][self.method.as_str().to_lowercase()];
        let mut properties = Map::new();
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let parameter = contract.resolved(parameter);
            if let (Some(name), Some("query")) = (parameter["name"].as_str(), parameter["in"].as_str()) {
                contract.add(name, &parameter["schema"], &parameter["description"], &mut properties);
            }
        }
        if let Some(body) = operation.pointer("/requestBody/content/application~1json/schema") {
            contract.add_members(body, &mut properties);
        }
        let schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
        let schema = schema.as_object().cloned().unwrap_or_default();
        let tool = Tool::new(self.name, self.description, Arc::new(schema));
        tool.with_annotations(ToolAnnotations::new().read_only(true).open_world(false))
    }
}

/// Sends a request, and returns its answer: JSON as text, or a picture. A problem is an answer too, which the model can read.
async fn answer(router: Router, request: Request<Body>) -> Result<CallToolResult, ErrorData> {
    let response = router.oneshot(request).await.map_err(internal)?;
    let (status, is_picture) =
        (response.status(), response.headers().get(header::CONTENT_TYPE).is_some_and(|value| value == "image/png"));
    let body = to_bytes(response.into_body(), MAX_ANSWER).await.map_err(internal)?;
    let content = if is_picture {
        ContentBlock::image(base64::engine::general_purpose::STANDARD.encode(&body), "image/png")
    } else {
        ContentBlock::text(String::from_utf8_lossy(&body))
    };
    Ok(if status == StatusCode::OK {
        CallToolResult::success(vec![content])
    } else {
        CallToolResult::error(vec![content])
    })
}

/// The contract as JSON.
struct Contract(Value);

impl Contract {
    /// Follows a reference.
    fn resolved<'a>(&'a self, value: &'a Value) -> &'a Value {
        let place = value["$ref"].as_str().and_then(|place| self.0.pointer(place.strip_prefix('#')?));
        place.unwrap_or(value)
    }

    /// Returns the schema of a text, a number or a flag: the schema itself, or one of its alternatives.
    fn plain<'a>(&'a self, schema: &'a Value) -> Option<&'a Value> {
        let schema = self.resolved(schema);
        if ["string", "integer", "number", "boolean"].map(Value::from).contains(&schema["type"]) {
            return Some(schema);
        }
        ["oneOf", "anyOf", "allOf"]
            .iter()
            .filter_map(|of| schema[of].as_array())
            .flatten()
            .find_map(|one| self.plain(one))
    }

    /// Adds an argument, if its value is plain.
    fn add(&self, name: &str, schema: &Value, description: &Value, properties: &mut Map<String, Value>) {
        if let Some(Value::Object(plain)) = self.plain(schema) {
            let mut plain = plain.clone();
            if description.is_string() {
                plain.insert("description".to_owned(), description.clone());
            }
            properties.insert(name.to_owned(), Value::Object(plain));
        }
    }

    /// Adds the members of a body, in every alternative of its schema.
    fn add_members(&self, schema: &Value, properties: &mut Map<String, Value>) {
        let schema = self.resolved(schema);
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            self.add(name, member, &member["description"], properties);
        }
        for one in ["oneOf", "anyOf", "allOf"].iter().filter_map(|of| schema[of].as_array()).flatten() {
            self.add_members(one, properties);
        }
    }
}
