//! The tools of MCP servers, behind the port Tool.
