//! The 48 symmetries and their multiplication table.

use crate::contract::ToSchema;
use serde::Serialize;

use crate::api::types::SymmetryBody;
use superflip_coords::space::group;
use superflip_cube::Symmetry;

/// List of the 48 symmetries.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = SymmetryList)]
pub struct SymmetriesBody {
    /// Symmetries in the order of their indices.
    pub symmetries: Vec<SymmetryBody>,
    /// Multiplication table, Kociemba's `SymMult`: entry j of row i is the index of S(i) S(j), first i, then j.
    #[schema(min_items = 48, max_items = 48)]
    pub products: Vec<Vec<usize>>,
}

impl SymmetriesBody {
    /// Creates the list.
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

/// Product of two symmetries.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = SymmetryProduct)]
pub struct SymmetryProductBody {
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
pub struct ProductDescriptions {
    /// Description of the first symmetry.
    pub first: String,
    /// Description of the second symmetry.
    pub second: String,
    /// Description of the product.
    pub product: String,
}

impl SymmetryProductBody {
    /// Multiplies two symmetries.
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
