//! The binary as its user meets it: commands, exit codes, bad input, and the demo. Everything goes through the
//! command line, without a terminal, a network or a key.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "helpers of tests may fail the test"
)]

#[path = "binary/acceptance.rs"]
mod acceptance;
#[path = "binary/alone.rs"]
mod alone;
#[path = "binary/answers.rs"]
mod answers;
#[path = "binary/atif.rs"]
mod atif;
#[path = "binary/audit.rs"]
mod audit;
#[path = "binary/background_agents.rs"]
mod background_agents;
#[path = "binary/browser.rs"]
mod browser;
#[path = "binary/bundle.rs"]
mod bundle;
#[path = "binary/by_hand.rs"]
mod by_hand;
#[path = "binary/closing.rs"]
mod closing;
#[path = "binary/commands.rs"]
mod commands;
#[path = "binary/config.rs"]
mod config;
#[path = "binary/connecting.rs"]
mod connecting;
#[path = "binary/cost_limits.rs"]
mod cost_limits;
#[path = "binary/cut_off.rs"]
mod cut_off;
#[path = "binary/damage.rs"]
mod damage;
#[path = "binary/demo.rs"]
mod demo;
#[path = "binary/descriptions.rs"]
mod descriptions;
#[path = "binary/doctor.rs"]
mod doctor;
#[path = "binary/documents.rs"]
mod documents;
#[path = "binary/durable.rs"]
mod durable;
#[path = "binary/encrypted.rs"]
mod encrypted;
#[path = "binary/engine.rs"]
mod engine;
#[path = "binary/fallbacks.rs"]
mod fallbacks;
#[path = "binary/figures.rs"]
mod figures;
#[path = "binary/folders.rs"]
mod folders;
#[path = "binary/foreign.rs"]
mod foreign;
#[path = "binary/full_disk.rs"]
mod full_disk;
#[path = "binary/gemini.rs"]
mod gemini;
#[path = "binary/git.rs"]
mod git;
#[path = "binary/groups.rs"]
mod groups;
#[path = "binary/guarded.rs"]
mod guarded;
#[path = "binary/handoff.rs"]
mod handoff;
#[path = "binary/headless.rs"]
mod headless;
#[path = "binary/hooks.rs"]
mod hooks;
#[path = "binary/hostile.rs"]
mod hostile;
#[path = "binary/instructions.rs"]
mod instructions;
#[path = "binary/items.rs"]
mod items;
#[path = "binary/killed.rs"]
mod killed;
#[path = "binary/lived.rs"]
mod lived;
#[path = "binary/llama_cpp.rs"]
mod llama_cpp;
#[path = "binary/login.rs"]
mod login;
#[path = "binary/lost.rs"]
mod lost;
#[path = "binary/mcp.rs"]
mod mcp;
#[path = "binary/mcp_login.rs"]
mod mcp_login;
#[path = "binary/mcp_servers.rs"]
mod mcp_servers;
#[path = "binary/memos.rs"]
mod memos;
#[path = "binary/messages.rs"]
mod messages;
#[path = "binary/model_limits.rs"]
mod model_limits;
#[path = "binary/names.rs"]
mod names;
#[path = "binary/newest.rs"]
mod newest;
#[cfg(feature = "telemetry")]
#[path = "binary/otlp.rs"]
mod otlp;
#[path = "binary/pages.rs"]
mod pages;
#[path = "binary/permitted.rs"]
mod permitted;
#[path = "binary/pictures.rs"]
mod pictures;
#[path = "binary/pins.rs"]
mod pins;
#[path = "binary/pipes.rs"]
mod pipes;
#[path = "binary/place.rs"]
mod place;
#[path = "binary/plugins.rs"]
mod plugins;
#[path = "binary/policies.rs"]
mod policies;
#[path = "binary/portable.rs"]
mod portable;
#[path = "binary/program.rs"]
mod program;
#[path = "binary/provider_compaction.rs"]
mod provider_compaction;
#[path = "binary/purge.rs"]
mod purge;
#[path = "binary/ran.rs"]
mod ran;
#[path = "binary/reach.rs"]
mod reach;
#[path = "binary/read_only.rs"]
mod read_only;
#[path = "binary/regret.rs"]
mod regret;
#[path = "binary/replay.rs"]
mod replay;
#[path = "binary/sample.rs"]
mod sample;
#[path = "binary/serve.rs"]
mod serve;
#[path = "binary/settings.rs"]
mod settings;
#[path = "binary/shell.rs"]
mod shell;
#[path = "binary/side_by_side.rs"]
mod side_by_side;
#[path = "binary/slash.rs"]
mod slash;
#[path = "binary/small_window.rs"]
mod small_window;
#[path = "binary/sub_agents.rs"]
mod sub_agents;
#[path = "binary/tables.rs"]
mod tables;
#[path = "binary/task.rs"]
mod task;
#[cfg(feature = "telemetry")]
#[path = "binary/telemetry.rs"]
mod telemetry;
#[cfg(feature = "telemetry")]
#[path = "binary/telemetry_side.rs"]
mod telemetry_side;
#[path = "binary/thinking.rs"]
mod thinking;
#[path = "binary/thorough.rs"]
mod thorough;
#[path = "binary/to_copy.rs"]
mod to_copy;
#[path = "binary/tree.rs"]
mod tree;
#[path = "binary/trust.rs"]
mod trust;
#[path = "binary/undo_files.rs"]
mod undo_files;
#[path = "binary/unread.rs"]
mod unread;
#[path = "binary/unstarted.rs"]
mod unstarted;
#[path = "binary/update.rs"]
mod update;
#[path = "binary/usage.rs"]
mod usage;
#[path = "binary/watch.rs"]
mod watch;
#[path = "binary/watch_codex.rs"]
mod watch_codex;
#[path = "binary/watch_contexts.rs"]
mod watch_contexts;
#[path = "binary/watch_gemini.rs"]
mod watch_gemini;
#[path = "binary/watch_offload.rs"]
mod watch_offload;
#[path = "binary/watch_opencode.rs"]
mod watch_opencode;
#[path = "binary/watch_pty.rs"]
mod watch_pty;
#[path = "binary/watch_terminal.rs"]
mod watch_terminal;
#[path = "binary/web_search.rs"]
mod web_search;
#[path = "binary/window.rs"]
mod window;
#[path = "binary/worker.rs"]
mod worker;
