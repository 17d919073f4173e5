//! The kinds of steps of tools, by their names in each agent, and of unknown tools by what they return.

use serde_json::Value;
use throughline_conversation::{ToolCall, ToolResult};

use crate::step_kind::StepKind::{self, Other, Plan, Read, Search, Subagent};

/// Tools of one agent whose arguments do not say what they do, by the kind of their step. One that starts, stops or waits for
/// other work has finished nothing.
type Kinds = &'static [(StepKind, &'static [&'static str])];

const THROUGHLINE: Kinds = &[
    (Plan, &["update_checklist"]),
    (
        Search,
        &["grep", "list_files", "tool_search", "query_db", "memory_search", "retrieve_memos", "web_search"],
    ),
    (Other, &["shell_output", "shell_stop", "read_result", "use_skill", "save_memo", "compact_context"]),
];

const CLAUDE_CODE: Kinds = &[
    (Plan, &["TodoWrite", "TodoRead", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet"]),
    (Plan, &["EnterPlanMode", "ExitPlanMode"]),
    (Subagent, &["Task", "Agent"]),
    (Search, &["Grep", "Glob", "LS", "WebSearch", "WebFetch", "ToolSearch"]),
    (
        Other,
        &["TaskOutput", "TaskStop", "BashOutput", "KillShell", "SendMessage", "AskUserQuestion", "Skill"],
    ),
];

const CODEX: Kinds = &[
    (Plan, &["update_plan"]),
    (Search, &["web_search_call", "list_dir", "grep_files"]),
    (Read, &["view_image"]),
    (Other, &["spawn_agent", "wait_agent", "list_agents", "send_input", "send_message", "followup_task"]),
    (Other, &["interrupt_agent", "resume_agent", "close_agent", "wait", "write_stdin", "request_user_input"]),
];

const OPENCODE: Kinds = &[
    (Plan, &["todowrite", "todoread"]),
    (Subagent, &["task"]),
    (Search, &["glob", "list", "codesearch", "websearch", "webfetch"]),
    (Other, &["skill", "question"]),
];

const GEMINI_CLI: Kinds = &[
    (Plan, &["write_todos"]),
    (Subagent, &["codebase_investigator", "delegate_to_agent"]),
    (Search, &["search_file_content", "grep_search", "list_directory", "google_web_search", "web_fetch"]),
    (Read, &["read_many_files"]),
    (Other, &["save_memory", "ask_user", "activate_skill"]),
];

const COPILOT_CLI: Kinds =
    &[(Plan, &["update_todo"]), (Other, &["report_intent", "read_agent", "read_bash", "stop_bash"])];

const PI: Kinds = &[(Search, &["find", "ls"])];

const OPENHANDS: Kinds = &[(Plan, &["task_tracker"]), (Other, &["think", "finish"])];

const AGENTS: [Kinds; 8] =
    [THROUGHLINE, CLAUDE_CODE, CODEX, OPENCODE, GEMINI_CLI, COPILOT_CLI, PI, OPENHANDS];

/// The kind of a tool that an agent is known to have; `None`: its arguments say more than its name.
pub(crate) fn of_known(name: &str) -> Option<StepKind> {
    let mut kinds = AGENTS.into_iter().flatten();
    kinds.find(|(_, names)| names.contains(&name)).map(|(kind, _)| *kind)
}

/// The kind of a tool that no table has, by what it returns, else by what it is asked, else by its name.
pub(crate) fn of_unknown(call: &ToolCall, result: Option<&ToolResult>) -> StepKind {
    let returned = result.filter(|result| !result.is_error);
    let form = returned.and_then(|result| form(&result.content));
    let asked = |key: &str| call.input.get(key).is_some_and(Value::is_string);
    let name = call.name.to_lowercase();
    match form {
        Some(kind) => kind,
        // A prompt is answered by a model, unless it asks about a page.
        None if returned.is_some() && asked("prompt") && !asked("url") => Subagent,
        None if SEARCHES.iter().any(|verb| name.contains(verb)) => Search,
        None => Other,
    }
}

/// Parts of the names of tools that search.
const SEARCHES: &[&str] = &["search", "grep", "glob", "find", "list", "query"];

/// What a text is, by the form of its first lines.
fn form(text: &str) -> Option<StepKind> {
    /// Lines that are looked at.
    const LINES: usize = 20;
    /// Fewer lines have no form.
    const LEAST: usize = 2;
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).take(LINES).collect();
    let most = |is: fn(&str) -> bool| lines.iter().filter(|line| is(line)).count() * 2 > lines.len();
    if lines.len() < LEAST {
        None
    } else if most(is_checkbox) {
        Some(Plan)
    } else if most(is_match) || most(is_path) {
        Some(Search)
    } else if most(is_numbered) {
        Some(Read)
    } else {
        None
    }
}

/// A step of a checklist: `[x] text`, `- [ ] text`, `☐ text`.
fn is_checkbox(line: &str) -> bool {
    let line = line.trim_start_matches(|mark: char| {
        matches!(mark, '-' | '*' | '#' | '.' | ' ') || mark.is_ascii_digit()
    });
    ["[ ]", "[x]", "[X]", "[~]", "☐", "☑", "☒", "✔"].iter().any(|mark| line.starts_with(mark))
}

/// A line that was found: `path:12:text`.
fn is_match(line: &str) -> bool {
    let mut parts = line.splitn(3, ':');
    let (path, number) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    parts.next().is_some()
        && is_path(path)
        && !number.is_empty()
        && number.bytes().all(|one| one.is_ascii_digit())
}

/// A path and nothing else.
fn is_path(line: &str) -> bool {
    let name = line.rsplit('/').next().unwrap_or_default();
    !line.contains(char::is_whitespace) && !line.contains("://") && (line.contains('/') || name.contains('.'))
}

/// A line of a file: `12→text`, `12\ttext`, `12| text`.
fn is_numbered(line: &str) -> bool {
    let rest = line.trim_start_matches(|one: char| one.is_ascii_digit());
    rest.len() < line.len() && rest.starts_with(['→', '\t', '|', ':'])
}

#[cfg(test)]
mod tests;
