//! What a call does, and to what: the input of a permission decision.

use serde_json::Value;

/// The kind of effect that a call can have, as the tool declares it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Reads the workspace or the session, and changes nothing.
    Read,
    /// Changes files of the workspace.
    Edit,
    /// Runs a command.
    Command,
    /// Connects to another machine.
    Network,
    /// Unknown, as for the tools of MCP servers.
    Other,
}

/// What one call does, and to what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// The kind of effect.
    pub effect: Effect,
    /// The path, the command line or the address, as written in the call, if it names one.
    pub subject: Option<String>,
}

impl Access {
    /// An access whose subject is an argument of the call.
    #[must_use]
    pub fn of(effect: Effect, input: &Value, argument: &str) -> Self {
        Self { effect, subject: input.get(argument).and_then(Value::as_str).map(str::to_owned) }
    }

    /// An access whose subject is a path argument of the call; the workspace, `.`, without the argument.
    #[must_use]
    pub fn below(effect: Effect, input: &Value, argument: &str) -> Self {
        let named = Self::of(effect, input, argument);
        Self { subject: named.subject.or_else(|| Some(".".to_owned())), ..named }
    }

    /// An access without a subject.
    #[must_use]
    pub fn unnamed(effect: Effect) -> Self {
        Self { effect, subject: None }
    }
}
