//! The rows of the table.

use super::{Kind, Spec, Trust};

const COUNT: Kind = Kind::COUNT;
/// Tokens of a window: a smaller one has no room for a request.
const WINDOW: Kind = Kind::Count { least: 1_000, most: u64::MAX };
/// Seconds, up to a day.
const SECONDS: Kind = Kind::Count { least: 1, most: 86_400 };
const COUNT_OR_OFF: Kind = Kind::Count { least: 0, most: u64::MAX };
/// Bytes of a context that a watched agent is given: agents cut the answer of a hook at 10,000 characters.
const HOOK_TEXT: Kind = Kind::Count { least: 512, most: 9_000 };
const BY_POLICY: &str = "by the policy";
const ANOTHER: &str = "another name of a key";
const RUNS: Trust = Trust::Needed("it could let commands run without asking");
const SENDS: Trust = Trust::Needed("it could send the session and a key to a server of its choice");
const SPENDS: Trust = Trust::Narrowing("it would let the session cost more");
const COSTS: Trust = Trust::Needed("it could let requests cost more");
const STEERS: Trust = Trust::Needed("it could change what a watched agent is given");
const LOCKS: Trust =
    Trust::UserOnly("one key is for the sessions of all projects, so a project has none of its own");
const KEEPS: Trust = Trust::UserOnly("it could send the sessions of all projects to a server of its choice");
const DELETES: Trust = Trust::UserOnly("it could delete the sessions of all projects");
const REACHES: Trust = Trust::Needed("it could reach what is not the project's");

/// The parts of the status line. The permission mode is always shown.
const STATUS_PARTS: &[&str] = &[
    "context",
    "compaction",
    "cached",
    "cost",
    "turn",
    "model",
    "effort",
    "branch",
    "folder",
    "title",
    "command",
];

const fn free(key: &'static str, kind: Kind, usual: &'static str) -> Spec {
    Spec { key, kind, trust: Trust::Free, usual }
}

const fn with(key: &'static str, kind: Kind, trust: Trust, usual: &'static str) -> Spec {
    Spec { key, kind, trust, usual }
}

/// Former names of choices, which are still read: the key, the old name, the new one.
pub(super) const FORMER: &[(&str, &str, &str)] = &[("agent.foreign_tools", "withhold", "isolate")];

/// Keys of other agents' configuration files, and the keys that each sets in its own unit.
pub(super) const ALIASES: &[(&str, &[&str])] = &[
    ("agent.compact_trigger", &["agent.compact_at"]),
    ("agent.hard_block", &["agent.block_at"]),
    ("agent.context_warn_pct", &["agent.warn_at"]),
    ("agent.context_compact_pct", &["agent.compact_at"]),
    ("compaction.threshold", &["agent.compact_at"]),
    ("agent.context_window_max", &["agent.context_budget"]),
    ("agent.thresholds", &["agent.warn_at", "agent.compact_at"]),
];

/// All keys but those of MCP servers, section by section.
pub(super) const ALL: &[Spec] = &[
    free(
        "agent.policy",
        Kind::Choice(&["throughline", "dex", "vibe", "rubichan", "slop", "off"]),
        "throughline",
    ),
    free("agent.economy", Kind::Choice(&["lean", "balanced", "faithful"]), "faithful, of policy throughline"),
    free("agent.output_style", Kind::Text, "default"),
    free("agent.strict", Kind::Switch, "false"),
    free("agent.context_budget", WINDOW, "the model's window"),
    free("agent.max_output_tokens", COUNT, "what the model allows, up to 16384"),
    free("agent.warn_at", Kind::Threshold, BY_POLICY),
    free("agent.compact_at", Kind::Threshold, BY_POLICY),
    free("agent.block_at", Kind::Threshold, BY_POLICY),
    free("agent.compact_trigger", Kind::Fraction, ANOTHER),
    free("agent.hard_block", Kind::Fraction, ANOTHER),
    free("agent.result_offload_threshold", COUNT, BY_POLICY),
    free("agent.tool_deferral_threshold", Kind::Fraction, BY_POLICY),
    free("agent.context_window_max", WINDOW, ANOTHER),
    free("agent.context_warn_pct", Kind::Percent, ANOTHER),
    free("agent.context_compact_pct", Kind::Percent, ANOTHER),
    free("agent.max_recent_messages", COUNT, "10, of policy dex"),
    free("agent.checkpoint_interval", COUNT_OR_OFF, "5"),
    free("agent.generate_handoff", Kind::Switch, "true"),
    free("agent.dynamic_placement", Kind::Choice(&["last_user", "system_tail"]), BY_POLICY),
    free("agent.state_rule", Kind::Choice(&["when_changed", "every_response", "off"]), BY_POLICY),
    free("agent.foreign_tools", Kind::Choice(&["digest", "isolate"]), BY_POLICY),
    free("agent.context_groups", COUNT_OR_OFF, "5 with policy slop, else all"),
    free("agent.thresholds", Kind::Choice(&["policy", "handoff"]), ANOTHER),
    free("compaction.threshold", COUNT_OR_OFF, ANOTHER),
    free("compaction.adapt", Kind::Switch, "true, of policy throughline"),
    free("compaction.pin_share", Kind::Fraction, "0.15"),
    with("compaction.instructions", Kind::Text, Trust::Needed("it could steer what summaries say"), "none"),
    with(
        "compaction.summarizer",
        Kind::Choice(&["model", "provider"]),
        Trust::Needed("it could change who writes summaries, and what they cost"),
        "model",
    ),
    with(
        "compaction.summary",
        Kind::Choice(&["rule", "brief", "thorough"]),
        Trust::Needed("it could let summaries cost more"),
        "brief of policy throughline, else thorough",
    ),
    free("cache.idle_compaction", Kind::Switch, "true, of policy throughline"),
    with(
        "cache.ttl",
        Kind::Choice(&["auto", "5m", "30m", "1h"]),
        Trust::Needed("it could let cache writes cost more"),
        "auto",
    ),
    with("cache.keep_warm", COUNT_OR_OFF, Trust::Needed("it would send requests while you are away"), "0"),
    free("truncation.recent_results", COUNT_OR_OFF, "5, of policy slop"),
    free("truncation.recent_chars", COUNT, "5000, of policy slop"),
    free("truncation.older_chars", COUNT, "1000, of policy slop"),
    free("truncation.inactive_chars", COUNT, "300, of policy slop"),
    with(
        "undo.mode",
        Kind::Choice(&["hide", "delete"]),
        Trust::Needed("it could delete turns that an undo should only hide"),
        "hide",
    ),
    with("watch.restore", Kind::Choice(&["off", "compaction", "resume", "both"]), STEERS, "both"),
    with("watch.size", HOOK_TEXT, STEERS, "4096"),
    with("watch.extract", Kind::List, STEERS, "[]"),
    with("watch.patterns", Kind::List, STEERS, "[]"),
    with(
        "watch.summarizer",
        Kind::Text,
        Trust::Needed("it could send your sessions to another model"),
        "off",
    ),
    with("watch.every", COUNT_OR_OFF, STEERS, "10"),
    with("watch.typing", Kind::Choice(&["off", "paste"]), STEERS, "paste"),
    with("watch.warn_pct", Kind::Percent, STEERS, "80"),
    with("watch.offload", Kind::Switch, STEERS, "false"),
    with("watch.compactor", Kind::Switch, STEERS, "true"),
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
        Kind::Choice(&["anthropic", "openai", "gemini", "gemini_gca", "ollama", "compatible"]),
        SENDS,
        "the one whose key was stored last, else the first with a key",
    ),
    with("model.model", Kind::Text, SENDS, "the provider's usual one"),
    with("model.base_url", Kind::Text, SENDS, "the provider's own"),
    with("model.key_file", Kind::Text, SENDS, "the key in the environment"),
    with("model.headers", Kind::Secrets, SENDS, "none"),
    with("model.api", Kind::Choice(&["chat", "responses"]), SENDS, "by the provider"),
    with("model.transport", Kind::Choice(&["http", "sdk"]), SENDS, "http"),
    with("model.fallback", Kind::List, SENDS, "[]"),
    free("model.window", WINDOW, "the model's"),
    with("model.thinking", COUNT_OR_OFF, COSTS, "the model's own choice"),
    free("model.timeout", SECONDS, "by the provider"),
    with("model.retries", COUNT_OR_OFF, COSTS, "8"),
    with(
        "tools.sandbox",
        Kind::Switch,
        Trust::Narrowing("it would take commands out of the sandbox"),
        "true",
    ),
    with(
        "tools.sandboxed_gates",
        Kind::Switch,
        Trust::UserOnly("it would let the quality gates of a task run outside the sandbox"),
        "true",
    ),
    with("tools.writable", Kind::List, REACHES, "[]"),
    with("tools.env", Kind::List, REACHES, "[]"),
    with("tools.network", Kind::Switch, REACHES, "true"),
    with("tools.unix_sockets", Kind::Switch, REACHES, "false"),
    with("tools.max_processes", COUNT_OR_OFF, REACHES, "4096"),
    with("tools.max_memory", COUNT_OR_OFF, REACHES, "0"),
    with("tools.home_workspace", Kind::Switch, REACHES, "false"),
    with("limits.cost", Kind::Dollars, SPENDS, "no limit"),
    with("limits.cost_per_turn", Kind::Dollars, SPENDS, "no limit"),
    with("limits.cost_per_day", Kind::Dollars, SPENDS, "no limit"),
    with("limits.stalled_requests", COUNT_OR_OFF, Trust::Needed("it would let the session cost more"), "20"),
    with("fetch.allow", Kind::List, Trust::UserOnly("it could reach this machine and its network"), "[]"),
    with("search.url", Kind::Text, REACHES, "none: no server of the user's is asked"),
    with(
        "search.provider",
        Kind::Switch,
        Trust::Needed("it could send words of the session to the web, and each search costs"),
        "false: the provider's own search is not used",
    ),
    with(
        "storage.durability",
        Kind::Choice(&["full", "normal"]),
        Trust::Narrowing("it would let a power failure take stored records"),
        "normal",
    ),
    with("storage.database", Kind::Text, KEEPS, "a file in the data folder"),
    with("storage.blobs", Kind::Text, KEEPS, "the database"),
    with("storage.blobs_from", COUNT_OR_OFF, KEEPS, "65536"),
    with("storage.retention", Kind::Span, DELETES, "none: sessions stay until they are deleted"),
    with("storage.retention_keep_pinned", Kind::Switch, DELETES, "false"),
    with("encryption.key_file", Kind::Text, LOCKS, "none: nothing is encrypted"),
    with("encryption.key_command", Kind::Text, LOCKS, "none"),
    free("ui.colour", Kind::Choice(&["auto", "always", "never"]), "auto"),
    free("ui.theme", Kind::Choice(&["auto", "terminal", "dark", "light"]), "auto"),
    free("ui.ascii", Kind::Switch, "false: only where the locale is not UTF-8"),
    free("ui.attention", Kind::Choice(&["auto", "always", "never"]), "auto"),
    free("ui.status_line", Kind::Choices(STATUS_PARTS), "context, compaction, cached, cost, model, branch"),
    with("ui.status_command", Kind::Text, RUNS, "none"),
    free("ui.keys", Kind::Choice(&["usual", "vim"]), "usual"),
    with("agents.depth", COUNT_OR_OFF, SPENDS, "1: sub-agents start none of their own; 0: there are none"),
    with("agents.running", COUNT, SPENDS, "4"),
    with("agents.requests", COUNT, SPENDS, "100"),
    with("agents.cost", Kind::Dollars, SPENDS, "limits.cost"),
    with(
        "hooks.claude",
        Kind::Choice(&["off", "project", "all"]),
        Trust::UserOnly("it could run hooks that the user has for another program"),
        "project",
    ),
    with(
        "hooks.sandbox",
        Kind::Choice(&["project", "all", "none"]),
        Trust::UserOnly("it could take a project's hooks out of the sandbox"),
        "project",
    ),
    with("skills.folders", Kind::List, REACHES, "[]"),
    with("rules.files", Kind::List, REACHES, "AGENTS.md, AGENT.md, CLAUDE.md"),
];
