//! Why the path of a call leads nowhere.

/// Bytes of a path with the zero at its end, on Linux and on other systems.
pub(crate) const MAX_PATH: usize = 4_096;

/// Reason why a path leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// It is empty.
    #[error("the path is empty")]
    Empty,
    /// It has a zero byte.
    #[error("the path has a zero byte")]
    ZeroByte,
    /// It is longer than the system takes.
    #[error("the path has more than {MAX_PATH} bytes")]
    TooLong,
    /// A part of it exists and cannot be followed, for this reason.
    #[error("the path cannot be followed: {0}")]
    NotFollowed(String),
    /// It has a `..` after a missing folder.
    #[error("the path has a `..` after a missing folder")]
    Unresolvable,
}
