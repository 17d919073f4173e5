//! What a call does, and to what: all that is needed to decide whether it may run.

use serde_json::Value;

/// What a call can do to the world, from the tool's own knowledge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Reads what is in the workspace, or only the session itself. Changes nothing.
    Read,
    /// Changes files of the workspace.
    Edit,
    /// Runs a command.
    Command,
    /// Asks a server that is not this machine.
    Network,
    /// Unknown: a tool of somebody else.
    Other,
}

/// What one call does, and to what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// What it can do.
    pub effect: Effect,
    /// To what: the path, the command line or the address, as the call has it. `None` when it names nothing.
    pub subject: Option<String>,
}

impl Access {
    /// An access to what one argument of the call names.
    #[must_use]
    pub fn of(effect: Effect, input: &Value, argument: &str) -> Self {
        Self { effect, subject: input.get(argument).and_then(Value::as_str).map(str::to_owned) }
    }

    /// An access to the folder or file that one argument of the call names, and to the workspace when it names none.
    #[must_use]
    pub fn below(effect: Effect, input: &Value, argument: &str) -> Self {
        let named = Self::of(effect, input, argument);
        Self { subject: named.subject.or_else(|| Some(".".to_owned())), ..named }
    }

    /// An access to nothing that has a name.
    #[must_use]
    pub fn unnamed(effect: Effect) -> Self {
        Self { effect, subject: None }
    }
}
