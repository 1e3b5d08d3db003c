//! Table ids.

/// Identifies a table in its set: those of [`ALL`](super::specs::ALL) in their order, then the others.
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
    /// The coset table of a set for proofs.
    Coset,
    /// Those of a further metric.
    MetricPhaseOneMasked,
    MetricPhaseOne,
    MetricPhaseTwo,
    MetricPhaseTwoCorners,
}
