//! Schemas that `ToSchema` cannot derive: requests with a cube in exactly one form, arrays with one entry per slot, and binary bodies.
//!
//! In Rust such a request has optional forms and a check that exactly one is present. A derived schema would accept
//! `{}`. So each such request becomes a `oneOf` of objects, one per form: the form is required, and the others may only be null.
//! Client generators support unions of named objects. Each object is an `allOf` of the form and of the other fields, so that all are
//! described once. Of such parts, only forms have parts themselves: `NSwag` loses the parts of all but the first one.

use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{
    AllOfBuilder, ArrayItems, Components, KnownFormat, Object, ObjectBuilder, OneOfBuilder, Schema, SchemaFormat, Type,
};
use utoipa::openapi::{OpenApi, Ref, RefOr};

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
