//! Keys by which values are asked for, with the type of what they hold.

use std::marker::PhantomData;

/// A key whose value has this type.
#[derive(Debug)]
pub struct Key<T> {
    name: &'static str,
    holds: PhantomData<T>,
}

impl<T> Clone for Key<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Key<T> {}

impl<T> Key<T> {
    const fn new(name: &'static str) -> Self {
        Self { name, holds: PhantomData }
    }

    /// The key with its section, as `agent.policy`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.name
    }
}

/// All keys that hold a value. [`crate::schema`] has their other names, too, and says what each may hold.
pub mod keys {
    use throughline_budget::Threshold;

    use super::Key;
    use crate::kind::Secrets;
    use crate::resolve::Item;

    macro_rules! keys {
        ($($(#[$about:meta])* $name:ident: $holds:ty = $key:literal;)*) => {
            $($(#[$about])* pub const $name: Key<$holds> = Key::new($key);)*
            #[cfg(test)]
            pub(crate) const NAMES: &[(&str, &str)] = &[$(($key, stringify!($holds))),*];
        };
    }

    keys! {
        /// The policy of the engine.
        POLICY: String = "agent.policy";
        /// How soon policy throughline compacts for the price.
        ECONOMY: String = "agent.economy";
        /// The name of the output style.
        OUTPUT_STYLE: String = "agent.output_style";
        /// Whether a summary of a model that misses something is refused.
        STRICT: bool = "agent.strict";
        /// The window at most, in tokens.
        CONTEXT_BUDGET: u64 = "agent.context_budget";
        /// Tokens of an answer at most.
        MAX_OUTPUT_TOKENS: u64 = "agent.max_output_tokens";
        /// Where a warning comes.
        WARN_AT: Threshold = "agent.warn_at";
        /// Where the window is compacted.
        COMPACT_AT: Threshold = "agent.compact_at";
        /// What is never passed.
        BLOCK_AT: Threshold = "agent.block_at";
        /// Bytes from which a result is stored and shown in part.
        RESULT_OFFLOAD_THRESHOLD: u64 = "agent.result_offload_threshold";
        /// The share of the window from which tools are deferred.
        TOOL_DEFERRAL_THRESHOLD: f64 = "agent.tool_deferral_threshold";
        /// Messages that a compaction of policy dex keeps.
        MAX_RECENT_MESSAGES: u64 = "agent.max_recent_messages";
        /// Answered requests between two checkpoints; 0: their number makes none.
        CHECKPOINT_INTERVAL: u64 = "agent.checkpoint_interval";
        /// Whether checkpoints carry a handoff.
        GENERATE_HANDOFF: bool = "agent.generate_handoff";
        /// Placement of documents and notes in a request.
        DYNAMIC_PLACEMENT: String = "agent.dynamic_placement";
        /// When the model writes STATE.
        STATE_RULE: String = "agent.state_rule";
        /// Form in which a model sees tool calls of another provider's model.
        FOREIGN_TOOLS: String = "agent.foreign_tools";
        /// Groups that a new session shows; 0: all.
        CONTEXT_GROUPS: u64 = "agent.context_groups";
        /// Newest results of the current group that policy slop truncates last.
        RECENT_RESULTS: u64 = "truncation.recent_results";
        /// Characters of each of those.
        RECENT_CHARS: u64 = "truncation.recent_chars";
        /// Characters of each older result of the current group.
        OLDER_CHARS: u64 = "truncation.older_chars";
        /// Characters of each result of earlier groups.
        INACTIVE_CHARS: u64 = "truncation.inactive_chars";
        /// What `undo` does to the last turn.
        UNDO_MODE: String = "undo.mode";
        /// Whether a session moves its dial when compactions cost more than they save.
        ADAPT: bool = "compaction.adapt";
        /// The share of the effective window that pins may take together.
        PIN_SHARE: f64 = "compaction.pin_share";
        /// Instructions for every summary that a model writes.
        COMPACTION_INSTRUCTIONS: String = "compaction.instructions";
        /// Who writes the summaries: the model, or its provider by a compaction of its own.
        COMPACTION_SUMMARIZER: String = "compaction.summarizer";
        /// Whether a model writes summaries, and how long they are.
        COMPACTION_SUMMARY: String = "compaction.summary";
        /// Whether a session that waits is compacted before its prompt cache expires, if that is cheapest.
        IDLE_COMPACTION: bool = "cache.idle_compaction";
        /// How long markers ask a provider to store prefixes.
        CACHE_TTL: String = "cache.ttl";
        /// How often the prompt cache of a session that waits is kept warm; 0: never.
        KEEP_WARM: u64 = "cache.keep_warm";
        /// When a watched agent gets its context back.
        WATCH_RESTORE: String = "watch.restore";
        /// Bytes of a restored context at most.
        WATCH_SIZE: u64 = "watch.size";
        /// Texts whose lines are quoted in a restored context.
        WATCH_EXTRACT: Vec<Item> = "watch.extract";
        /// More texts by which a compaction is recognised on a screen.
        WATCH_PATTERNS: Vec<Item> = "watch.patterns";
        /// The model that summarizes watched sessions; `off`: none.
        WATCH_SUMMARIZER: String = "watch.summarizer";
        /// Minutes between two extractions without a compaction; 0: none.
        WATCH_EVERY: u64 = "watch.every";
        /// How a context reaches an agent without hooks.
        WATCH_TYPING: String = "watch.typing";
        /// Per cent of the window at which the user of a watched agent is warned.
        WATCH_WARN_PCT: u64 = "watch.warn_pct";
        /// Large results of a watched agent's tools are stored before its model sees them.
        WATCH_OFFLOAD: bool = "watch.offload";
        /// Compactions of a watched Claude Code are answered with our view.
        WATCH_COMPACTOR: bool = "watch.compactor";
        /// How much runs without asking.
        MODE: String = "permissions.mode";
        /// Rules that allow.
        ALLOW: Vec<Item> = "permissions.allow";
        /// Rules that ask.
        ASK: Vec<Item> = "permissions.ask";
        /// Rules that forbid.
        DENY: Vec<Item> = "permissions.deny";
        /// Whether commands in the sandbox are asked about.
        SANDBOXED_COMMANDS: String = "permissions.sandboxed_commands";
        /// Who serves the model.
        PROVIDER: String = "model.provider";
        /// The model.
        MODEL: String = "model.model";
        /// The address of its server.
        BASE_URL: String = "model.base_url";
        /// The file that the key is in.
        KEY_FILE: String = "model.key_file";
        /// Headers of each request.
        HEADERS: Secrets = "model.headers";
        /// Which of OpenAI's APIs.
        API: String = "model.api";
        /// The transport for Anthropic.
        TRANSPORT: String = "model.transport";
        /// Fallback models, in order.
        FALLBACK: Vec<Item> = "model.fallback";
        /// The window in tokens, up to what the model has.
        WINDOW: u64 = "model.window";
        /// Tokens of thinking at most; the effort of models that take no number.
        THINKING: u64 = "model.thinking";
        /// Seconds without a byte after which a request is given up.
        TIMEOUT: u64 = "model.timeout";
        /// How often a request is sent again at most.
        RETRIES: u64 = "model.retries";
        /// Whether commands run in the sandbox.
        SANDBOX: bool = "tools.sandbox";
        /// Whether quality gates run in the sandbox.
        SANDBOXED_GATES: bool = "tools.sandboxed_gates";
        /// Folders outside the workspace in which commands may write.
        WRITABLE: Vec<Item> = "tools.writable";
        /// More environment variables that commands get.
        ENV: Vec<Item> = "tools.env";
        /// Whether commands may make connections.
        NETWORK: bool = "tools.network";
        /// Whether commands may connect to the unix sockets of other programs.
        UNIX_SOCKETS: bool = "tools.unix_sockets";
        /// How many processes and threads commands may add; 0: no limit.
        MAX_PROCESSES: u64 = "tools.max_processes";
        /// Mebibytes that a process of a command may allocate; 0: no limit.
        MAX_MEMORY: u64 = "tools.max_memory";
        /// Accepts a workspace that holds the user's home, config or data folder.
        HOME_WORKSPACE: bool = "tools.home_workspace";
        /// What a session may cost, in US dollars.
        COST: f64 = "limits.cost";
        /// What a turn may cost, in US dollars.
        COST_PER_TURN: f64 = "limits.cost_per_turn";
        /// What all sessions together may cost in 24 hours, in US dollars.
        COST_PER_DAY: f64 = "limits.cost_per_day";
        /// Requests in a row without progress after which a turn ends; 0: no limit.
        STALLED_REQUESTS: u64 = "limits.stalled_requests";
        /// Addresses of this machine and its network that may be fetched.
        FETCH_ALLOW: Vec<Item> = "fetch.allow";
        /// How deep sub-agents may start others; 0: there are none.
        AGENTS_DEPTH: u64 = "agents.depth";
        /// Sub-agents of a session that run at the same time.
        AGENTS_RUNNING: u64 = "agents.running";
        /// Requests of a sub-agent's turn at most.
        AGENTS_REQUESTS: u64 = "agents.requests";
        /// What a sub-agent may cost, in US dollars.
        AGENTS_COST: f64 = "agents.cost";
        /// The address of a server that searches the web.
        SEARCH_URL: String = "search.url";
        /// Whether the model's provider may search the web.
        SEARCH_PROVIDER: bool = "search.provider";
        /// Which hooks of Claude Code's settings run.
        CLAUDE_HOOKS: String = "hooks.claude";
        /// Which hooks run in the sandbox.
        HOOKS_SANDBOX: String = "hooks.sandbox";
        /// What a power failure may take of the stored records.
        DURABILITY: String = "storage.durability";
        /// The address of the server that sessions are stored on.
        DATABASE: String = "storage.database";
        /// The place of large contents.
        BLOBS: String = "storage.blobs";
        /// Bytes that a content has at most in the database, if there is another place.
        BLOBS_FROM: u64 = "storage.blobs_from";
        /// How long a session is stored after its newest record.
        RETENTION: String = "storage.retention";
        /// Whether sessions with a pin stay longer.
        RETENTION_KEEP_PINNED: bool = "storage.retention_keep_pinned";
        /// The file with the key that stored values are encrypted with.
        ENCRYPTION_KEY_FILE: String = "encryption.key_file";
        /// The command that prints that key.
        ENCRYPTION_KEY_COMMAND: String = "encryption.key_command";
        /// Colours of the screen.
        COLOUR: String = "ui.colour";
        /// Which colours the screen uses.
        THEME: String = "ui.theme";
        /// Whether marks of the screen are drawn in ASCII.
        ASCII: bool = "ui.ascii";
        /// When the user is called back to the terminal.
        ATTENTION: String = "ui.attention";
        /// What the status line shows, in its order.
        STATUS_LINE: Vec<String> = "ui.status_line";
        /// The command whose first line of output the status line shows.
        STATUS_COMMAND: String = "ui.status_command";
        /// How the keys of the input work.
        KEYS: String = "ui.keys";
        /// More folders of skills.
        SKILL_FOLDERS: Vec<Item> = "skills.folders";
        /// Names of the files with a project's rules.
        RULE_FILES: Vec<Item> = "rules.files";
    }
}
