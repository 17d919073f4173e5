//! Outside crates that only some crates may use, whatever their row in the table says.

/// An outside crate that only some crates may use, whatever their row says.
#[derive(Debug)]
pub(super) struct Reserved {
    /// The outside crate.
    pub(super) krate: &'static str,
    /// The crates that may use it.
    pub(super) owners: &'static [&'static str],
    /// Why no other crate may.
    pub(super) because: &'static str,
}

/// Outside crates with owners.
pub(super) const RESERVED: &[Reserved] = &[
    Reserved {
        krate: "anyhow",
        owners: &["benches", "chat", "cli", "commands", "demo", "xtask"],
        because: "a library's errors are enums that a caller can act on; the program prints its own",
    },
    Reserved { krate: "sea-orm", owners: &["store"], because: "the database stays behind the storage ports" },
    Reserved {
        krate: "sqlx",
        owners: &["store", "benches"],
        because: "the database stays behind the storage ports; benches measures against its server",
    },
    Reserved {
        krate: "rusqlite",
        owners: &["store", "query", "benches"],
        because: "a database stays behind its port; query needs SQLite's own authorizer and limits, and benches measures \
                  against raw inserts",
    },
    Reserved {
        krate: "tiktoken-rs",
        owners: &["providers"],
        because: "how a model counts belongs to its provider",
    },
    Reserved {
        krate: "async-openai",
        owners: &["wire"],
        because: "a provider's SDK stays behind the bodies that are made of its types",
    },
    Reserved {
        krate: "anthropic-sdk-rust",
        owners: &["providers"],
        because: "a provider's SDK stays behind the port LanguageModel",
    },
    Reserved {
        krate: "ollama-rs",
        owners: &["providers"],
        because: "a provider's SDK stays behind the port LanguageModel",
    },
    Reserved {
        krate: "rmcp",
        owners: &["mcp", "mcpserver"],
        because: "the protocol's SDK stays behind the port Tool on one side, and behind the server of sessions on the other",
    },
    Reserved {
        krate: "object_store",
        owners: &["objects"],
        because: "the store calls resultstore's port BlobStore; what speaks S3 stays behind it",
    },
    Reserved {
        krate: "opentelemetry",
        owners: &["telemetry"],
        because: "the agent reports events; how they are exported stays behind the port Listeners",
    },
    Reserved {
        krate: "agent-client-protocol",
        owners: &["acp", "cli"],
        because: "the protocol's SDK stays in the crate that answers editors; the tests of cli use its client",
    },
    Reserved {
        krate: "tokio",
        owners: &[
            "testserver",
            "tools",
            "agent",
            "summarizer",
            "contexts",
            "host",
            "store",
            "git",
            "query",
            "providers",
            "instructions",
            "fetch",
            "objects",
            "telemetry",
            "mcp",
            "mcpserver",
            "server",
            "acp",
            "tui",
            "replay",
            "config",
            "connect",
            "session",
            "stored",
            "doctor",
            "watch",
            "audit",
            "throughline",
            "chat",
            "benches",
            "cli",
            "python",
            "demo",
        ],
        because: "decisions are plain functions; the runtime begins at the tools, the agent and the summarizer, \
                  which wait for others",
    },
];
