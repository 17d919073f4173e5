//! The table: for each crate, the workspace crates and the outside crates that it may use.
//!
//! Words live in `conversation` and `completion`; a subsystem never imports a sibling; no crate
//! inside knows an adapter. Each row is a crate that exists.

mod programs;

use super::rule::{Allowed, INSIDE, Rule, SUBSYSTEMS, VALUES, WORDS, faking, subsystem, teller};

/// All rows.
pub(super) fn rules() -> Vec<Rule> {
    [LIBRARIES, programs::RULES].concat()
}

/// One row for each crate, from the words to the facade.
const LIBRARIES: &[Rule] = &[
    Rule {
        name: "text",
        workspace: Allowed::Only(&[]),
        outside: Allowed::Only(&[]),
        because: "plain functions on text that every crate may use, so they use nothing themselves",
    },
    Rule {
        name: "failpoint",
        workspace: Allowed::Only(&[]),
        outside: Allowed::Only(&[]),
        because: "the in-memory stores of three crates share one switch for failures, so it knows none of them",
    },
    Rule {
        name: "programs",
        workspace: Allowed::Only(&[]),
        outside: Allowed::Only(&[]),
        because: "one answer to where a program is, for every crate that starts one by itself; it starts none",
    },
    Rule {
        name: "conversation",
        workspace: Allowed::Only(&[&["text"]]),
        outside: Allowed::Only(&[INSIDE, &["sha2"]]),
        because: "the words depend on no other crate but text; sha2 gives content its address",
    },
    Rule {
        name: "completion",
        workspace: Allowed::Only(&[VALUES]),
        outside: Allowed::Only(&[INSIDE]),
        because: "a request is made of the words of conversation and of nothing else",
    },
    Rule {
        name: "ledger",
        workspace: Allowed::Only(&[VALUES]),
        outside: Allowed::Only(&[INSIDE, &["memchr"]]),
        because: "what was done is derived from the calls themselves; a summary and a handoff need it alike, and it is \
                  the decision of neither; memchr finds a name or a line in all texts of a request many times faster \
                  than the standard library",
    },
    subsystem("budget"),
    teller("compaction"),
    faking("resultstore"),
    subsystem("deferral"),
    faking("continuity"),
    teller("documents"),
    subsystem("groups"),
    Rule {
        name: "history",
        workspace: Allowed::Only(&[VALUES, &["continuity"]]),
        outside: Allowed::Only(&[INSIDE]),
        because: "the table is read from the log, whose port continuity owns; agent calls the port and query implements \
                  it, so it stands between the two without a database",
    },
    faking("memory"),
    Rule {
        name: "task",
        workspace: Allowed::Only(&[VALUES, &["ledger"]]),
        outside: Allowed::Only(&[INSIDE, &["toml"]]),
        because: "a subsystem that decides what comes after each iteration of a task, and also reads the task's file, \
                  whose settings are TOML; it runs nothing and reads no clock; the lines of its gates are those that \
                  the ledger reads",
    },
    Rule {
        name: "prompt",
        workspace: Allowed::Only(&[WORDS]),
        outside: Allowed::Only(&[INSIDE]),
        because: "cache breakpoints are words of the completion request",
    },
    Rule {
        name: "tools",
        workspace: Allowed::Only(&[VALUES]),
        outside: Allowed::Only(&[
            INSIDE,
            &["tokio", "ignore", "globset", "grep-searcher", "grep-regex", "rustix"],
            &["base64", "close_fds", "icu_normalizer", "landlock", "seccompiler", "similar", "tempfile"],
            &["png", "zune-jpeg"],
        ]),
        because: "the built-in tools find names in every Unicode normalization, run commands (rustix ends a whole process group, landlock, seccompiler and close_fds limit what they reach, \
                  tempfile takes what is too long for memory), search files, tell what changed in one, and decode pictures \
                  (png, zune-jpeg), so this subsystem touches the real world",
    },
    Rule {
        name: "engine",
        workspace: Allowed::Only(&[WORDS, SUBSYSTEMS, &["ledger", "summarizer"]]),
        outside: Allowed::Only(&[INSIDE]),
        because: "the engine decides what a model sees, over ports, and knows no model, no adapter and no loop; of summarizer it \
                  takes the request for a summary that its caller sends",
    },
    Rule {
        name: "agent",
        workspace: Allowed::Only(&[WORDS, SUBSYSTEMS, &["engine"]]),
        outside: Allowed::Only(&[INSIDE, &["tokio"]]),
        because: "the agent is a loop around the engine: it asks the model, runs the tools, and knows no adapter",
    },
    Rule {
        name: "policies",
        workspace: Allowed::Only(&[
            WORDS,
            &["prompt", "budget", "compaction", "resultstore", "deferral", "documents", "engine"],
        ]),
        outside: Allowed::Only(&[INSIDE]),
        because: "a policy is the settings of an engine: numbers, texts and strategies for the subsystems that it \
                  configures; it runs nothing",
    },
    Rule {
        name: "contexts",
        workspace: Allowed::Only(&[
            WORDS,
            &["budget", "continuity", "documents", "groups", "history", "resultstore", "tools"],
            &["engine", "policies", "wire"],
        ]),
        outside: Allowed::Only(&[INSIDE, &["schemars", "serde_path_to_error", "tokio"]]),
        because: "the operations on contexts are values with schemas, which schemars derives; serde_path_to_error names the field \
                  of an input that is wrong; tokio orders the operations of one context; storage and models are ports, so a \
                  binding takes it without a client and a database",
    },
    Rule {
        name: "store",
        workspace: Allowed::Only(&[VALUES, &["continuity", "resultstore", "memory"]]),
        outside: Allowed::Only(&[
            INSIDE,
            &["sea-orm", "rusqlite", "tempfile", "tokio", "sha2"],
            &["base64", "chacha20poly1305", "getrandom", "zeroize"],
            &["rustix", "sqlx", "url"],
        ]),
        because: "the store implements the storage ports and sees only the crates that own them; rusqlite \
                  writes a step's few records without waking another thread, tempfile holds the copy of a \
                  read-only database, four crates encrypt, sqlx, url and rustix are for servers: TLS, addresses, host names",
    },
    Rule {
        name: "objects",
        workspace: Allowed::Only(&[VALUES, &["resultstore", "providers"]]),
        outside: Allowed::Only(&[INSIDE, &["http-body-util", "object_store", "reqwest", "tokio", "url"]]),
        because: "it implements resultstore's port BlobStore over object_store, and sends by the client that the providers have, \
                  so that one crate knows how to reach a server; store calls the port and knows no object store",
    },
    Rule {
        name: "git",
        workspace: Allowed::Only(&[VALUES, &["documents", "programs"]]),
        outside: Allowed::Only(&[INSIDE, &["landlock", "tokio"]]),
        because: "it implements the port GitProbe by running the program git, and needs a process for that; programs says \
                  where git is, and landlock keeps it from starting programs that a repository names",
    },
    Rule {
        name: "plugins",
        workspace: Allowed::Only(&[&["git", "text"]]),
        outside: Allowed::Only(&[INSIDE, &["sha2", "tempfile", "tokio"]]),
        because: "it reads plugins and gets their copies, which git clones; sha2 is the digest of what a plugin could run, and tempfile \
                  the copy that is not in place yet; its parts are loaded, and the user is asked, above it",
    },
    Rule {
        name: "query",
        workspace: Allowed::Only(&[VALUES, &["continuity", "history"]]),
        outside: Allowed::Only(&[INSIDE, &["rusqlite", "tokio"]]),
        because: "it implements the port that a model's queries run behind, on a database that holds one session and \
                  knows no file",
    },
    Rule {
        name: "wire",
        workspace: Allowed::Only(&[WORDS]),
        outside: Allowed::Only(&[INSIDE, &["async-openai"]]),
        because: "the bodies and answers of the providers are values: a program with a client of its own takes them without \
                  an HTTP library, a runtime or a tokenizer; async-openai is used for its types",
    },
    Rule {
        name: "providers",
        workspace: Allowed::Only(&[WORDS, &["wire"]]),
        outside: Allowed::Any,
        because: "a provider implements the port LanguageModel over the wire forms; what its client needs is its own affair",
    },
    Rule {
        name: "summarizer",
        workspace: Allowed::Only(&[WORDS, &["compaction"]]),
        outside: Allowed::Only(&[INSIDE, &["tokio"]]),
        because: "it implements compaction's port Summarizer over completion's port LanguageModel; a compaction knows no \
                  model and the agent no prompt; tokio waits between two attempts",
    },
    Rule {
        name: "permission",
        workspace: Allowed::Only(&[VALUES, &["programs", "tools"]]),
        outside: Allowed::Only(&[INSIDE, &["icu_normalizer", "url"]]),
        because: "it decides over calls of tools before they run, and is itself a tool around a tool; programs says which of \
                  PATH a model can write; url parses an address \
                  as the tool that fetches it does; icu_normalizer, which url brings, makes one name of two spellings of a path",
    },
    Rule {
        name: "hooks",
        workspace: Allowed::Only(&[VALUES, &["tools"]]),
        outside: Allowed::Only(&[INSIDE, &["regex"]]),
        because: "commands of the user around calls and turns, whose processes are started behind its port; a matcher of a hook \
                  file is a regular expression, and a script's own",
    },
    Rule {
        name: "settings",
        workspace: Allowed::Only(&[&["budget", "text"]]),
        outside: Allowed::Only(&[INSIDE, &["toml", "toml_edit", "url"]]),
        because: "what a setting says is decided from texts alone; who reads the files and acts on it is outside; a threshold is \
                  written in the form of budget; toml_edit changes one key of a text and leaves its comments and order; url \
                  parses the address of a server as mcp does, which connects to it",
    },
    Rule {
        name: "instructions",
        workspace: Allowed::Only(&[VALUES, &["prompt", "tools"]]),
        outside: Allowed::Only(&[INSIDE, &["tokio"]]),
        because: "rules and skills are sections of the prompt, and a skill is opened by a tool",
    },
    Rule {
        name: "tui",
        workspace: Allowed::Only(&[VALUES, &["agent", "permission", "tools"]]),
        outside: Allowed::Any,
        because: "the screen shows what an agent tells, and asks what a permission or the server of a tool needs; it runs none of \
                  them",
    },
    Rule {
        name: "telemetry",
        workspace: Allowed::Only(&[VALUES, &["agent", "providers"]]),
        outside: Allowed::Only(&[
            INSIDE,
            &["bytes", "opentelemetry", "opentelemetry-http", "opentelemetry-otlp", "opentelemetry_sdk"],
            &["tokio", "url"],
        ]),
        because: "it makes spans and metrics of the agent's events, and sends them by the transport that the providers have, so \
                  that one crate knows how to reach a server; it runs nothing",
    },
    Rule {
        name: "fetch",
        workspace: Allowed::Only(&[VALUES, &["tools"]]),
        outside: Allowed::Only(&[INSIDE, &["encoding_rs", "html5ever", "reqwest", "rustls", "tokio"]]),
        because: "the web is one more tool; what speaks HTTP and reads HTML stays out of the crate of the other tools",
    },
    Rule {
        name: "mcp",
        workspace: Allowed::Only(&[VALUES, &["programs", "tools"]]),
        outside: Allowed::Any,
        because: "an MCP server is one more source of tools; programs says where it is",
    },
    Rule {
        name: "replay",
        workspace: Allowed::Only(&[WORDS, SUBSYSTEMS, &["ledger", "agent", "summarizer"]]),
        outside: Allowed::Only(&[INSIDE, &["flate2", "ruzstd", "tokio"]]),
        because: "replay drives the real engine with recorded sessions and needs no adapter; summarizer sends the requests for \
                  summaries that a live session sends, so that a replay has their price; recordings are packed by gzip or zstd",
    },
    Rule {
        name: "audit",
        workspace: Allowed::Only(&[
            WORDS,
            &["continuity", "ledger", "policies", "replay", "stored", "terminal", "wire"],
        ]),
        outside: Allowed::Only(&[INSIDE, &["sha2", "tempfile", "tokio"]]),
        because: "it sums what recordings say and what replays of the policies cost, and writes the report; tokio runs the \
                  replays side by side; replays go into stored sessions, wire validates their requests, and sha2 is \
                  the digest of the bodies; the storage is temporary without a data folder",
    },
    Rule {
        name: "watch",
        workspace: Allowed::Only(&[
            VALUES,
            &[
                "agent",
                "config",
                "continuity",
                "engine",
                "ledger",
                "programs",
                "policies",
                "providers",
                "replay",
                "resultstore",
                "settings",
            ],
            &["store", "stored", "tools"],
        ]),
        outside: Allowed::Only(&[INSIDE, &["tempfile", "tokio", "toml_edit"]]),
        because: "everything about the sessions of other agents but the terminal: it reads their files with the readers of \
                  replay, stores them as sessions, and answers their hooks; toml_edit reads the hooks that a user gives Codex",
    },
    Rule {
        name: "testkit",
        workspace: Allowed::Only(&[WORDS]),
        outside: Allowed::Only(&[INSIDE]),
        because: "every crate's tests use it, so it may know only the words",
    },
    Rule {
        name: "testserver",
        workspace: Allowed::Only(&[WORDS, &["providers", "wire"]]),
        outside: Allowed::Only(&[INSIDE, &["base64", "sha2", "tokio"]]),
        because: "the server that tests talk to speaks the providers' protocols and judges bodies by their validators; base64 and \
                  sha2 check the proof of a login (PKCE)",
    },
    Rule {
        name: "config",
        workspace: Allowed::Only(&[
            WORDS,
            &["agent", "compaction", "continuity", "documents", "prompt", "policies", "summarizer"],
            &[
                "fetch",
                "hooks",
                "instructions",
                "objects",
                "permission",
                "plugins",
                "programs",
                "providers",
                "settings",
                "store",
                "tools",
            ],
        ]),
        outside: Allowed::Only(&[INSIDE, &["getrandom", "sha2", "tempfile", "tokio", "zeroize"]]),
        because: "it reads the user's files and makes of them the settings of the agent, its summaries and its storage, so \
                  it knows their values; zeroize overwrites the texts that encryption keys are read from",
    },
    Rule {
        name: "connect",
        workspace: Allowed::Only(&[
            WORDS,
            &["agent", "budget", "config", "policies", "providers", "settings", "wire"],
        ]),
        outside: Allowed::Only(&[INSIDE, &["tokio"]]),
        because: "it decides which provider answers with which limits and prices, from the settings and the environment",
    },
    Rule {
        name: "stored",
        workspace: Allowed::Only(&[
            WORDS,
            SUBSYSTEMS,
            &["ledger", "task", "permission", "agent", "policies", "providers", "settings"],
            &["config", "connect", "git", "replay", "store", "summarizer", "watch", "wire"],
        ]),
        outside: Allowed::Only(&[INSIDE, &["flate2", "schemars", "sha2", "tempfile", "tokio"]]),
        because: "it reads and changes sessions that no agent has open, through the ports of the subsystems and the \
                  functions of the agent, and prices them; git says where a handoff begins; \
                  schemars describes the objects that its callers answer with; flate2 and sha2 pack and prove bundles",
    },
    Rule {
        name: "session",
        workspace: Allowed::Any,
        outside: Allowed::Only(&[INSIDE, &["sha2", "tempfile", "tokio"]]),
        because: "it wires the engine and the adapters together for any program, so it knows them all; it never prints",
    },
    Rule {
        name: "throughline",
        workspace: Allowed::Any,
        outside: Allowed::Only(&[INSIDE]),
        because: "what an embedder sees: a builder over session, and the ports with the words of their signatures",
    },
];
