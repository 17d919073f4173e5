//! Why a file is not shown.

/// Why a file is not shown, as the end of a sentence that begins with its name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("it is missing")]
    Missing,
    #[error("it lies outside of the folder that it may come from")]
    Outside,
    #[error("it is a folder, not a file")]
    Folder,
    #[error("it is no regular file")]
    Special,
    #[error("it is no text")]
    Binary,
    #[error("it is not written in UTF-8")]
    NotUtf8,
    #[error("files of this kind hold secrets")]
    Secret,
    #[error("it cannot be read ({0})")]
    Unreadable(String),
}

impl Refusal {
    /// Converts an error of the operating system.
    pub(crate) fn of(error: &std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => Self::Missing,
            kind => Self::Unreadable(kind.to_string()),
        }
    }
}
