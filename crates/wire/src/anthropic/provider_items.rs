//! Blocks of the provider's own tools and of its state.

/// Types of blocks that the API writes and accepts again, unchanged.
pub(super) const PROVIDER_ITEMS: &[&str] = &[
    "server_tool_use",
    "web_search_tool_result",
    "web_fetch_tool_result",
    "code_execution_tool_result",
    "bash_code_execution_tool_result",
    "text_editor_code_execution_tool_result",
    "tool_search_tool_result",
    "mcp_tool_use",
    "mcp_tool_result",
    "container_upload",
    "compaction",
];
