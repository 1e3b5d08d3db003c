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

/// The mix: each kind as often as its share.
pub(crate) const KINDS: [Kind; 34] = {
    use Kind::*;
    [
        Facelets,
        Facelets,
        Facelets,
        Facelets,
        Facelets,
        Facelets,
        Facelets,
        Facelets,
        Scramble,
        Scramble,
        Scramble,
        Pipelined,
        Pipelined,
        Http2,
        Http2,
        Nonsense,
        Nonsense,
        Nonsense,
        Nonsense,
        Coordinates,
        Coordinates,
        Batch,
        BatchLeft,
        Stream,
        StreamLeft,
        Left,
        HalfClosed,
        Explained,
        Operator,
        SlowReader,
        SlowWriter,
        Proof,
        Hurried,
        Several,
    ]
};

impl Kind {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Facelets => "facelets",
            Self::Scramble => "scramble, in a query",
            Self::Pipelined => "six at once on one connection",
            Self::Hurried => "a few milliseconds for the best",
            Self::Several => "several solutions",
            Self::Proof => "proof, or the best within its time",
            Self::Batch => "batch, a fifth of it nonsense",
            Self::BatchLeft => "batch, left",
            Self::Stream => "stream",
            Self::StreamLeft => "stream, left",
            Self::Left => "long search, left",
            Self::HalfClosed => "half-closed connection",
            Self::Nonsense => "nonsense",
            Self::Coordinates => "coordinates",
            Self::Explained => "explained solution",
            Self::Http2 => "six on one HTTP/2 connection, one reset",
            Self::SlowReader => "slow reader",
            Self::SlowWriter => "slow writer",
            Self::Operator => "health and metrics",
        }
    }
}
