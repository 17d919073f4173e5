//! The events at which hooks run.

/// An event of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HookEvent {
    /// A session begins, is resumed, or continues after a compaction.
    SessionStart,
    /// A message of the user, before the session has it.
    UserPromptSubmit,
    /// A call of a tool, before the permissions decide about it.
    PreToolUse,
    /// The permissions need the user's consent to a call.
    PermissionRequest,
    /// A call has succeeded.
    PostToolUse,
    /// A call has failed.
    PostToolUseFailure,
    /// The user asks for a compaction, or one was made.
    PreCompact,
    /// A compaction was made.
    PostCompact,
    /// The model ends its turn.
    Stop,
    /// A sub-agent begins.
    SubagentStart,
    /// A sub-agent ends its turn.
    SubagentStop,
    /// The session waits for its user.
    Notification,
    /// The session is closed.
    SessionEnd,
}

impl HookEvent {
    /// All events.
    pub const ALL: [Self; 13] = [
        Self::SessionStart,
        Self::UserPromptSubmit,
        Self::PreToolUse,
        Self::PermissionRequest,
        Self::PostToolUse,
        Self::PostToolUseFailure,
        Self::PreCompact,
        Self::PostCompact,
        Self::Stop,
        Self::SubagentStart,
        Self::SubagentStop,
        Self::Notification,
        Self::SessionEnd,
    ];

    /// Its name in files and payloads.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SessionStart => "SessionStart",
            Self::UserPromptSubmit => "UserPromptSubmit",
            Self::PreToolUse => "PreToolUse",
            Self::PermissionRequest => "PermissionRequest",
            Self::PostToolUse => "PostToolUse",
            Self::PostToolUseFailure => "PostToolUseFailure",
            Self::PreCompact => "PreCompact",
            Self::PostCompact => "PostCompact",
            Self::Stop => "Stop",
            Self::SubagentStart => "SubagentStart",
            Self::SubagentStop => "SubagentStop",
            Self::Notification => "Notification",
            Self::SessionEnd => "SessionEnd",
        }
    }

    /// The event of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.name() == name)
    }

    /// Plain output of a successful hook is context for the model.
    pub(crate) fn takes_plain_context(self) -> bool {
        matches!(self, Self::SessionStart | Self::UserPromptSubmit | Self::SubagentStart)
    }

    /// A decision about it can be asked of a model.
    pub(crate) fn can_be_judged(self) -> bool {
        matches!(
            self,
            Self::UserPromptSubmit
                | Self::PreToolUse
                | Self::PermissionRequest
                | Self::PostToolUse
                | Self::PostToolUseFailure
                | Self::Stop
                | Self::SubagentStop
        )
    }

    /// Exit status 2 stops what the event announces, or speaks to the model.
    pub(crate) fn can_block(self) -> bool {
        !matches!(
            self,
            Self::SessionStart
                | Self::SubagentStart
                | Self::Notification
                | Self::SessionEnd
                | Self::PostCompact
        )
    }
}
