//! The table of all keys.

/// What a setting may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A text that is not empty.
    Text,
    /// One of these texts.
    Choice(&'static [&'static str]),
    /// A whole number.
    Count {
        /// The least.
        least: u64,
    },
    /// Above 0 and at most 1.
    Fraction,
    /// 1 to 100.
    Percent,
    /// True or false.
    Switch,
    /// Several texts. Those of every layer count, the lower layer's first.
    List,
    /// Names with values that may be secret. In files only.
    Secrets,
}

/// Whether a project may set a key before the user trusts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// It may: no value does harm.
    Free,
    /// It may make things narrower, not wider. The text says what a wider value would do.
    Narrowing(&'static str),
    /// It may not. The text says what it could do.
    Needed(&'static str),
}

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spec {
    /// The key with its section, as `agent.policy`.
    pub key: &'static str,
    /// What it may hold.
    pub kind: Kind,
    /// Whether a project may set it.
    pub trust: Trust,
    /// What holds when nobody sets it.
    pub usual: &'static str,
}

impl Spec {
    /// The section.
    #[must_use]
    pub fn section(&self) -> &'static str {
        self.key.split_once('.').map_or(self.key, |(section, _)| section)
    }

    /// The key in its section.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.key.split_once('.').map_or(self.key, |(_, name)| name)
    }

    /// The variable of the environment that sets it. `None`: only a file can.
    #[must_use]
    pub fn variable(&self) -> Option<String> {
        match (self.key, self.kind) {
            (_, Kind::Secrets) => None,
            ("model.model", _) => Some("THROUGHLINE_MODEL".to_owned()),
            (key, _) => Some(format!("THROUGHLINE_{}", key.replace('.', "_").to_uppercase())),
        }
    }
}

const COUNT: Kind = Kind::Count { least: 1 };
const COUNT_OR_OFF: Kind = Kind::Count { least: 0 };
const BY_POLICY: &str = "by the policy";
const RUNS: Trust = Trust::Needed("it could let commands run without asking");
const SENDS: Trust = Trust::Needed("it could send the session and a key to a server of its choice");
const REACHES: Trust = Trust::Needed("it could reach what is not the project's");

const fn free(key: &'static str, kind: Kind, usual: &'static str) -> Spec {
    Spec { key, kind, trust: Trust::Free, usual }
}

const fn with(key: &'static str, kind: Kind, trust: Trust, usual: &'static str) -> Spec {
    Spec { key, kind, trust, usual }
}

/// All keys but those of MCP servers, section by section.
#[must_use]
pub fn schema() -> &'static [Spec] {
    const ALL: &[Spec] = &[
        free(
            "agent.policy",
            Kind::Choice(&["throughline", "dex", "vibe", "rubichan", "slop", "off"]),
            "throughline",
        ),
        free("agent.strict", Kind::Switch, "false"),
        free("agent.context_budget", COUNT, "the model's window"),
        free("agent.max_output_tokens", COUNT, "what the model allows, up to 16384"),
        free("agent.compact_trigger", Kind::Fraction, BY_POLICY),
        free("agent.hard_block", Kind::Fraction, BY_POLICY),
        free("agent.result_offload_threshold", COUNT, BY_POLICY),
        free("agent.tool_deferral_threshold", Kind::Fraction, BY_POLICY),
        free("agent.context_window_max", COUNT, "the model's window"),
        free("agent.context_warn_pct", Kind::Percent, BY_POLICY),
        free("agent.context_compact_pct", Kind::Percent, BY_POLICY),
        free("agent.max_recent_messages", COUNT, "10, of policy dex"),
        free("agent.checkpoint_interval", COUNT_OR_OFF, "5"),
        free("agent.generate_handoff", Kind::Switch, "true"),
        free("compaction.threshold", COUNT_OR_OFF, BY_POLICY),
        with(
            "permissions.mode",
            Kind::Choice(&["plan", "ask", "auto-edit", "yolo"]),
            Trust::Narrowing("it would let more run without asking"),
            "ask; without a screen auto-edit",
        ),
        with("permissions.allow", Kind::List, RUNS, "[]"),
        free("permissions.ask", Kind::List, "[]"),
        free("permissions.deny", Kind::List, "[]"),
        with(
            "permissions.sandboxed_commands",
            Kind::Choice(&["allow", "ask"]),
            Trust::Narrowing("it would let commands run without asking"),
            "ask; without a screen allow",
        ),
        with(
            "model.provider",
            Kind::Choice(&["anthropic", "openai", "ollama", "compatible"]),
            SENDS,
            "whoever has a key",
        ),
        with("model.model", Kind::Text, SENDS, "the provider's usual one"),
        with("model.base_url", Kind::Text, SENDS, "the provider's own"),
        with("model.key_file", Kind::Text, SENDS, "the key in the environment"),
        with("model.headers", Kind::Secrets, SENDS, "none"),
        with("model.api", Kind::Choice(&["chat", "responses"]), SENDS, "by the provider"),
        with("model.fallback", Kind::List, SENDS, "[]"),
        free("model.window", COUNT, "the model's"),
        free("model.thinking", COUNT, "no thinking"),
        free("model.timeout", COUNT, "by the provider"),
        free("model.retries", COUNT_OR_OFF, "8"),
        with(
            "tools.sandbox",
            Kind::Switch,
            Trust::Narrowing("it would take commands out of the sandbox"),
            "true",
        ),
        with("tools.writable", Kind::List, REACHES, "[]"),
        with("fetch.allow", Kind::List, REACHES, "[]"),
        free("ui.colour", Kind::Choice(&["auto", "always", "never"]), "auto"),
        with("skills.folders", Kind::List, REACHES, "[]"),
        with("rules.files", Kind::List, REACHES, "AGENTS.md, AGENT.md, CLAUDE.md"),
    ];
    ALL
}

/// The row of a key.
pub(crate) fn find(key: &str) -> Option<&'static Spec> {
    schema().iter().find(|spec| spec.key == key)
}

/// The names of the sections, each once.
pub(crate) fn sections() -> Vec<&'static str> {
    let mut sections: Vec<&str> = schema().iter().map(Spec::section).collect();
    sections.dedup();
    sections.push("mcp");
    sections
}
