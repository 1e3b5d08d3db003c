//! Kinds of requests and their permitted outcomes.

/// Outcome of a request without a fault.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Met {
    /// Correct answer.
    Right,
    /// Invalid request, refused with the expected status.
    Refused,
    /// 503.
    Busy,
    /// The client disconnected.
    Left,
}

/// Kinds of requests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Facelets,
    Scramble,
    Pipelined,
    Hurried,
    Several,
    Proof,
    Batch,
    BatchLeft,
    Stream,
    StreamLeft,
    Left,
    HalfClosed,
    Nonsense,
    Coordinates,
    Explained,
    Http2,
    SlowReader,
    SlowWriter,
    Operator,
}

/// The mix: each kind with its share and its name.
pub(crate) const KINDS: [(Kind, u32, &str); 19] = [
    (Kind::Facelets, 8, "facelets"),
    (Kind::Scramble, 3, "scramble, in a query"),
    (Kind::Pipelined, 2, "six at once on one connection"),
    (Kind::Hurried, 1, "a few milliseconds for the best"),
    (Kind::Several, 1, "several solutions"),
    (Kind::Proof, 1, "proof, or the best within its time"),
    (Kind::Batch, 1, "batch, a fifth of it nonsense"),
    (Kind::BatchLeft, 1, "batch, left"),
    (Kind::Stream, 1, "stream"),
    (Kind::StreamLeft, 1, "stream, left"),
    (Kind::Left, 1, "long search, left"),
    (Kind::HalfClosed, 1, "half-closed connection"),
    (Kind::Nonsense, 4, "nonsense"),
    (Kind::Coordinates, 2, "coordinates"),
    (Kind::Explained, 1, "explained solution"),
    (Kind::Http2, 2, "six on one HTTP/2 connection, one reset"),
    (Kind::SlowReader, 1, "slow reader"),
    (Kind::SlowWriter, 1, "slow writer"),
    (Kind::Operator, 1, "health and metrics"),
];
