//! The rows of the programs and of the tools around them.

use crate::boundaries::rule::{Allowed, INSIDE, Rule, SESSIONS, SUBSYSTEMS, VALUES, WORDS};

/// One row for each crate.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "mcpserver",
        workspace: Allowed::Only(&[
            VALUES,
            &[
                "config",
                "continuity",
                "documents",
                "history",
                "memory",
                "query",
                "resultstore",
                "stored",
                "tools",
            ],
        ]),
        outside: Allowed::Only(&[
            INSIDE,
            &["http-body-util", "hyper", "hyper-util", "rmcp", "tempfile", "tokio", "url"],
        ]),
        because: "it answers other agents from stored sessions: the library opens them, and the subsystems' own tools run \
                  the calls, and check a stored picture before it is shown; it runs no agent, no model and no client of MCP",
    },
    Rule {
        name: "host",
        workspace: Allowed::Only(&[
            WORDS,
            &["config", "connect", "contexts", "continuity", "providers", "query", "store", "stored"],
        ]),
        outside: Allowed::Only(&[INSIDE, &["tempfile", "tokio"]]),
        because: "it puts contexts on stored sessions, with the table of models and the queries of the history, for every door \
                  that is a process of its own or a binding; it runs no agent and no model",
    },
    Rule {
        name: "doctor",
        workspace: Allowed::Only(&[&[
            "config", "connect", "programs", "session", "settings", "store", "stored", "text",
        ]]),
        outside: Allowed::Only(&[&["rustix", "serde", "tempfile", "tokio"]]),
        because: "it looks at what a session would use, by the same functions: settings, model, sandbox, storage; it starts no \
                  session and no program but git",
    },
    Rule {
        name: "server",
        workspace: Allowed::Only(&[
            WORDS,
            SESSIONS,
            &["agent", "audit", "contexts", "continuity", "groups", "host", "ledger", "memory", "permission"],
            &["policies", "providers", "settings", "store", "tools", "watch"],
        ]),
        outside: Allowed::Only(&[
            INSIDE,
            &[
                "axum",
                "hyper",
                "hyper-util",
                "maud",
                "prometheus-client",
                "pulldown-cmark",
                "rustls",
                "schemars",
                "similar",
                "tempfile",
                "tokio",
                "tokio-rustls",
                "url",
            ],
        ]),
        because: "it answers over HTTP from sessions, which the library opens and works in; hyper limits connections, maud escapes \
                  texts, prometheus-client writes figures, pulldown-cmark reads answers, similar compares requests, schemars derives the OpenAPI \
                  document, rustls and tokio-rustls encrypt; audit and ledger read transcripts of other agents",
    },
    Rule {
        name: "acp",
        workspace: Allowed::Only(&[
            VALUES,
            SESSIONS,
            &["agent", "continuity", "ledger", "mcp", "permission", "tools"],
        ]),
        outside: Allowed::Only(&[INSIDE, &["agent-client-protocol", "expect-test", "tokio", "url"]]),
        because: "it answers an editor in the words of its protocol from sessions, which the library opens and works in; the \
                  ledger says what a call is about, and tools which files it changed; the commands that begin with `/` come \
                  by a port",
    },
    Rule {
        name: "terminal",
        workspace: Allowed::Only(&[&["conversation", "programs", "text", "tools"]]),
        outside: Allowed::Only(&[INSIDE, &["rpassword", "rustix", "tempfile"]]),
        because: "it prints for any crate of the program, and knows of what is printed the window's bar, whose figures are conversation's; tools ends the processes \
                  that were started when the program has to end at once, and rpassword asks for a key without showing it",
    },
    Rule {
        name: "commands",
        workspace: Allowed::Only(&[
            WORDS,
            SUBSYSTEMS,
            SESSIONS,
            &[
                "agent",
                "instructions",
                "plugins",
                "policies",
                "replay",
                "settings",
                "terminal",
                "watch",
                "wire",
            ],
        ]),
        outside: Allowed::Only(&[INSIDE, &["anyhow", "clap", "tempfile"]]),
        because: "what can be done with a stored session, and the answer for a person; plugins gets those that the user installs, and \
                  instructions reads the files of prompts; policies names the styles of summaries \
                  whose prices a preview shows; clap reads a line that begins with `/` \
                  by the grammar of the subcommand",
    },
    Rule {
        name: "chat",
        workspace: Allowed::Only(&[
            WORDS,
            SUBSYSTEMS,
            &[
                "agent",
                "commands",
                "git",
                "mcp",
                "permission",
                "programs",
                "providers",
                "settings",
                "store",
                "terminal",
            ],
            SESSIONS,
            &["tui"],
        ]),
        outside: Allowed::Only(&[INSIDE, &["anyhow", "ignore", "tokio"]]),
        because: "the session on the screen: it gives the acts of the screen to the agent, and what the agent does to the \
                  screen; no argument parser is in it",
    },
    Rule {
        name: "demo",
        workspace: Allowed::Only(&[WORDS, SUBSYSTEMS, &["agent", "policies", "stored", "terminal"]]),
        outside: Allowed::Only(&[INSIDE, &["anyhow", "tempfile", "tokio"]]),
        because: "a session with a scripted model and tools of its own, shown line by line; it is opened below the settings, \
                  because no user's settings may change it; it runs in a temporary folder, and tokio says that the user interrupts it",
    },
    Rule {
        name: "python",
        workspace: Allowed::Only(&[&["contexts", "host", "providers", "text"]]),
        outside: Allowed::Only(&[INSIDE, &["pyo3", "tokio"]]),
        because: "a door to the table of operations: it passes names and JSON on, and decides nothing; of providers it takes the table of models; pyo3 is Python's interface",
    },
    Rule {
        name: "benches",
        workspace: Allowed::Any,
        outside: Allowed::Any,
        because: "a benchmark compares the engine, the store and the whole program with what they stand on; nothing uses it",
    },
    Rule {
        name: "node",
        workspace: Allowed::Only(&[&["contexts", "host", "providers", "text"]]),
        outside: Allowed::Only(&[INSIDE, &["napi", "napi-build", "napi-derive"]]),
        because: "the table of operations for JavaScript: a binding translates and decides nothing; host opens the storage, and \
                  providers has the table of models that host asks for",
    },
    Rule {
        name: "cli",
        workspace: Allowed::Only(&[
            SESSIONS,
            &[
                "acp",
                "audit",
                "chat",
                "commands",
                "demo",
                "doctor",
                "host",
                "mcpserver",
                "server",
                "settings",
            ],
            &["telemetry", "terminal", "text", "throughline", "watch"],
        ]),
        outside: Allowed::Any,
        because: "arguments, printing and the pseudo-terminal over the facade and the crates of the commands: no subsystem, \
                  no adapter and no loop",
    },
    Rule {
        name: "xtask",
        workspace: Allowed::Only(&[]),
        outside: Allowed::Only(&[&["anyhow", "clap", "serde_json"]]),
        because: "the tasks judge the workspace and must build when it does not",
    },
];
