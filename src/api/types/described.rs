//! Schemas of enums of the libraries that are sent as they are. A test compares their names with those that the libraries send.

use utoipa::ToSchema;

/// Set of tables.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum Profile {
    /// Fast set of about 640 MB.
    Standard,
    /// Small set of about 50 MB.
    Small,
}

/// Reason why the search ended. If several solutions were requested, it refers to the list of them.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
pub enum StoppedBy {
    /// A solution of at most `target_length` moves was found; or as many of them as requested.
    TargetLength,
    /// The time limit passed.
    TimeLimit,
    /// There was no capacity to continue the search after its first solution.
    Overloaded,
    /// No shorter solution exists. For a list: every solution that is missing in a full list is at least as long as its last one, and no
    /// solution within the maximum length is missing in a shorter list.
    ProvenOptimal,
}
