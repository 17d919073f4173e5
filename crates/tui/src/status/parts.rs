//! The parts of the status line, by the names that settings have for them.

/// A part of the status line. The permission mode is always shown and not a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatusPart {
    /// How full the window is.
    Context,
    /// Where the next compaction happens.
    Compaction,
    /// How much of the last request came from the cache, or why it did not.
    Cached,
    /// What the session cost.
    Cost,
    /// What the running turn cost, or else the last one.
    Turn,
    /// The model.
    Model,
    /// How much the model thinks.
    Effort,
    /// The git branch.
    Branch,
    /// The folder.
    Folder,
    /// The title of the session.
    Title,
    /// What the user's command prints.
    Command,
}

impl StatusPart {
    /// All parts.
    pub const ALL: [Self; 11] = [
        Self::Context,
        Self::Compaction,
        Self::Cached,
        Self::Cost,
        Self::Turn,
        Self::Model,
        Self::Effort,
        Self::Branch,
        Self::Folder,
        Self::Title,
        Self::Command,
    ];

    /// Those of a user who chose none.
    pub const USUAL: [Self; 6] =
        [Self::Context, Self::Compaction, Self::Cached, Self::Cost, Self::Model, Self::Branch];

    /// Its name in settings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Context => "context",
            Self::Compaction => "compaction",
            Self::Cached => "cached",
            Self::Cost => "cost",
            Self::Turn => "turn",
            Self::Model => "model",
            Self::Effort => "effort",
            Self::Branch => "branch",
            Self::Folder => "folder",
            Self::Title => "title",
            Self::Command => "command",
        }
    }

    /// The part of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.name() == name)
    }

    /// Returns true for a part that says where the session is: those stand at the right, the others, which change, at the left.
    pub(super) fn is_place(self) -> bool {
        matches!(self, Self::Model | Self::Effort | Self::Branch | Self::Folder | Self::Title)
    }

    /// How little it matters: parts of a higher rank go first where room lacks.
    pub(super) fn rank(self) -> u8 {
        match self {
            Self::Context => 0,
            Self::Command => 1,
            Self::Cost => 2,
            Self::Cached => 3,
            Self::Compaction => 4,
            Self::Turn => 5,
            Self::Model => 6,
            Self::Effort => 7,
            Self::Branch => 8,
            Self::Folder => 9,
            Self::Title => 10,
        }
    }
}
