//! Structs whose fields are declared once, for bodies, lines of a batch, queries and the contract.
//!
//! A request is made of groups of fields that requests share, and of fields of its own. Its reader finds each key in the groups, and reads the
//! value at once, into its place. So an error keeps its path and its column, which a buffer, as of `#[serde(flatten)]`, would lose.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};

use super::strict::Value;

/// What a request is read from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A JSON object.
    Body,
    /// A query string.
    Query,
}

/// A struct whose fields are read one by one; `fields!` implements it. Fields have numbers in their order, those of groups included.
pub trait Fields: Default {
    /// Number of fields, at most 64.
    const COUNT: usize;

    /// Returns the number and the name of a field that may be given in this place.
    fn find(name: &str, place: Place) -> Option<(usize, &'static str)>;

    /// Returns the names of the fields that may be given in this place.
    fn names(place: Place) -> Vec<&'static str>;

    /// Returns the name of the first required field that was not read. Bit `n` of `read` says whether field `n` was.
    fn missing(read: u64) -> Option<&'static str>;

    /// Reads the value of a field.
    ///
    /// # Errors
    /// Returns the error of the value.
    fn read<'de, A: MapAccess<'de>>(&mut self, field: usize, map: &mut A) -> Result<(), A::Error>;

    /// Takes each absent field from `defaults`.
    #[must_use]
    fn or(self, defaults: &Self) -> Self;

    /// Adds the fields and the description to a schema.
    #[cfg(feature = "contract")]
    fn describe(schema: &mut utoipa::openapi::Object);

    /// Lists the schemas to which those of the fields refer.
    #[cfg(feature = "contract")]
    fn schemas(all: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>);
}

/// A request that is read from a query, although its type can be a body too.
#[derive(Clone, Debug)]
pub struct InQuery<R>(pub R);

impl<'de, R: Fields> serde::Deserialize<'de> for InQuery<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(deserializer, Place::Query).map(Self)
    }
}

/// Reads an object. Unlike a derived implementation, it does not accept a list.
pub(crate) fn read<'de, R: Fields, D: Deserializer<'de>>(deserializer: D, place: Place) -> Result<R, D::Error> {
    deserializer.deserialize_map(Object { place, of: PhantomData })
}

struct Object<R> {
    place: Place,
    of: PhantomData<R>,
}

impl<'de, R: Fields> Visitor<'de> for Object<R> {
    type Value = R;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<R, A::Error> {
        let (mut request, mut read) = (R::default(), 0);
        while let Some((field, name)) = map.next_key_seed(Key::<R> { place: self.place, of: PhantomData })? {
            let bit = 1 << field;
            if read & bit != 0 {
                return Err(Error::duplicate_field(name));
            }
            read |= bit;
            Fields::read(&mut request, field, &mut map)?;
        }
        R::missing(read).map_or(Ok(request), |name| Err(Error::missing_field(name)))
    }
}

struct Key<R> {
    place: Place,
    of: PhantomData<R>,
}

impl<'de, R: Fields> DeserializeSeed<'de> for Key<R> {
    type Value = (usize, &'static str);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<R: Fields> Visitor<'_> for Key<R> {
    type Value = (usize, &'static str);

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the name of a field")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        R::find(name, self.place).ok_or_else(|| {
            let known = R::names(self.place).join("`, `");
            E::custom(format_args!("unknown field `{name}`, expected one of `{known}`"))
        })
    }
}

/// Reads one value.
pub(crate) struct Read<V>(pub(crate) PhantomData<V>);

impl<'de, V: Value> DeserializeSeed<'de> for Read<V> {
    type Value = V;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<V, D::Error> {
        V::read(deserializer)
    }
}

/// Declares a struct of [`Fields`]. A member `..name: Group` is a group; the others are fields with a [`Value`]. `Request as SolveRequest`
/// has that name in the contract. `in Query` says that it is read from queries only. `bodies` lists the fields that no query has.
macro_rules! fields {
    (@members $meta:tt $head:tt [$($all:tt)*] $own:tt [$($list:tt)*] $(#[$on:meta])* ..$group:ident: $of:ty, $($rest:tt)*) => {
        fields! { @members $meta $head [$($all)* $(#[$on])* #[doc = concat!("`", stringify!($of), "`.")] pub $group: $of,] $own [$($list)* (group $group $of)] $($rest)* }
    };
    (@members $meta:tt $head:tt [$($all:tt)*] [$($own:tt)*] [$($list:tt)*] $(#[$on:meta])* pub $field:ident: $of:ty, $($rest:tt)*) => {
        fields! { @members $meta $head [$($all)* $(#[$on])* pub $field: $of,] [$($own)* $(#[$on])* pub $field: $of,]
            [$($list)* (own $field $of)] $($rest)* }
    };
    (@members [$($meta:tt)*] [$name:ident [$schema:ident $($_name:ident)?] [$place:ident $($_place:ident)?] [$($only:ident)*]]
        [$($all:tt)*] [$($own:tt)*] [$(($kind:ident $member:ident $of:ty))*]) => {
        $($meta)*
        #[derive(Clone, Debug, Default, $crate::contract::Attributes)]
        #[allow(unreachable_pub)] // where the module is not public
        pub struct $name {
            $($all)*
        }

        const _: () = {
            use $crate::api::types::fields::{self, Fields, Place};

            // The fields without the groups, for the contract.
            #[cfg(feature = "contract")]
            #[allow(dead_code)]
            $($meta)*
            #[derive(utoipa::ToSchema, $crate::contract::Attributes)]
            struct Own {
                $($own)*
            }

            #[allow(unused_assignments, clippy::vec_init_then_push)] // of the last number; of the first name
            impl Fields for $name {
                const COUNT: usize = 0 $(+ fields!(@count $kind $of))*;

                fn find(name: &str, place: Place) -> Option<(usize, &'static str)> {
                    if place == Place::Query && [$(stringify!($only),)* ""].contains(&name) {
                        return None;
                    }
                    let mut at = 0;
                    $(fields!(@find $kind $member $of, name place at);)*
                    None
                }

                fn names(place: Place) -> Vec<&'static str> {
                    let mut names = Vec::new();
                    $(fields!(@names $kind $member $of, place names);)*
                    names.retain(|name| Self::find(name, place).is_some());
                    names
                }

                fn missing(read: u64) -> Option<&'static str> {
                    let mut at = 0;
                    $(fields!(@missing $kind $member $of, read at);)*
                    None
                }

                fn read<'de, A: serde::de::MapAccess<'de>>(&mut self, field: usize, map: &mut A) -> Result<(), A::Error> {
                    let mut field = field;
                    $(fields!(@read $kind $member $of, self field map);)*
                    Ok(())
                }

                fn or(self, defaults: &Self) -> Self {
                    Self { $($member: fields!(@or $kind)(self.$member, &defaults.$member),)* }
                }

                #[cfg(feature = "contract")]
                fn describe(schema: &mut utoipa::openapi::Object) {
                    let own = fields::contract::object::<Own>();
                    $(fields!(@describe $kind $member $of, schema own);)*
                    schema.description = own.description;
                }

                #[cfg(feature = "contract")]
                fn schemas(all: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>) {
                    <Own as utoipa::ToSchema>::schemas(all);
                    $(fields!(@schemas $kind $of, all);)*
                }
            }

            impl<'de> serde::Deserialize<'de> for $name {
                fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    fields::read(deserializer, Place::$place)
                }
            }

            #[cfg(feature = "contract")]
            impl utoipa::PartialSchema for $name {
                fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                    let mut schema = utoipa::openapi::Object::new();
                    Self::describe(&mut schema);
                    schema.into()
                }
            }

            #[cfg(feature = "contract")]
            impl utoipa::ToSchema for $name {
                fn name() -> std::borrow::Cow<'static, str> {
                    stringify!($schema).into()
                }

                fn schemas(all: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>) {
                    <Self as Fields>::schemas(all);
                }
            }

            #[cfg(feature = "contract")]
            impl utoipa::IntoParams for $name {
                fn into_params(
                    _: impl Fn() -> Option<utoipa::openapi::path::ParameterIn>,
                ) -> Vec<utoipa::openapi::path::Parameter> {
                    fields::contract::parameters::<Self>()
                }
            }
        };
    };
    (@count group $of:ty) => { <$of as Fields>::COUNT };
    (@count own $of:ty) => { 1 };
    (@find group $member:ident $of:ty, $name:ident $place:ident $at:ident) => {
        if let Some((field, name)) = <$of as Fields>::find($name, $place) {
            return Some(($at + field, name));
        }
        $at += <$of as Fields>::COUNT;
    };
    (@find own $member:ident $of:ty, $name:ident $place:ident $at:ident) => {
        if $name == stringify!($member) {
            return Some(($at, stringify!($member)));
        }
        $at += 1;
    };
    (@names group $member:ident $of:ty, $place:ident $names:ident) => { $names.extend(<$of as Fields>::names($place)) };
    (@names own $member:ident $of:ty, $place:ident $names:ident) => { $names.push(stringify!($member)) };
    (@missing group $member:ident $of:ty, $read:ident $at:ident) => {
        if let Some(name) = <$of as Fields>::missing($read >> $at) {
            return Some(name);
        }
        $at += <$of as Fields>::COUNT;
    };
    (@missing own $member:ident $of:ty, $read:ident $at:ident) => {
        if <$of as $crate::api::types::strict::Value>::IS_REQUIRED && ($read >> $at) & 1 == 0 {
            return Some(stringify!($member));
        }
        $at += 1;
    };
    (@read group $member:ident $of:ty, $self:tt $field:ident $map:ident) => {
        if $field < <$of as Fields>::COUNT {
            return Fields::read(&mut $self.$member, $field, $map);
        }
        $field -= <$of as Fields>::COUNT;
    };
    (@read own $member:ident $of:ty, $self:tt $field:ident $map:ident) => {
        if $field == 0 {
            $self.$member = $map.next_value_seed(fields::Read(std::marker::PhantomData))?;
            return Ok(());
        }
        $field -= 1;
    };
    (@or group) => { Fields::or };
    (@or own) => { $crate::api::types::strict::Value::or };
    (@describe group $member:ident $of:ty, $schema:ident $own:ident) => { <$of as Fields>::describe($schema) };
    (@describe own $member:ident $of:ty, $schema:ident $own:ident) => {
        fields::contract::add($schema, &$own, stringify!($member))
    };
    (@schemas group $of:ty, $all:ident) => { <$of as Fields>::schemas($all) };
    (@schemas own $of:ty, $all:ident) => {};
    ($(#[$meta:meta])* pub struct $name:ident $(as $schema:ident)? $(in $place:ident)? {$($member:tt)*} $(bodies {$($only:ident)*})?) => {
        fields! { @members [$(#[$meta])*] [$name [$($schema)? $name] [$($place)? Body] [$($($only)*)?]] [] [] [] $($member)* }
    };
}

pub(crate) use fields;

/// Describes the fields in the contract.
#[cfg(feature = "contract")]
pub(crate) mod contract {
    use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
    use utoipa::openapi::schema::{Object, ObjectBuilder, Schema, SchemaType, Type};
    use utoipa::openapi::{RefOr, Required};
    use utoipa::{PartialSchema, ToSchema};

    use super::{Fields, Place};
    use crate::api::types::described::AnyCube;

    /// Returns the schema of a struct, which is an object.
    pub(crate) fn object<T: PartialSchema>() -> Object {
        match T::schema() {
            RefOr::T(Schema::Object(object)) => object,
            _ => Object::new(),
        }
    }

    /// Adds a field of another object.
    pub(crate) fn add(schema: &mut Object, of: &Object, name: &str) {
        let property = of.properties.get(name).cloned();
        schema.properties.extend(property.map(|property| (name.to_owned(), property)));
        schema.required.extend(of.required.iter().find(|required| *required == name).cloned());
    }

    /// Returns the parameters of a query with these fields.
    pub(crate) fn parameters<F: Fields>() -> Vec<Parameter> {
        let mut all = Object::new();
        F::describe(&mut all);
        let Object { properties, required, .. } = all;
        // A client that sends each example sends one form of the cube.
        let is_beside = |name: &str| matches!(name, "facelets" | "buffers" | "inverse_moves");
        let one_form = properties.contains_key("scramble");
        let of_query = properties.into_iter().filter(|(name, _)| F::find(name, Place::Query).is_some());
        let parameters = of_query.map(|(name, property)| {
            let required = if required.contains(&name) { Required::True } else { Required::False };
            parameter(&name, property, required, !(one_form && is_beside(&name)))
        });
        parameters.collect()
    }

    /// Returns a parameter for a property of an object: it is not null, and a cube or a list is a text.
    fn parameter(name: &str, property: RefOr<Schema>, required: Required, has_example: bool) -> Parameter {
        let is_null = |item: &RefOr<Schema>| matches!(item, RefOr::T(Schema::Object(object)) if object.schema_type == Type::Null.into());
        let (mut described, mut description, mut example) = (None, None, None);
        let mut schema = match property {
            RefOr::T(Schema::OneOf(either)) => {
                described = either.description;
                either.items.into_iter().find(|item| !is_null(item)).unwrap_or_default()
            }
            property => property,
        };
        match &mut schema {
            RefOr::Ref(reference) => {
                description = Some(std::mem::take(&mut reference.description)).filter(|text| !text.is_empty());
                if reference.ref_location.ends_with(&*format!("/{}", AnyCube::name())) {
                    schema = ObjectBuilder::new().schema_type(Type::String).into();
                }
            }
            RefOr::T(Schema::Object(object)) => {
                (description, example) = (object.description.take(), object.example.take());
                if let SchemaType::Array(types) = &object.schema_type
                    && let Some(only) = types.iter().find(|of| **of != Type::Null)
                {
                    object.schema_type = only.clone().into();
                }
            }
            RefOr::T(Schema::Array(list)) => {
                description = list.description.take();
                let names = list.example.as_ref().and_then(|names| names.as_array()).into_iter().flatten();
                let names = names.filter_map(|name| name.as_str()).collect::<Vec<_>>().join(",");
                (schema, example) = (ObjectBuilder::new().schema_type(Type::String).into(), Some(names.into()));
            }
            RefOr::T(_) => {}
        }
        let parameter = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Query).required(required);
        parameter
            .description(described.or(description))
            .schema(Some(schema))
            .example(example.filter(|_| has_example))
            .build()
    }
}
