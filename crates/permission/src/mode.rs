//! Permission modes.

use std::fmt;

/// Which calls run without approval if no rule matches them. Ordered: a later mode allows more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// Allows reading. Everything else is refused, and the model is asked for a plan.
    Plan,
    /// Allows reading; edits, commands, the network and unknown tools need approval.
    Ask,
    /// Allows edits in the workspace too.
    AutoEdit,
    /// Allows everything.
    Yolo,
}

impl Mode {
    /// All modes, the most restrictive first.
    pub const ALL: [Self; 4] = [Self::Plan, Self::Ask, Self::AutoEdit, Self::Yolo];

    /// Its name in the settings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Ask => "ask",
            Self::AutoEdit => "auto-edit",
            Self::Yolo => "yolo",
        }
    }

    /// The mode with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// What it allows, in one line for the user.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Plan => "reads only; everything else is refused",
            Self::Ask => "reads freely; asks before edits, commands, the network and unknown tools",
            Self::AutoEdit => "reads and edits the workspace freely; asks before the rest",
            Self::Yolo => "runs everything without asking, except what a rule forbids or asks about",
        }
    }

    /// The next mode, cyclically: for a key that switches.
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
