//! `/symmetries`: the 48 symmetries and their products.

use serde::Serialize;

use crate::api::problem::{Code, Problem};
use crate::api::request::read::short;
use crate::api::types;
use crate::contract::{self, ToSchema};
use crate::http::extract::{NoQuery, PathParts};
use crate::http::json::Json;
use crate::http::operation;
use superflip_coords::space::group;
use superflip_cube::Symmetry;

/// List of the 48 symmetries.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SymmetryList {
    /// Symmetries in the order of their indices.
    pub symmetries: Vec<types::Symmetry>,
    /// Multiplication table, Kociemba's `SymMult`: entry j of row i is the index of S(i) S(j), first i, then j.
    #[schema(min_items = 48, max_items = 48)]
    pub products: Vec<Vec<usize>>,
}

impl SymmetryList {
    /// Creates the list.
    pub(crate) fn new() -> Self {
        let row = |i: Symmetry| Symmetry::all().map(|j| i.then(j).index()).collect();
        Self { symmetries: Symmetry::all().map(Into::into).collect(), products: Symmetry::all().map(row).collect() }
    }
}

impl Default for SymmetryList {
    fn default() -> Self {
        Self::new()
    }
}

/// Product of two symmetries.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SymmetryProduct {
    /// Index i of the first symmetry.
    pub first: usize,
    /// Index j of the second symmetry.
    pub second: usize,
    /// Index of S(i) S(j), first i, then j: Kociemba's `SymMult[i, j]`.
    pub product: usize,
    /// Descriptions of the three symmetries.
    pub descriptions: ProductDescriptions,
}

/// Descriptions of two symmetries and their product.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ProductDescriptions {
    /// Description of the first symmetry.
    pub first: String,
    /// Description of the second symmetry.
    pub second: String,
    /// Description of the product.
    pub product: String,
}

impl SymmetryProduct {
    /// Multiplies two symmetries.
    pub(crate) fn new(first: Symmetry, second: Symmetry) -> Self {
        let product = first.then(second);
        Self {
            first: first.index(),
            second: second.index(),
            product: product.index(),
            descriptions: ProductDescriptions {
                first: group::describe(first),
                second: group::describe(second),
                product: group::describe(product),
            },
        }
    }
}

/// List the 48 symmetries
///
/// Returns all symmetries and the table of their products.
#[contract::path(get, path = "/symmetries", tag = "coordinates", operation_id = "symmetries",
    responses((status = 200, description = "All symmetries, with their action on moves and their groups, and all products",
        body = SymmetryList), ListProblems))]
pub(crate) async fn list(_: NoQuery) -> Json<SymmetryList> {
    Json(SymmetryList::new())
}

/// Multiply two symmetries
///
/// Returns one entry of Kociemba's `SymMult`: first i, then j. Conjugation by the product is conjugation by j, then by i.
#[contract::path(get, path = "/symmetries/{i}/{j}", tag = "coordinates", operation_id = "symmetry_product",
    params(("i" = u32, Path, description = "First symmetry, 0 to 47", minimum = 0, maximum = 47, example = 16),
        ("j" = u32, Path, description = "Second symmetry, 0 to 47", minimum = 0, maximum = 47, example = 2)),
    responses((status = 200, description = "The product", body = SymmetryProduct), ProductProblems))]
pub(crate) async fn product(
    PathParts((i, j)): PathParts<(String, String)>,
    _: NoQuery,
) -> Result<Json<SymmetryProduct>, Problem> {
    Ok(Json(SymmetryProduct::new(symmetry_in_path(&i)?, symmetry_in_path(&j)?)))
}

/// Reads the index of a symmetry in the path.
fn symmetry_in_path(text: &str) -> Result<Symmetry, Problem> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let symmetry = text.parse().ok().filter(|_| is_number).and_then(Symmetry::try_from_index);
    symmetry.ok_or_else(|| {
        let code = if is_number { Code::ValueOutOfRange } else { Code::InvalidPath };
        let text = short(text);
        let detail = format!(
            "`{text}` in the path is not a symmetry; expected an integer from 0 to 47. GET /symmetries lists them."
        );
        Problem::new(code, detail)
    })
}

operation! {
    routes {
        "/symmetries": get list;
        "/symmetries/{i}/{j}": get product;
    }
    links {
        GET "/symmetries" "The 48 symmetries, their groups and their products";
        GET "/symmetries/16/2" "The product of two symmetries";
    }
    problems {
        /// Problems of `GET /symmetries`.
        ListProblems: NO_QUERY [];
        /// Problems of `GET /symmetries/{i}/{j}`.
        ProductProblems: NO_QUERY [InvalidPath ValueOutOfRange];
    }
}
