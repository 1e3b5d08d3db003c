//! Generates the contract from the parts that the operations have in it.
//!
//! Some schemas cannot be derived: requests with a cube in exactly one form, arrays with one entry per slot, and binary bodies. In Rust a
//! request with a cube has optional forms and a check that exactly one is present. A derived schema would accept
//! `{}`. So each such request becomes a `oneOf` of objects, one per form: the form is required, and the others may only be null.
//! Client generators support unions of named objects. Each object is an `allOf` of the form and of the other fields, so that all are
//! described once. Of such parts, only forms have parts themselves: `NSwag` loses the parts of all but the first one.
//!
//! At the end, responses and parameters that several operations share move into the components, where each stands once.

use std::collections::BTreeMap;

use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::path::{Operation, Parameter};
use utoipa::openapi::schema::{
    AllOfBuilder, ArrayItems, Components, KnownFormat, Object, ObjectBuilder, OneOfBuilder, Schema, SchemaFormat, Type,
};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{OpenApi, Paths, Ref, RefOr, Response};
use utoipa::{Modify, OpenApi as _};

use crate::api::problem::Document;
use crate::api::types::{BatchAnswer, BatchLine};
use crate::http::contract::{problems, yaml};

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "superflip",
        description = "Solves Rubik's cubes, and shows the coordinates that the solver uses.\n\n\
            Every error is an `application/problem+json` document (RFC 9457) with a stable `code`. Status 400 means that the request \
            cannot be read: syntax, unknown names, wrong types. 422 means that a value is not allowed: out of range, not one of those \
            listed, an empty list, or a text that is no cube or maneuver.\n\n\
            A server may require an API key, sent as `Authorization: Bearer KEY` or `X-Api-Key: KEY`, for all routes but the \
            index, the contract, health and metrics. It may also limit the request rate; then every response has the headers \
            `RateLimit-Policy` and `RateLimit`."
    ),
    servers(
        (url = "http://127.0.0.1:8080", description = "A server on this machine with the default address"),
        (url = "/", description = "The server that returned this document")
    ),
    security((), ("bearer" = []), ("api_key" = [])),
    modifiers(&Keys),
    components(schemas(Document, BatchLine, BatchAnswer)),
    tags(
        (name = "solve", description = "Solutions"),
        (name = "cubes", description = "Forms of a cube, and repairs of scans"),
        (name = "scrambles", description = "Random-state scrambles"),
        (name = "pictures", description = "Pictures of cubes"),
        (name = "coordinates", description = "Coordinates, their values and symmetries"),
        (name = "tables", description = "Precomputed tables: rows, files and checks"),
        (name = "moves", description = "The 18 moves as four arrays, and a check of given arrays"),
        (name = "clients", description = "Routes of other programs, for their clients"),
        (name = "operation", description = "Index, contract, health and metrics")
    )
)]
struct Contract;

/// Adds the ways to send an API key.
struct Keys;

impl Modify for Keys {
    fn modify(&self, api: &mut OpenApi) {
        let bearer = SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build());
        let api_key = SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::new("X-Api-Key")));
        let components = api.components.get_or_insert_default();
        components.add_security_scheme("bearer", bearer);
        components.add_security_scheme("api_key", api_key);
    }
}

/// Generates the contract with these parts, as YAML and as JSON, in this order.
///
/// # Errors
/// Returns an error if the document cannot be written, or if something that operations share has no name.
pub(crate) fn generate(
    parts: impl IntoIterator<Item = OpenApi>,
) -> Result<(String, String), Box<dyn std::error::Error>> {
    let mut api = parts.into_iter().fold(Contract::openapi(), OpenApi::merge_from);
    require_one_form(&mut api);
    bound_arrays(&mut api);
    bytes_are_binary(&mut api);
    share_parts(&mut api)?;
    let json = api.to_json()?;
    Ok((yaml::from_json(&json)?, json))
}

/// Forms of a cube, their part of the schema name of a request, and the schema name of the form.
const FORMS: [(&str, &str, &str); 5] = [
    ("cube", "Cube", "CubeInAnyForm"),
    ("facelets", "Facelets", "CubeAsFacelets"),
    ("scramble", "Scramble", "CubeAsScramble"),
    ("cubies", "Cubies", "CubeAsCubies"),
    ("colors", "Colors", "CubeAsColors"),
];

/// Last words of the names of requests with a cube, which follow the form in the schema name.
const LAST_WORDS: [&str; 2] = ["Request", "Line"];

/// Fields that requests share: the schema name of the group, its description and its fields.
type Group = (&'static str, &'static str, &'static [&'static str]);

/// The group that belongs to the forms of a cube.
const READING: Group = (
    "CubeReading",
    "How to read the cube.",
    &["format", "buffers", "inverse_moves", "channel_order", "face_rotations", "face_order"],
);

/// The other groups.
const GROUPS: [Group; 4] = [
    (
        "TargetOptions",
        "Cube that the moves must lead to.",
        &["target", "target_format", "target_up_to_rotation", "target_up_to_turn"],
    ),
    ("LimitOptions", "Limits of the search.", &["target_length", "max_length", "time_limit_ms", "metric"]),
    ("MachineOptions", "Machine that executes the solution.", &["costs", "machine", "candidates"]),
    ("SearchOptions", "Solutions to find.", &["faces", "moves", "solutions", "optimal", "all_solutions"]),
];

/// Replaces each request with a cube by the union of its forms.
pub(crate) fn require_one_form(api: &mut OpenApi) {
    let components = api.components.get_or_insert_default();
    let has_cube = |schema: &RefOr<Schema>| matches!(schema, RefOr::T(Schema::Object(request)) if request.properties.contains_key("facelets"));
    let requests = components.schemas.iter().filter(|(_, schema)| has_cube(schema));
    let words =
        |name: &String| LAST_WORDS.into_iter().find_map(|last| Some((name.strip_suffix(last)?.to_owned(), last)));
    let requests: Vec<_> = requests.filter_map(|(name, _)| Some((name.clone(), words(name)?))).collect();
    for (name, (stem, last)) in requests {
        let Some(RefOr::T(Schema::Object(mut request))) = components.schemas.remove(&name) else { continue };
        let forms: Vec<_> = FORMS
            .into_iter()
            .filter_map(|(form, word, shared)| Some((form, word, shared, request.properties.shift_remove(form)?)))
            .collect();
        let mut union = OneOfBuilder::new().description(request.description.take());
        let reading = take_group(components, &mut request, READING);
        let mut options: Vec<_> =
            GROUPS.into_iter().filter_map(|group| take_group(components, &mut request, group)).collect();
        if !request.properties.is_empty() {
            request.description = Some(format!("Further fields of `{name}`."));
            request.additional_properties = None;
            options.push(share(components, &format!("{stem}Options"), request.into()));
        }
        for (form, word, shared, _) in &forms {
            let mut cube = ObjectBuilder::new().required(*form);
            for (other, _, _, schema) in &forms {
                cube = cube.property(*other, if other == form { not_null(schema.clone()) } else { null() });
            }
            let about = Some(format!("A cube as `{form}`."));
            let cube: Schema = match &reading {
                Some(reading) => AllOfBuilder::new().description(about).item(reading.clone()).item(cube).build().into(),
                None => cube.description(about).build().into(),
            };
            let variant = format!("{stem}{word}{last}");
            let mut parts = AllOfBuilder::new()
                .description(Some(format!("The request with the cube as `{form}`.")))
                .item(share(components, shared, cube))
                .extensions(Some([("unevaluatedProperties", false)].into_iter().collect::<Extensions>()))
                .build();
            parts.items.extend(options.iter().cloned());
            union = union.item(Ref::from_schema_name(&variant));
            components.schemas.insert(variant, Schema::from(parts).into());
        }
        components.schemas.insert(name, union.into());
    }
}

/// Returns a reference to the schema with this name, which it adds. If another schema has the name, returns the schema itself.
fn share(components: &mut Components, name: &str, schema: Schema) -> RefOr<Schema> {
    let shared = components.schemas.entry(name.to_owned()).or_insert_with(|| schema.clone().into());
    if *shared == RefOr::T(schema.clone()) { Ref::from_schema_name(name).into() } else { schema.into() }
}

/// Moves the fields of a group out of a request that has all of them.
fn take_group(components: &mut Components, request: &mut Object, group: Group) -> Option<RefOr<Schema>> {
    let (name, about, fields) = group;
    let has_all = fields.iter().all(|field| request.properties.contains_key(*field));
    has_all.then(|| {
        let mut shared = ObjectBuilder::new().description(Some(about));
        for field in fields {
            if let Some(schema) = request.properties.shift_remove(*field) {
                shared = shared.property(*field, schema);
            }
        }
        share(components, name, shared.build().into())
    })
}

/// Returns the schema of a form that is absent.
fn null() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::Null).description(Some("The cube is given in another form.")).into()
}

/// Removes null from the types of a property.
fn not_null(mut property: RefOr<Schema>) -> RefOr<Schema> {
    match &mut property {
        RefOr::T(Schema::Object(object)) => object.schema_type = Type::String.into(),
        RefOr::T(Schema::OneOf(either)) => {
            if let Some(reference) = either.items.iter().find(|item| matches!(item, RefOr::Ref(_))).cloned() {
                return reference;
            }
        }
        _ => {}
    }
    property
}

/// Arrays with one entry for each slot: the object, the array, the number of slots and the largest entry.
const ARRAYS: [(&str, &str, usize, usize); 8] = [
    ("Cubies", "cp", 8, 7),
    ("Cubies", "co", 8, 2),
    ("Cubies", "ep", 12, 11),
    ("Cubies", "eo", 12, 1),
    ("FourArrays", "corner_perm", 8, 7),
    ("FourArrays", "corner_orient_delta", 8, 2),
    ("FourArrays", "edge_perm", 12, 11),
    ("FourArrays", "edge_orient_delta", 12, 1),
];

/// States the length of each array and the range of its entries.
pub(crate) fn bound_arrays(api: &mut OpenApi) {
    let schemas = &mut api.components.get_or_insert_default().schemas;
    for (object, name, slots, most) in ARRAYS {
        if let Some(RefOr::T(Schema::Object(object))) = schemas.get_mut(object)
            && let Some(RefOr::T(Schema::Array(array))) = object.properties.get_mut(name)
        {
            let entry = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0)).maximum(Some(most));
            array.items = ArrayItems::RefOrSchema(Box::new(entry.into()));
            (array.min_items, array.max_items) = (Some(slots), Some(slots));
        }
    }
}

/// Media types of bodies that are not text.
const BINARY: [&str; 2] = ["application/octet-stream", "image/png"];

/// Describes each binary body as bytes: derived from `Vec<u8>`, it would be an array of integers.
pub(crate) fn bytes_are_binary(api: &mut OpenApi) {
    for item in api.paths.paths.values_mut() {
        let operations = [&mut item.get, &mut item.post].into_iter().flatten();
        let responses = operations.flat_map(|operation: &mut Operation| operation.responses.responses.values_mut());
        for response in responses {
            let RefOr::T(response) = response else { continue };
            for (media_type, content) in &mut response.content {
                if let RefOr::T(content) = content
                    && BINARY.contains(&media_type.as_str())
                {
                    let bytes = ObjectBuilder::new().schema_type(Type::String);
                    let bytes = bytes.format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)));
                    content.schema = Some(bytes.into());
                }
            }
        }
    }
}

/// Replaces shared responses and parameters by references.
///
/// # Errors
/// Names a response or parameter that is shared and has no name of its own.
pub(crate) fn share_parts(api: &mut OpenApi) -> Result<(), String> {
    let components = api.components.get_or_insert_default();
    share_responses(&mut api.paths, components)?;
    share_parameters(&mut api.paths, components)
}

/// Every operation with its path.
fn operations(paths: &mut Paths) -> impl Iterator<Item = (&str, &mut Operation)> {
    paths.paths.iter_mut().flat_map(|(path, item)| {
        [&mut item.get, &mut item.post].into_iter().flatten().map(move |operation| (path.as_str(), operation))
    })
}

fn share_responses(paths: &mut Paths, components: &mut Components) -> Result<(), String> {
    let mut names = problems::names();
    names.insert("The client's copy is current".to_owned(), "NotModified".to_owned());
    let mut unnamed: Vec<Response> = Vec::new();
    for (path, operation) in operations(paths) {
        for (status, response) in &mut operation.responses.responses {
            let RefOr::T(own) = response else { continue };
            if let Some(name) = names.get(&own.description) {
                let shared = components.responses.entry(name.clone()).or_insert_with(|| response.clone());
                if shared != response {
                    return Err(format!(
                        "the response {status} of {path} differs from {name}, but has its description"
                    ));
                }
                *response = Ref::from_response_name(name).into();
            } else if status.as_str() < "400" {
                // Few operations share an answer.
            } else if unnamed.contains(own) {
                let list = &own.description;
                return Err(format!(
                    "several responses {status}, also of {path}, are {list}: name them in problems.rs"
                ));
            } else {
                unnamed.push(own.clone());
            }
        }
    }
    Ok(())
}

fn share_parameters(paths: &mut Paths, components: &mut Components) -> Result<(), String> {
    // Each parameter with the paths of its operations.
    let mut uses: Vec<(Parameter, Vec<String>)> = Vec::new();
    for (path, operation) in operations(paths) {
        for parameter in operation.parameters.iter().flatten() {
            let RefOr::T(parameter) = parameter else { continue };
            match uses.iter_mut().find(|(known, _)| known == parameter) {
                Some((_, paths)) => paths.push(path.to_owned()),
                None => uses.push((parameter.clone(), vec![path.to_owned()])),
            }
        }
    }
    uses.retain(|(_, paths)| paths.len() > 1);
    let mut namesakes: BTreeMap<&str, usize> = BTreeMap::new();
    for (parameter, _) in &uses {
        *namesakes.entry(&parameter.name).or_default() += 1;
    }
    let mut names = Vec::new();
    for (parameter, paths) in &uses {
        let area = if namesakes[parameter.name.as_str()] > 1 { common_words(paths) } else { String::new() };
        let name = area + &capitalized(&parameter.name);
        if components.parameters.insert(name.clone(), parameter.clone().into()).is_some() {
            return Err(format!("several parameters, also of {}, would be named {name}", paths.join(", ")));
        }
        names.push(name);
    }
    for (_, operation) in operations(paths) {
        for parameter in operation.parameters.iter_mut().flatten() {
            if let RefOr::T(own) = parameter
                && let Some(at) = uses.iter().position(|(shared, _)| shared == own)
            {
                *parameter = RefOr::Ref(Ref::new(format!("#/components/parameters/{}", names[at])));
            }
        }
    }
    Ok(())
}

/// Returns the words with which all these paths begin: `ImageSteps` for `/image/steps.svg` and `/image/steps.png`.
fn common_words(paths: &[String]) -> String {
    let words = |path: &str| -> Vec<String> { path.split(['/', '.']).skip(1).map(str::to_owned).collect() };
    let mut common = words(&paths[0]);
    for path in paths {
        let same = common.iter().zip(words(path)).take_while(|(one, other)| *one == other).count();
        common.truncate(same);
    }
    common.iter().map(|word| capitalized(word)).collect()
}

/// Returns a name in camel case: `MaxLength` for `max_length`, `IfRange` for `If-Range`.
fn capitalized(name: &str) -> String {
    let words = name.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}
