//! How the screen behaves.

/// Whether the terminal is told what the program does (OSC 7501).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StatusProtocol {
    /// Only a terminal that says it understands.
    #[default]
    Ask,
    /// Every terminal.
    Always,
    /// None.
    Never,
}

/// How the screen behaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Whether there are colours. Without them there still are bold and dim letters.
    pub colours: bool,
    /// Whether the terminal knows more than plain codes; such as titles, pastes in brackets and keys with modifiers.
    pub rich: bool,
    /// Whether the terminal is told what the program does.
    pub status: StatusProtocol,
    /// Sent as if it had been typed first.
    pub first: Option<String>,
}

impl Options {
    /// As the environment says: no colours with `NO_COLOR` (<https://no-color.org>), plain codes only on a terminal that
    /// `TERM` calls `dumb` or `linux`.
    #[must_use]
    pub fn of_environment() -> Self {
        let set = |name: &str| std::env::var(name).unwrap_or_default();
        let term = set("TERM");
        Self {
            colours: set("NO_COLOR").is_empty() && term != "dumb",
            rich: !matches!(term.as_str(), "" | "dumb" | "linux"),
            status: StatusProtocol::Ask,
            first: None,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self { colours: true, rich: true, status: StatusProtocol::Ask, first: None }
    }
}
