//! Table ids.

/// Identifies a table: those of [`ALL`](super::specs::ALL) in their order, then those of
/// [`OPTIMAL`](super::specs::OPTIMAL).
#[allow(missing_docs)] // each is explained by the purpose in its spec
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Id {
    TwistMove,
    FlipMove,
    SliceMove,
    SliceSortedMove,
    UEdgesMove,
    DEdgesMove,
    CornerPermMove,
    UdEdgesMove,
    UdEdgesMerge,
    TwistConjugate,
    UdEdgesConjugate,
    FlipSliceClass,
    FlipSliceRepresentative,
    FlipSliceMove,
    CornerClass,
    CornerRepresentative,
    CornerMove,
    Near,
    PhaseTwoCorners,
    UdEdgesLayers,
    LayerEdgesConjugate,
    PhaseTwoLayers,
    PhaseTwo,
    FlipSliceDistance,
    PhaseOneResidues,
    PhaseOneMasked,
    FlipSliceSortedRepresentative,
    OptimalS,
    OptimalM,
    OptimalL,
    OptimalXl,
}
