//! Names of tables.

/// Names a table: one of [`ALL`], in their order, or of [`OPTIMAL`].
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
