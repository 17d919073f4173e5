//! What each setting of context management means, in a sentence.

/// The settings by their keys.
const TEXTS: &[(&str, &str)] = &[
    ("agent.policy", "How the context is managed: thresholds, strategies and sizes come from it."),
    (
        "agent.economy",
        "How eagerly policy throughline compacts: lean as soon as it pays, faithful as late as it can.",
    ),
    ("agent.output_style", "The text in the prompt that says how the model works with its user and writes."),
    ("agent.strict", "A compaction that fails ends the turn; else the session continues as long as it fits."),
    (
        "agent.context_budget",
        "Tokens of the window that a session may use, answer included; at most all of it.",
    ),
    ("agent.max_output_tokens", "Tokens that an answer may have; they are reserved in the window."),
    ("agent.warn_at", "How full the window is when the session begins to warn."),
    ("agent.compact_at", "How full the window is when it is compacted."),
    ("agent.block_at", "How full the window is when nothing is sent before it is compacted."),
    (
        "agent.result_offload_threshold",
        "Bytes from which a tool's result is stored, and the model sees its start and end.",
    ),
    (
        "agent.tool_deferral_threshold",
        "Share of the window from which tool descriptions are left out until the model asks for them.",
    ),
    ("agent.max_recent_messages", "Newest messages that a compaction of policy dex leaves unchanged."),
    (
        "agent.checkpoint_interval",
        "Iterations between two checkpoints; 0: only at a compaction and at the end.",
    ),
    (
        "agent.generate_handoff",
        "A checkpoint has a handoff, with which another session can continue the work.",
    ),
    (
        "agent.dynamic_placement",
        "Where state, scratchpad and notes stand: behind the last message, or in the system prompt, where each change makes the cache cold.",
    ),
    ("agent.state_rule", "When the model writes its state."),
    ("agent.foreign_tools", "How calls of another provider's model are shown: as text, or not at all."),
    ("agent.context_groups", "Newest turns that a new session shows; 0: all."),
    (
        "compaction.adapt",
        "A session that needs again what was removed moves its economy a step towards faithful.",
    ),
    ("compaction.pin_share", "Share of the window that pinned texts may take."),
    ("compaction.instructions", "Instructions for every summary that a model writes."),
    (
        "compaction.summarizer",
        "Who writes summaries: the model, or the provider's own compaction where it has one.",
    ),
    (
        "compaction.summary",
        "How a summary is made: briefly by the model where that is paid back, by rule alone, or thoroughly in seven sections.",
    ),
    (
        "cache.idle_compaction",
        "Compacts a session that waits for you, shortly before its prompt cache expires, if that is cheapest.",
    ),
    ("cache.ttl", "How long the provider stores prefixes after their last use."),
    ("cache.keep_warm", "How often a minimal request may keep the cache warm while you are away; 0: never."),
    ("truncation.recent_results", "Newest results of the current turn that policy slop shows longer."),
    ("truncation.recent_chars", "Characters of those results."),
    ("truncation.older_chars", "Characters of older results of the current turn."),
    ("truncation.inactive_chars", "Characters of results of earlier turns."),
    ("undo.mode", "An undo hides the turn, or deletes it permanently."),
    (
        "watch.restore",
        "When a watched agent gets its context back: after a compaction, at a resume, both, or never.",
    ),
    ("watch.size", "Bytes that a restored context may have."),
    ("watch.extract", "Texts whose lines are quoted in restored contexts, such as NOTE:."),
    (
        "watch.patterns",
        "More texts by which a compaction is recognised on the screen of a program without hooks.",
    ),
    ("watch.summarizer", "The model that writes restored contexts; off: they are made by rule."),
    ("watch.every", "Minutes between two extractions of a program without hooks; 0: none."),
    ("watch.typing", "How an agent without hooks gets its context: pasted into its input, or not at all."),
    ("watch.warn_pct", "How full the window of a watched agent is, in percent, when a warning is shown."),
    ("watch.offload", "Large results of a watched agent are stored, and it sees their start and end."),
    (
        "watch.compactor",
        "Throughline answers the compaction of an agent that asks for it, in place of a summary of the agent's own.",
    ),
];

/// What a setting means; empty for one that is no setting of context management.
pub(super) fn about(key: &str) -> &'static str {
    TEXTS.iter().find(|(name, _)| *name == key).map_or("", |(_, text)| text)
}

#[cfg(test)]
mod tests;
