//! Members of JSON documents, for answers whose shape is known.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// A JSON value of the kind that is asked for; any other kind fails the test with the value.
pub trait Document {
    fn text(&self) -> &str;
    fn number(&self) -> u64;
    fn list(&self) -> &Vec<Value>;
    fn members(&self) -> &Map<String, Value>;
}

impl Document for Value {
    #[track_caller]
    fn text(&self) -> &str {
        self.as_str().unwrap_or_else(|| panic!("no text: {self}"))
    }

    #[track_caller]
    fn number(&self) -> u64 {
        self.as_u64().unwrap_or_else(|| panic!("no number: {self}"))
    }

    #[track_caller]
    fn list(&self) -> &Vec<Value> {
        self.as_array().unwrap_or_else(|| panic!("no list: {self}"))
    }

    #[track_caller]
    fn members(&self) -> &Map<String, Value> {
        self.as_object().unwrap_or_else(|| panic!("no object: {self}"))
    }
}

/// Checks that an object has these members with these values.
#[track_caller]
pub fn assert_has(object: &Value, members: &Value) {
    for (name, value) in members.as_object().expect("an object") {
        assert_eq!(&object[name], value, "{name}: {object}");
    }
}

/// A list of a document.
#[track_caller]
pub fn list_of<T: DeserializeOwned>(value: &Value) -> Vec<T> {
    serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{error}: {value}"))
}
