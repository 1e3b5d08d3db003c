//! Whether tables are there yet: told by the loader, asked by the handlers and the health routes.

use std::sync::{Arc, PoisonError, RwLock};

use crate::tables::Tables;

/// How far tables are: those of the profile, or others that are loaded by themselves.
pub enum State<T = Tables> {
    /// Being opened or built.
    Starting {
        /// The table at work; empty before the first.
        table: String,
        /// How much of the whole job is done, 0..=1000.
        permille: u32,
    },
    /// Mapped.
    Ready(Arc<T>),
    /// They cannot be had.
    Failed {
        /// Why, in words for callers; the log has all of it.
        reason: String,
    },
}

impl<T> Clone for State<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Starting { table, permille } => Self::Starting { table: table.clone(), permille: *permille },
            Self::Ready(tables) => Self::Ready(Arc::clone(tables)),
            Self::Failed { reason } => Self::Failed { reason: reason.clone() },
        }
    }
}

/// A shared [`State`].
pub struct Readiness<T = Tables>(Arc<RwLock<State<T>>>);

impl<T> Clone for Readiness<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Readiness<T> {
    /// Starting, nothing done.
    pub fn starting() -> Self {
        Self(Arc::new(RwLock::new(State::Starting { table: String::new(), permille: 0 })))
    }

    /// Ready from the first moment.
    pub fn ready(tables: Arc<T>) -> Self {
        Self(Arc::new(RwLock::new(State::Ready(tables))))
    }

    /// The state now.
    pub fn get(&self) -> State<T> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes it.
    pub fn set(&self, state: State<T>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = state;
    }
}
