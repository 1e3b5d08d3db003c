//! Whether the tables are there yet: told by the loader, asked by the handlers and the health routes.

use std::sync::{Arc, PoisonError, RwLock};

use crate::tables::Tables;

/// How far the tables are.
#[derive(Clone)]
pub enum State {
    /// Being opened or built.
    Starting {
        /// The table at work; empty before the first.
        table: String,
        /// How much of the whole job is done, 0..=1000.
        permille: u32,
    },
    /// Mapped.
    Ready(Arc<Tables>),
    /// They cannot be had.
    Failed {
        /// Why, with the remedy.
        reason: String,
    },
}

/// A shared [`State`].
#[derive(Clone)]
pub struct Readiness(Arc<RwLock<State>>);

impl Readiness {
    /// Starting, nothing done.
    pub fn starting() -> Self {
        Self(Arc::new(RwLock::new(State::Starting { table: String::new(), permille: 0 })))
    }

    /// Ready from the first moment.
    pub fn ready(tables: Arc<Tables>) -> Self {
        Self(Arc::new(RwLock::new(State::Ready(tables))))
    }

    /// The state now.
    pub fn get(&self) -> State {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes it.
    pub fn set(&self, state: State) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = state;
    }
}
