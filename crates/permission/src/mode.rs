//! How much runs without asking.

use std::fmt;

/// How much of what no rule speaks of runs without asking. Ordered: a later mode lets more run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// Reading only. Everything else is refused, and the model is told to plan.
    Plan,
    /// Reading is free; edits, commands, the network and unknown tools are asked about.
    Ask,
    /// Edits inside the workspace are free as well.
    AutoEdit,
    /// Everything is free.
    Yolo,
}

impl Mode {
    /// All of them, the narrowest first.
    pub const ALL: [Self; 4] = [Self::Plan, Self::Ask, Self::AutoEdit, Self::Yolo];

    /// Its name, as it is written in settings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Ask => "ask",
            Self::AutoEdit => "auto-edit",
            Self::Yolo => "yolo",
        }
    }

    /// The mode of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// What it lets run, in one line for the user.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Plan => "reads only; everything else is refused",
            Self::Ask => "reads freely; asks before edits, commands, the network and unknown tools",
            Self::AutoEdit => "reads and edits the workspace freely; asks before the rest",
            Self::Yolo => "does everything without asking, but for what a rule forbids or asks about",
        }
    }

    /// The next mode, round and round: for a key that switches.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Plan => Self::Ask,
            Self::Ask => Self::AutoEdit,
            Self::AutoEdit => Self::Yolo,
            Self::Yolo => Self::Plan,
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}
