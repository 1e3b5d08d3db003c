//! Schemas that `ToSchema` cannot derive: requests with a cube in exactly one form, arrays with one entry per slot, and binary bodies.
//!
//! In Rust such a request has optional forms and a check that exactly one is present. A derived schema would accept
//! `{}`. So each such request becomes a `oneOf` of objects, one per form: the form is required, and the others may only be null.
//! Client generators support unions of named objects.

use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{
    ArrayItems, KnownFormat, Object, ObjectBuilder, OneOfBuilder, Schema, SchemaFormat, Type,
};
use utoipa::openapi::{OpenApi, Ref, RefOr};

/// Forms of a cube, and their part of the schema name.
const FORMS: [(&str, &str); 5] =
    [("cube", "Cube"), ("facelets", "Facelets"), ("scramble", "Scramble"), ("cubies", "Cubies"), ("colors", "Colors")];

/// Requests with a cube: the name, and its last word, which follows the form in the schema name.
const REQUESTS: [(&str, &str); 9] = [
    ("SolveRequest", "Request"),
    ("CoordsRequest", "Request"),
    ("ExplainRequest", "Request"),
    ("ConvertRequest", "Request"),
    ("RepairRequest", "Request"),
    ("SolutionCheckRequest", "Request"),
    ("DiagnoseRequest", "Request"),
    ("StepsRequest", "Request"),
    ("BatchLine", "Line"),
];

/// Replaces each request with a cube by the union of its forms.
pub(crate) fn require_one_form(api: &mut OpenApi) {
    let schemas = &mut api.components.get_or_insert_default().schemas;
    for (name, last) in REQUESTS {
        let Some(RefOr::T(Schema::Object(request))) = schemas.remove(name) else { continue };
        let mut union = OneOfBuilder::new().description(request.description.clone());
        for (form, word) in FORMS.into_iter().filter(|(form, _)| request.properties.contains_key(*form)) {
            let variant = format!("{}{word}{last}", name.trim_end_matches(last));
            union = union.item(Ref::from_schema_name(&variant));
            schemas.insert(variant, Schema::Object(with_form(request.clone(), form)).into());
        }
        schemas.insert(name.to_owned(), Schema::OneOf(union.build()).into());
    }
}

/// Returns the schema of the request with the cube in the given form.
fn with_form(mut request: Object, form: &str) -> Object {
    request.description = Some(format!("The request with the cube as `{form}`."));
    request.required.insert(0, form.to_owned());
    for (name, property) in &mut request.properties {
        if name == form {
            without_null(property);
        } else if FORMS.iter().any(|(other, _)| other == name) {
            let null =
                ObjectBuilder::new().schema_type(Type::Null).description(Some("The cube is given in another form."));
            *property = null.into();
        }
    }
    request
}

/// Removes null from the types of a property.
fn without_null(property: &mut RefOr<Schema>) {
    match property {
        RefOr::T(Schema::Object(object)) => object.schema_type = Type::String.into(),
        RefOr::T(Schema::OneOf(either)) => {
            if let Some(reference) = either.items.iter().find(|item| matches!(item, RefOr::Ref(_))).cloned() {
                *property = reference;
            }
        }
        _ => {}
    }
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
