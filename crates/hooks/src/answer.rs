//! What the hooks of an event say together.

use serde_json::Value;

/// What a hook decides about a call.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum HookPermission {
    /// It may run without a question.
    Allow,
    /// The user is asked, with this reason.
    Ask(String),
    /// It may not run, for this reason.
    Deny(String),
}

/// The combined answer of the hooks of one event.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HookAnswer {
    /// Why what the event announces may not happen, or what the model reads about what has happened.
    pub block: Option<String>,
    /// The strictest decision about a call.
    pub permission: Option<HookPermission>,
    /// Arguments of the call as a hook has changed them, in the names of scripts. The last hook counts.
    pub input: Option<Value>,
    /// The output of the call as a hook has changed it. The last hook counts.
    pub output: Option<String>,
    /// Texts for the model.
    pub context: Vec<String>,
    /// The turn ends, for this reason.
    pub stop: Option<String>,
    /// The hooks that block or have texts for the model, by name.
    pub speakers: Vec<String>,
    /// Sentences for the user: messages of hooks, and how hooks failed.
    pub notices: Vec<String>,
}

impl HookAnswer {
    /// This answer and that of the next hook.
    pub(crate) fn and(mut self, next: Self) -> Self {
        self.block = joined(self.block, next.block);
        self.permission = strictest(self.permission, next.permission);
        self.input = next.input.or(self.input);
        self.output = next.output.or(self.output);
        self.context.extend(next.context);
        self.stop = joined(self.stop, next.stop);
        self.speakers.extend(next.speakers);
        self.notices.extend(next.notices);
        self
    }

    /// The texts for the model as one; `None`: there are none.
    #[must_use]
    pub fn context_text(&self) -> Option<String> {
        (!self.context.is_empty()).then(|| self.context.join("\n"))
    }
}

fn joined(first: Option<String>, second: Option<String>) -> Option<String> {
    match (first, second) {
        (Some(first), Some(second)) => Some(format!("{first}\n{second}")),
        (first, second) => first.or(second),
    }
}

fn strictest(first: Option<HookPermission>, second: Option<HookPermission>) -> Option<HookPermission> {
    use HookPermission::{Allow, Ask, Deny};
    match (first, second) {
        (Some(Deny(first)), Some(Deny(second))) => Some(Deny(format!("{first}\n{second}"))),
        (Some(Deny(why)), _) | (_, Some(Deny(why))) => Some(Deny(why)),
        (Some(Ask(why)), _) | (_, Some(Ask(why))) => Some(Ask(why)),
        (Some(Allow), _) | (_, Some(Allow)) => Some(Allow),
        (None, None) => None,
    }
}
