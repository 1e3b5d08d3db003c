//! Moves responses and parameters that several operations share into the components, where each stands once.

use std::collections::BTreeMap;

use utoipa::openapi::path::{Operation, Parameter};
use utoipa::openapi::{Components, OpenApi, Paths, Ref, RefOr, Response};

use super::problems;

/// Replaces shared responses and parameters by references.
///
/// # Errors
/// Names a response or parameter that is shared and has no name of its own.
pub(crate) fn share(api: &mut OpenApi) -> Result<(), String> {
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
