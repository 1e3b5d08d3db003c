//! Readiness: the state of the tables, and those in use until they are loaded. The loader sets it; handlers and health routes read it.

use std::sync::Arc;

use serde::Serialize;
use tokio::sync::watch;

use crate::contract::ToSchema;
use superflip_solver::TableSet;

/// A stage of loading.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LoadStage {
    /// Existing files are being read and checked.
    Opening,
    /// The loader waits until tables in the same folder are built, by this process or another one.
    Waiting,
    /// Missing and unusable tables are being built.
    Building,
}

impl LoadStage {
    /// Returns the name in responses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Waiting => "waiting",
            Self::Building => "building",
        }
    }
}

/// Progress of opening or building the tables.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct TableProgress {
    /// `opening` existing files, `building` missing ones, or `waiting` until others in their folder are built, by this process or another one.
    #[schema(value_type = String, example = "building")]
    pub stage: LoadStage,
    /// Name of the current table; null before the first.
    pub table: Option<String>,
    /// Completed part of the stage, in thousandths.
    #[schema(maximum = 1000)]
    pub permille: u32,
}

impl TableProgress {
    /// Returns the progress before the first table.
    pub fn first() -> Self {
        Self { stage: LoadStage::Opening, table: None, permille: 0 }
    }
}

/// State of one set of tables.
#[derive(Clone)]
pub enum TableState {
    /// Tables being opened or built.
    Starting(TableProgress),
    /// Tables loaded and ready for use.
    Ready(TableSet),
    /// Tables that could not be opened or built.
    Failed {
        /// Public reason. The log contains the full error.
        reason: String,
    },
}

/// A shared [`TableState`], and the tables in use until it is ready.
#[derive(Clone)]
pub struct Readiness {
    state: Arc<watch::Sender<TableState>>,
    meanwhile: Option<TableSet>,
}

impl Readiness {
    /// Returns the state before anything is loaded.
    pub fn starting() -> Self {
        Self::of(TableState::Starting(TableProgress::first()))
    }

    /// Returns the state with this set loaded.
    pub fn ready(set: impl Into<TableSet>) -> Self {
        Self::of(TableState::Ready(set.into()))
    }

    fn of(state: TableState) -> Self {
        Self { state: Arc::new(watch::Sender::new(state)), meanwhile: None }
    }

    /// Sets the tables in use until the others are loaded, or if they cannot be loaded.
    #[must_use]
    pub fn with_meanwhile(self, set: impl Into<TableSet>) -> Self {
        Self { meanwhile: Some(set.into()), ..self }
    }

    /// Returns the tables in use, or the state if there are none.
    ///
    /// # Errors
    /// Returns the state if no tables are in use: starting or failed.
    pub(crate) fn answering(&self) -> Result<TableSet, TableState> {
        match self.get() {
            TableState::Ready(tables) => Ok(tables),
            state => self.meanwhile.clone().ok_or(state),
        }
    }

    /// Returns the current state.
    pub fn get(&self) -> TableState {
        self.state.borrow().clone()
    }

    /// Returns the tables if they are loaded.
    pub fn loaded(&self) -> Option<TableSet> {
        match self.get() {
            TableState::Ready(tables) => Some(tables),
            _ => None,
        }
    }

    /// Sets the state.
    pub fn set(&self, state: TableState) {
        self.state.send_replace(state);
    }

    /// Waits until the tables are loaded, or could not be loaded.
    pub async fn settled(&self) {
        let is_settled = |state: &TableState| !matches!(state, TableState::Starting(_));
        // The sender lives as long as `self`.
        let _ = self.state.subscribe().wait_for(is_settled).await;
    }
}
