//! Options of the screen.

use crate::attention::Attention;

/// When the program reports its state to the terminal (OSC 7501).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StatusProtocol {
    /// Only if the terminal reports support.
    #[default]
    Ask,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Options of the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Use colours. Without them text is still bold or dim.
    pub colours: bool,
    /// The terminal supports more than basic codes: window titles, bracketed paste and key modifiers.
    pub rich: bool,
    /// When the program reports its state to the terminal.
    pub status: StatusProtocol,
    /// When the user is called back to the terminal.
    pub attention: Attention,
    /// The first message, sent at the start.
    pub first: Option<String>,
}

impl Options {
    /// Options from the environment: no colours with `NO_COLOR` (<https://no-color.org>), basic codes only on a
    /// `dumb` or `linux` terminal.
    #[must_use]
    pub fn of_environment() -> Self {
        let set = |name: &str| std::env::var(name).unwrap_or_default();
        let term = set("TERM");
        Self {
            colours: set("NO_COLOR").is_empty() && term != "dumb",
            rich: !matches!(term.as_str(), "" | "dumb" | "linux"),
            status: StatusProtocol::Ask,
            attention: Attention::Auto,
            first: None,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            colours: true,
            rich: true,
            status: StatusProtocol::Ask,
            attention: Attention::Auto,
            first: None,
        }
    }
}
