//! The 48 symmetries and their multiplication table.

use crate::api::contract::ToSchema;
use serde::Serialize;

use crate::api::types::SymmetryBody;
use crate::cube::Symmetry;
use crate::space::group;

/// The 48 symmetries.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = SymmetryList)]
pub struct SymmetriesBody {
    /// In the order of their numbers.
    pub symmetries: Vec<SymmetryBody>,
    /// The multiplication table, Kociemba's `SymMult`: entry j of row i is the number of S(i) S(j), first i, then j.
    #[schema(min_items = 48, max_items = 48)]
    pub products: Vec<Vec<usize>>,
}

impl SymmetriesBody {
    /// All of them, with their products.
    pub fn new() -> Self {
        let row = |i: Symmetry| Symmetry::all().map(|j| i.then(j).index()).collect();
        Self { symmetries: Symmetry::all().map(Into::into).collect(), products: Symmetry::all().map(row).collect() }
    }
}

impl Default for SymmetriesBody {
    fn default() -> Self {
        Self::new()
    }
}

/// The product of two symmetries.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = SymmetryProduct)]
pub struct SymmetryProductBody {
    /// The number i of the symmetry that comes first.
    pub first: usize,
    /// The number j of the symmetry that comes second.
    pub second: usize,
    /// The number of S(i) S(j), first i, then j: Kociemba's `SymMult[i, j]`.
    pub product: usize,
    /// What each of the three does.
    pub descriptions: ProductDescriptions,
}

/// What the factors and the product do, in words.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ProductDescriptions {
    /// What the first symmetry does.
    pub first: String,
    /// What the second symmetry does.
    pub second: String,
    /// What the product does.
    pub product: String,
}

impl SymmetryProductBody {
    /// First one symmetry, then the other.
    pub fn new(first: Symmetry, second: Symmetry) -> Self {
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
