//! Builds a space from an expression, within limits.

use std::sync::Arc;

use super::error::SpaceError;
use super::expression::{self, ExpressionError, Plan};
use super::graph::{Representation, Space};
use super::memory::Memory;
use super::product::Product;
use super::reduction::classes::SpaceClasses;
use super::reduction::group;
use super::reduction::group::Group;
use super::reduction::reduced::{Reduced, is_phase_one};
use superflip_solver::Control;
use superflip_solver::coord::{Descriptor, FLIP_SLICE_SORTED};
use superflip_solver::tables::Tables;

/// Size limits for composed spaces.
#[derive(Clone, Copy, Debug)]
pub struct SpaceLimits {
    /// Maximum number of values of a space; 0: no space is composed.
    pub values: u64,
    /// Maximum memory of a space in bytes, while it is built or sent: half of the memory for all spaces.
    pub bytes: u64,
}

impl Default for SpaceLimits {
    /// 2^24 values and 256 MiB.
    fn default() -> Self {
        Self { values: 1 << 24, bytes: 1 << 28 }
    }
}

impl Plan {
    /// Builds the space, within [`SpaceLimits::default`].
    ///
    /// # Errors
    /// As [`Space::new`].
    pub fn build(self, tables: &Arc<Tables>, control: &Control) -> Result<Space, SpaceError> {
        let limits = SpaceLimits::default();
        Space::new(self, limits, &Memory::new(limits.bytes), tables, control)
    }
}

impl Space {
    /// Parses the expression of a coordinate: see [`expression`].
    ///
    /// # Errors
    /// When the text is not an expression.
    pub fn named(text: &str) -> Result<Plan, ExpressionError> {
        expression::plan(text)
    }

    /// Builds the space of a plan, in a part of `memory`. Reports the number of values done in each stage.
    ///
    /// # Errors
    /// When the space is too large, there is not enough memory, a group does not act on it, or `control` ended the work.
    pub fn new(
        plan: Plan,
        limits: SpaceLimits,
        memory: &Arc<Memory>,
        tables: &Arc<Tables>,
        control: &Control,
    ) -> Result<Self, SpaceError> {
        if let Some(entry) = plan.entry.filter(|entry| entry.is_untabled()) {
            return Ok(Self::built(plan, Representation::Untabled(entry.descriptor)));
        }
        // Without the table, its distances are computed like the distances of any other composition.
        let is_mapped = is_phase_one(&plan) && tables.phase_one().is_some();
        if !is_mapped {
            check_size(&plan, limits)?;
        }
        let memory = &memory.part(limits.bytes);
        let base = Product::new(&plan.base, plan.moves(), tables, memory, &control.stage("distances"))?;
        let group = plan.group.or_else(|| plan.entry.and_then(|entry| group::named(entry.group)));
        let Some(group) = group else { return Ok(Self::built(plan, Representation::Raw { base, classes: None })) };
        check_action(&plan, &base, &plan.base, group)?;
        let known = plan.entry.filter(|entry| entry.descriptor == &FLIP_SLICE_SORTED);
        let known = known.map(|_| tables.flip_slice_sorted_representatives());
        let classes = SpaceClasses::new(&base, group, known, memory, &control.stage("classes"))?;
        if plan.group.is_none() {
            return Ok(Self::built(plan, Representation::Raw { base, classes: Some(classes) }));
        }
        if plan.rest.is_empty() {
            let mut entry_histogram = vec![0; base.histograms().htm.len()];
            for &representative in classes.representatives.iter() {
                entry_histogram[base.distance(representative).unwrap_or(0) as usize] += 1;
            }
            let packed = plan.packed;
            return Ok(Self::built(plan, Representation::Sym { base, classes, packed, entry_histogram }));
        }
        let second_part = || Product::new(&plan.rest, plan.moves(), tables, memory, &control.stage("second part"));
        if is_mapped {
            let rest = second_part()?;
            let distances = Box::new(Reduced::phase_one(&classes, &rest, memory, control)?);
            let space = Self::built(plan, Representation::SymComp { base, classes, rest, distances });
            return Ok(space.reading(Some(Arc::clone(tables))));
        }
        let count = u64::from(classes.len());
        let columns = plan.rest_size();
        within(&plan, "", count * columns, "values", limits.values)?;
        within(&plan, "", Reduced::bytes_of(count, columns, group.order() as u64), "bytes", limits.bytes)?;
        let rest = second_part()?;
        check_action(&plan, &rest, &plan.rest, group)?;
        let distances = Box::new(Reduced::new(&base, &classes, &rest, memory, &control.stage("reduced distances"))?);
        Ok(Self::built(plan, Representation::SymComp { base, classes, rest, distances }))
    }
}

fn within(plan: &Plan, at_least: &'static str, size: u64, what: &'static str, limit: u64) -> Result<(), SpaceError> {
    if size <= limit {
        Ok(())
    } else {
        Err(SpaceError::TooLarge { label: plan.label.clone(), at_least, size, what, limit })
    }
}

fn check_size(plan: &Plan, limits: SpaceLimits) -> Result<(), SpaceError> {
    if plan.entry.is_some() {
        return Ok(());
    }
    if limits.values == 0 {
        return Err(SpaceError::CompositionOff { label: plan.label.clone() });
    }
    match plan.group {
        Some(group) if !plan.rest.is_empty() => {
            within(plan, "a first part of ", plan.base_size(), "values", limits.values)?;
            within(plan, "a second part of ", plan.rest_size(), "values", limits.values)?;
            let classes = plan.base_size() / group.order() as u64;
            within(plan, "at least ", classes * plan.rest_size(), "values", limits.values)?;
            let bytes = Reduced::bytes_of(classes, plan.rest_size(), group.order() as u64);
            within(plan, "at least ", bytes, "bytes", limits.bytes)
        }
        _ => {
            within(plan, "", plan.base_size(), "values", limits.values)?;
            within(plan, "at least ", plan.base_size(), "bytes", limits.bytes)
        }
    }
}

fn check_action(
    plan: &Plan,
    product: &Product,
    parts: &[&'static Descriptor],
    group: &'static Group,
) -> Result<(), SpaceError> {
    // Groups of catalogue entries act; a test checks this.
    if plan.entry.is_some() {
        return Ok(());
    }
    match group.symmetries.iter().find(|s| !product.acting().contains(s)) {
        None => Ok(()),
        Some(s) => Err(SpaceError::DoesNotAct {
            group: Some(group.name),
            part: match parts {
                [only] => only.name.to_owned(),
                _ => format!("comp({})", parts.iter().map(|part| part.name).collect::<Vec<_>>().join(",")),
            },
            symmetry: s.index(),
            description: group::describe(*s),
        }),
    }
}
