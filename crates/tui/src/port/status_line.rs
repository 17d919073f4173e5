//! The figures of the session, as the screen shows them.

/// The status line below the input, and the line above it. Empty and `None` values are not shown.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StatusLine {
    /// The model.
    pub model: String,
    /// The git branch.
    pub branch: Option<String>,
    /// The permission mode.
    pub mode: String,
    /// The mode runs everything without a question.
    pub unguarded: bool,
    /// How full the effective window is, in percent. It may exceed 100.
    pub context_percent: Option<u64>,
    /// Tokens in the window.
    pub context_tokens: Option<u64>,
    /// Tokens of the effective window.
    pub window_tokens: Option<u64>,
    /// Tokens at which the next compaction happens.
    pub compacts_at: Option<u64>,
    /// Share of the last request that came from the cache, in percent; after a compaction, share of the next one that can.
    pub cached_percent: Option<u64>,
    /// Why the last request read less from the cache than it could; `None`: it did not.
    pub cache_lost: Option<String>,
    /// What the session cost, in US dollars.
    pub dollars: Option<f64>,
    /// The cost is a lower bound: the usage of some requests is unknown.
    pub dollars_at_least: bool,
    /// Requests were made, and no price of them is known.
    pub price_unknown: bool,
    /// The running turn, or else the last one.
    pub turn: TurnCost,
    /// The session's title, for the title of the terminal's window.
    pub title: String,
    /// How much the model thinks.
    pub effort: Option<String>,
    /// The folder that the session works in.
    pub folder: String,
    /// What the user's command for the status line has printed.
    pub command: Option<String>,
}

/// What a turn cost so far.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TurnCost {
    /// In US dollars; `None`: no price is known.
    pub dollars: Option<f64>,
    /// The cost is a lower bound.
    pub at_least: bool,
    /// Share of its input that came from the cache, in percent.
    pub cached_percent: Option<u64>,
}
