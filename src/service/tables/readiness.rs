//! Whether tables are there: told by the loader and by checks, asked by the handlers and the health routes.

use std::sync::Arc;

use tokio::sync::watch;

use crate::tables::{Tables, Trust};

/// What a check found wrong with tables that were in use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// The table.
    pub table: String,
    /// What is wrong with it, in a sentence.
    pub problem: String,
    /// What is left to be trusted of the folder.
    pub trust: Trust,
}

/// What is being done for tables that are not there yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Those on disk are read and checked.
    Opening,
    /// Another process builds in the folder, and this one waits for it.
    Waiting,
    /// Those that were not to be had so are computed.
    Building,
}

impl Stage {
    /// Its name in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Waiting => "waiting",
            Self::Building => "building",
        }
    }
}

/// How far tables are that are not there yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What is being done.
    pub stage: Stage,
    /// The table at work; empty before the first.
    pub table: String,
    /// How much of this stage is done, 0..=1000.
    pub permille: u32,
}

impl Step {
    /// Before the first.
    pub fn first() -> Self {
        Self { stage: Stage::Opening, table: String::new(), permille: 0 }
    }
}

/// How far tables are: those of the profile, or others that are loaded by themselves.
pub enum State<T = Tables> {
    /// Being opened or built.
    Starting(Step),
    /// Mapped.
    Ready(Arc<T>),
    /// They were mapped, and a check found them damaged: they are opened or built anew.
    Mending {
        /// What was found.
        damage: Damage,
        /// How far that is.
        step: Step,
    },
    /// They cannot be had.
    Failed {
        /// Why, in words for callers; the log has all of it.
        reason: String,
    },
}

impl<T> Clone for State<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Starting(step) => Self::Starting(step.clone()),
            Self::Ready(tables) => Self::Ready(Arc::clone(tables)),
            Self::Mending { damage, step } => Self::Mending { damage: damage.clone(), step: step.clone() },
            Self::Failed { reason } => Self::Failed { reason: reason.clone() },
        }
    }
}

impl<T> State<T> {
    fn holds(&self, tables: &Arc<T>) -> bool {
        matches!(self, Self::Ready(now) if Arc::ptr_eq(now, tables))
    }
}

/// A shared [`State`].
pub struct Readiness<T = Tables>(Arc<watch::Sender<State<T>>>);

impl<T> Clone for Readiness<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Readiness<T> {
    /// Starting, nothing done.
    pub fn starting() -> Self {
        Self::of(State::Starting(Step::first()))
    }

    /// Ready from the first moment.
    pub fn ready(tables: Arc<T>) -> Self {
        Self::of(State::Ready(tables))
    }

    fn of(state: State<T>) -> Self {
        Self(Arc::new(watch::Sender::new(state)))
    }

    /// The state now.
    pub fn get(&self) -> State<T> {
        self.0.borrow().clone()
    }

    /// Changes it.
    pub fn set(&self, state: State<T>) {
        self.0.send_replace(state);
    }

    /// Takes `tables` out of use, if they still are in use; returns whether they were.
    pub fn doubt(&self, tables: &Arc<T>, damage: Damage) -> bool {
        self.0.send_if_modified(|state| {
            let is_in_use = state.holds(tables);
            if is_in_use {
                *state = State::Mending { damage, step: Step::first() };
            }
            is_in_use
        })
    }

    /// Whether `tables` are those in use.
    pub fn holds(&self, tables: &Arc<T>) -> bool {
        self.0.borrow().holds(tables)
    }

    /// Resolves once `tables` are not in use, or no longer.
    pub async fn lost(&self, tables: &Arc<T>) {
        // The sender lives as long as this, so that waiting cannot fail.
        let _ = self.0.subscribe().wait_for(|state| !state.holds(tables)).await;
    }

    /// Resolves once the tables in use were found damaged, with what was found.
    pub async fn damaged(&self) -> Damage {
        let mut states = self.0.subscribe();
        loop {
            if let State::Mending { damage, .. } = &*states.borrow_and_update() {
                return damage.clone();
            }
            if states.changed().await.is_err() {
                return std::future::pending().await;
            }
        }
    }
}
