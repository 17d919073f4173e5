//! The environment variables that programs started for the model get.
//!
//! What a command prints goes to the model and into the log, and a command may send it anywhere. So a program gets the
//! variables that build tools and interpreters need, and no others: no keys, and no addresses of the user's session, through
//! whose sockets a command could start programs outside the sandbox.

mod secret_values;

use std::ffi::{OsStr, OsString};

use self::secret_values::has_secret;

/// Variables by name; a `*` at the end matches every rest.
fn inherited() -> impl Iterator<Item = &'static str> {
    let lines = include_str!("environment/inherited.txt").lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace)
}

/// Parts of the names of secrets.
const SECRET_WORDS: [&str; 11] = [
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "CREDENTIAL",
    "APIKEY",
    "API_KEY",
    "_KEY",
    "AUTH",
    "COOKIE",
];

/// Variables that lead to the user's session, and to services that act for the user.
const SESSION: [&str; 16] = [
    "TMUX",
    "TMUX_PANE",
    "STY",
    "DBUS_*",
    "SSH_*",
    "GPG_AGENT_INFO",
    "XDG_RUNTIME_DIR",
    "XDG_SESSION_*",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "VSCODE_*",
    "DOCKER_*",
    "CONTAINER_HOST",
    "NVIM*",
    "KITTY_*",
];

/// Selects the environment variables of programs that are started for the model.
///
/// By default these are the variables of a fixed list. A caller adds variables by name, which then pass whatever they hold,
/// or by the start of a name and `*`, which does not match secrets and addresses of the user's session.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Environment {
    added: Vec<String>,
}

impl Environment {
    /// The variables of the list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds variables: `NAME`, or `START*`.
    #[must_use]
    pub fn with(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.added.extend(names.into_iter().map(Into::into));
        self
    }

    /// Selects the variables of an environment that pass.
    pub fn of(
        &self,
        variables: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> impl Iterator<Item = (OsString, OsString)> {
        variables.into_iter().filter(|(name, value)| self.passes(name, value))
    }

    fn passes(&self, name: &OsStr, value: &OsStr) -> bool {
        // A name that is no text cannot be on a list.
        let Some(name) = name.to_str() else { return false };
        if self.added.iter().any(|added| added == name) {
            return true;
        }
        let listed = inherited().any(|pattern| is_match(pattern, name))
            || self.added.iter().any(|pattern| is_match(pattern, name));
        listed
            && !is_secret_name(name)
            && !has_secret(name, &value.to_string_lossy())
            && !SESSION.iter().any(|pattern| is_match(pattern, name))
    }
}

fn is_match(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |start| name.starts_with(start))
}

/// Returns true if the name of a variable or an option says that its value is a secret.
#[must_use]
pub fn is_secret_name(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    SECRET_WORDS.iter().any(|word| upper.contains(word))
}

#[cfg(test)]
mod tests;
