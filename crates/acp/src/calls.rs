//! Tool calls as a client shows them.

use std::path::Path;

use agent_client_protocol::v1::schema::{
    Content, ContentBlock, Diff, Plan, PlanEntry, PlanEntryPriority, PlanEntryStatus, TextContent,
    ToolCall as ShownCall, ToolCallContent, ToolCallLocation, ToolCallStatus, ToolKind,
};
use serde_json::Value;
use throughline_conversation::ToolCall;
use throughline_ledger::{StepKind, checklist, subject};
use throughline_text::headline;
use throughline_tools::{Access, Effect};
use throughline_tools::{ChangedFile, FileContent};

/// Characters of a title.
const TITLE: usize = 160;

/// Bytes of one side of a diff. A larger file is named, and not shown.
const DIFF: usize = 1024 * 1024;

/// A call that starts. `access`: what its tool declares that it does.
pub(crate) fn shown_call(call: &ToolCall, access: Option<&Access>, workspace: &Path) -> ShownCall {
    ShownCall::new(call.id.clone(), title(call))
        .name(call.name.clone())
        .kind(kind(call, access))
        .status(ToolCallStatus::InProgress)
        .locations(locations(call, access, workspace))
        .raw_input(call.input.clone())
}

/// The name of the tool, and the first line of what the call is about.
pub(crate) fn title(call: &ToolCall) -> String {
    let about = if checklist(call).is_some() { String::new() } else { subject(call) };
    let first = headline(&about, TITLE);
    let more = if about.trim().lines().nth(1).is_some() { " …" } else { "" };
    headline(&format!("{} {first}{more}", call.name), TITLE)
}

/// What the call does, in one of the protocol's words.
pub(crate) fn kind(call: &ToolCall, access: Option<&Access>) -> ToolKind {
    match (access.map(|access| access.effect), StepKind::of_call(call, None)) {
        (Some(Effect::Edit), _) => ToolKind::Edit,
        (Some(Effect::Command), _) => ToolKind::Execute,
        (Some(Effect::Network), _) => ToolKind::Fetch,
        (_, StepKind::Plan) => ToolKind::Think,
        (_, StepKind::Search) => ToolKind::Search,
        (Some(Effect::Read), _) => ToolKind::Read,
        _ => ToolKind::Other,
    }
}

/// The files that the call is about. `offset` is the line at which a reading begins.
pub(crate) fn locations(call: &ToolCall, access: Option<&Access>, workspace: &Path) -> Vec<ToolCallLocation> {
    let path = match access {
        Some(Access { effect: Effect::Read | Effect::Edit, subject: Some(path) }) => workspace.join(path),
        _ => return Vec::new(),
    };
    let line = call.input.get("offset").and_then(Value::as_u64).and_then(|line| u32::try_from(line).ok());
    vec![ToolCallLocation::new(path).line(line)]
}

/// What an edit asks for, by its arguments: each text that is replaced, or the content of the file. `before` is the content
/// that a whole new one replaces, if it is known.
pub(crate) fn asked_diffs(call: &ToolCall, workspace: &Path, before: Option<String>) -> Vec<Diff> {
    let text = |input: &Value, key: &str| input.get(key).and_then(Value::as_str).map(str::to_owned);
    let Some(path) = text(&call.input, "path").map(|path| workspace.join(path)) else { return Vec::new() };
    if let Some(content) = text(&call.input, "content") {
        return vec![Diff::new(path, content).old_text(before)];
    }
    let several = call.input.get("edits").and_then(Value::as_array).into_iter().flatten();
    std::iter::once(&call.input)
        .chain(several)
        .filter_map(|edit| Some((text(edit, "old_string")?, text(edit, "new_string")?)))
        .map(|(old, new)| Diff::new(path.clone(), new).old_text(old))
        .collect()
}

/// The whole texts of a file before and after a call. `None`: it is no text, or too large to show.
pub(crate) fn made_diff(file: &ChangedFile) -> Option<Diff> {
    let text = |content: &FileContent| match content {
        FileContent::Missing => Some(None),
        FileContent::Read { bytes, .. } if bytes.len() <= DIFF => {
            String::from_utf8(bytes.clone()).ok().map(Some)
        }
        FileContent::Read { .. } | FileContent::Unread(_) => None,
    };
    let (before, after) = (text(&file.before)?, text(&file.after)?);
    Some(Diff::new(file.path.clone(), after.unwrap_or_default()).old_text(before))
}

/// Diffs as the content of a call.
pub(crate) fn diff_content(diffs: Vec<Diff>) -> Vec<ToolCallContent> {
    diffs.into_iter().map(ToolCallContent::Diff).collect()
}

/// A text as the content of a call.
pub(crate) fn text_content(text: &str) -> ToolCallContent {
    shown_text(fenced(text))
}

/// A text in a block of code: clients read texts as Markdown.
pub(crate) fn fenced(text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}\n{text}{end}{fence}")
}

/// A text for the user as the content of a call.
pub(crate) fn shown_text(text: String) -> ToolCallContent {
    ToolCallContent::Content(Content::new(ContentBlock::Text(TextContent::new(text))))
}

/// The plan that a call sets; `None`: it sets none.
pub(crate) fn plan(call: &ToolCall) -> Option<Plan> {
    let entries = checklist(call)?.into_iter().map(|step| {
        let status = match step.status.as_str() {
            "completed" => PlanEntryStatus::Completed,
            "in_progress" => PlanEntryStatus::InProgress,
            _ => PlanEntryStatus::Pending,
        };
        PlanEntry::new(step.description, PlanEntryPriority::Medium, status)
    });
    Some(Plan::new(entries.collect()))
}

#[cfg(test)]
mod tests;
