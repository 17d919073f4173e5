//! What a power failure may take.

/// What of the appended records survives a power failure or a crash of the operating system. A crash of the program loses
/// none either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// SQLite's `synchronous=NORMAL`: the newest appends may be missing, never a part of one.
    #[default]
    Normal,
    /// SQLite's `synchronous=FULL`: an append that succeeded survives. Each one waits for the disk.
    Full,
}

impl Durability {
    /// The value of SQLite's pragma `synchronous`.
    #[cfg(feature = "sqlite")]
    pub(crate) fn synchronous(self) -> &'static str {
        match self {
            Self::Normal => "NORMAL",
            Self::Full => "FULL",
        }
    }
}
