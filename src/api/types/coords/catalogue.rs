//! The catalogue of coordinates, and one of them with its distribution.

use crate::api::contract::ToSchema;
use serde::Serialize;

use crate::cube::{Move, Symmetry};
use crate::space::catalogue::{CATALOGUE, Entry, Kind, System};
use crate::space::expression::Plan;
use crate::space::group::{self, GROUPS};
use crate::space::{self, Space, SpaceLimits};

/// A name that another program has for the same cosets.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Alias)]
pub struct AliasBody {
    /// Whose name it is.
    #[schema(value_type = crate::api::types::enums::SystemSchema)]
    pub system: System,
    /// The name; it is understood wherever a coordinate is named, and then means the coordinate that lists it, with its numbers.
    pub name: &'static str,
    /// Whether that program gives the cosets the same numbers.
    pub same_numbers: bool,
    /// How the numbers differ, or which edition has them; absent where there is nothing to add.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'static str>,
}

/// Where a coordinate has a value.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Validity)]
pub enum ValidityName {
    /// On every cube.
    Always,
    /// Only in phase 2: on cubes of G1, turned by U D R2 L2 F2 B2.
    PhaseTwo,
}

/// A coordinate as the catalogue lists it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CoordinateSummary {
    /// Its name; for a composed one, its expression.
    pub name: String,
    /// What others call it.
    pub aliases: Vec<AliasBody>,
    /// How it is made.
    #[schema(value_type = crate::api::types::enums::KindSchema)]
    pub kind: Kind,
    /// Values are 0 to `size - 1`.
    pub size: u64,
    /// How many classes the values form under `group`; null where they are not numbered.
    pub classes: Option<u32>,
    /// How many values there are without reduction by symmetry.
    pub raw_size: u64,
    /// The group under which values form classes; null where there is none.
    pub group: Option<&'static str>,
    /// How many symmetries that group has; more may act on the values.
    pub symmetries: Option<usize>,
    /// Every one of the 48 symmetries that acts on the values.
    pub acting_symmetries: Vec<usize>,
    /// The subgroup H whose cosets H g are numbered.
    pub subgroup: String,
    /// The slots of its pieces in the order in which it numbers them; absent where that is Kociemba's order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slots: Option<Vec<&'static str>>,
    /// The value of the solved cube.
    pub solved: u64,
    /// Where it has a value.
    pub valid: ValidityName,
    /// Who described it.
    pub source: Option<String>,
    /// Whether turns are looked up in a move table (of a composite, in those of its parts).
    pub move_table: bool,
    /// Whether distances are known: counted on first use and kept.
    pub pruning_table: bool,
    /// Where there is more.
    pub href: String,
}

impl CoordinateSummary {
    /// What can be told without building anything.
    pub fn of_entry(entry: &'static Entry) -> Self {
        let plan = space::expression::named(entry);
        let order = group::named(entry.group).map(space::group::Group::order);
        let size = if entry.is_sym() {
            u64::from(entry.classes.unwrap_or_default()) * order.unwrap_or(1) as u64
        } else {
            u64::from(entry.descriptor.size)
        };
        Self { classes: entry.classes, ..Self::of_plan(&plan, size) }
    }

    /// What can be told of a built space.
    pub fn of_space(space: &Space) -> Self {
        let acting = space.acting(&Symmetry::all().collect::<Vec<_>>());
        Self {
            classes: space.classes(),
            acting_symmetries: acting.into_iter().map(Symmetry::index).collect(),
            ..Self::of_plan(space.plan(), space.size())
        }
    }

    fn of_plan(plan: &Plan, size: u64) -> Self {
        let group = plan.group.or_else(|| plan.entry.and_then(|entry| group::named(entry.group)));
        let parts = || plan.base.iter().chain(&plan.rest);
        let acting = plan.entry.map_or(&[][..], |entry| group::acting_cached(entry.descriptor));
        let aliases = plan.entry.map_or(&[][..], |entry| entry.aliases);
        let tabled = !plan.entry.is_some_and(Entry::is_untabled);
        let in_phase_two = plan.turns().len() < Move::COUNT;
        let subgroup = match plan.entry {
            Some(entry) => entry.descriptor.subgroup.to_owned(),
            None => parts().map(|part| part.subgroup).collect::<Vec<_>>().join(", and "),
        };
        Self {
            name: plan.label.clone(),
            aliases: aliases
                .iter()
                .map(|alias| AliasBody {
                    system: alias.system,
                    name: alias.name,
                    same_numbers: alias.same_numbers,
                    note: alias.note,
                })
                .collect(),
            kind: space::kind(plan),
            size,
            classes: None,
            raw_size: plan.base_size() * plan.rest_size(),
            group: group.map(|group| group.name),
            symmetries: group.map(space::group::Group::order),
            acting_symmetries: acting.iter().map(|s| s.index()).collect(),
            subgroup,
            slots: plan.entry.and_then(Entry::slots),
            solved: 0,
            valid: if in_phase_two { ValidityName::PhaseTwo } else { ValidityName::Always },
            source: plan.entry.map(|entry| entry.descriptor.source.to_owned()),
            move_table: tabled,
            pruning_table: tabled,
            href: format!("/coords/{}", plan.label),
        }
    }
}

/// A named group of symmetries.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = SymmetryGroup)]
pub struct GroupBody {
    /// Its name in expressions.
    pub name: &'static str,
    /// What its members keep.
    pub keeps: &'static str,
    /// Its members.
    pub symmetries: Vec<usize>,
}

/// A way to compose a coordinate.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Construction)]
pub struct ConstructionBody {
    /// How it is written.
    pub syntax: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// A link to try.
    pub example: &'static str,
}

/// How large a composed space may be on this server.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = SpaceLimits)]
pub struct LimitsBody {
    /// Most values of one space.
    pub max_values: u64,
    /// Most bytes of one space: half of `coords.cache_bytes`.
    pub max_bytes: u64,
}

/// Every named coordinate, and how to compose others.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Catalogue {
    /// The coordinates.
    pub coordinates: Vec<CoordinateSummary>,
    /// How others are composed of them.
    pub constructions: Vec<ConstructionBody>,
    /// The groups of symmetries that `sym` knows.
    pub groups: Vec<GroupBody>,
    /// How large a composed space may be.
    pub limits: LimitsBody,
}

impl Catalogue {
    /// Everything that is there.
    pub fn new(limits: SpaceLimits) -> Self {
        let constructions = [
            ConstructionBody {
                syntax: "comp(a,b,...)",
                meaning: "several coordinates as the digits of one number, the first the least significant: \
                          a + size(a) * (b + size(b) * ...)",
                example: "/coords/comp(twist,slice)",
            },
            ConstructionBody {
                syntax: "sym(a,GROUP)",
                meaning: "the classes of a under a group of symmetries, numbered by their smallest value",
                example: "/coords/sym(flip_slice,UD16)",
            },
            ConstructionBody {
                syntax: "symcomp(sym(a,GROUP),b,...)",
                meaning: "the class of a, and b as seen through the symmetry that leads to its representative: \
                          class * size(b) + b. A named coordinate a alone stands for sym(a, its group)",
                example: "/coords/symcomp(sym(corner_perm,UD16),twist)",
            },
        ];
        let groups = GROUPS.iter().map(|group| GroupBody {
            name: group.name,
            keeps: group.keeps,
            symmetries: group.symmetries.iter().map(|s| s.index()).collect(),
        });
        Self {
            coordinates: CATALOGUE.iter().map(CoordinateSummary::of_entry).collect(),
            constructions: constructions.to_vec(),
            groups: groups.collect(),
            limits: LimitsBody { max_values: limits.values, max_bytes: limits.bytes },
        }
    }
}

/// One coordinate with how far its values are from solved.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Coordinate)]
pub struct CoordinateBody {
    /// What the catalogue says of it.
    #[serde(flatten)]
    pub summary: CoordinateSummary,
    /// Raw states at each distance in face turns, by the turns under which it is valid; null where nothing is tabulated.
    pub depth_histogram: Option<Vec<u64>>,
    /// Values as stored (classes of a sym-coordinate) at each distance.
    pub entry_histogram: Option<Vec<u64>>,
    /// The same in quarter turns, for raw spaces of up to 2 097 152 values.
    pub depth_histogram_qtm: Option<Vec<u64>>,
    /// The same by the ten turns of phase 2 alone, over what these reach.
    pub depth_histogram_phase_two: Option<Vec<u64>>,
    /// Why there is no distribution; null where there is one.
    pub depth_reason: Option<&'static str>,
    /// Bytes of its tables in memory.
    pub bytes: u64,
}

/// Why there are no distances.
pub(crate) const UNTABLED: &str = "it has more than 65535 values and is no product of smaller coordinates, so it has no table; turns are worked out on a cube";

impl From<&Space> for CoordinateBody {
    fn from(space: &Space) -> Self {
        let histograms = space.histograms();
        let depth_reason = histograms.is_none().then_some(UNTABLED);
        let histograms = histograms.map(|h| (Some(h.htm), h.qtm, h.phase_two));
        let (htm, qtm, phase_two) = histograms.unwrap_or_default();
        Self {
            summary: CoordinateSummary::of_space(space),
            depth_histogram: htm,
            entry_histogram: space.entry_histogram(),
            depth_histogram_qtm: qtm,
            depth_histogram_phase_two: phase_two,
            depth_reason,
            bytes: space.bytes(),
        }
    }
}
