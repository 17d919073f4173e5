//! The files that a resumed session has seen: one that has changed since must be read again before it is edited.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::time::{Duration, SystemTime};

use throughline_agent::Agent;
use throughline_continuity::{Part, read_all};
use throughline_conversation::{Entry, EntryKind, Seq, ToolCall};
use throughline_tools::FileScope;

use throughline_stored::Storage;

/// Tools after which the model knows the contents of the file that their call names.
const SHOWING: [&str; 4] = ["read_file", "write_file", "edit_file", "multi_edit"];

/// Restores which files the view shows, and when the model last saw them. The cost depends on the view, not on the length
/// of the log.
pub(crate) async fn restore(scope: &FileScope, storage: &Storage, agent: &Agent, workspace: &Path) {
    let seen = seen(agent.view().entries());
    let Some(first) = seen.values().min() else { return };
    let before = Seq(first.0.saturating_sub(1));
    // Without these records the files count as unseen.
    let read = read_all(storage.log().as_ref(), agent.session(), before, Part::View).await;
    let page = read.unwrap_or_default();
    let times: HashMap<Seq, i64> = page.records.iter().map(|record| (record.seq, record.at.0)).collect();
    for (path, seq) in &seen {
        let millis = times.get(seq).and_then(|at| u64::try_from(*at).ok());
        if let Some(at) = millis.and_then(|ms| SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(ms)))
        {
            scope.note_earlier(&workspace.join(path), at);
        }
    }
}

/// The files that the entries show, as their calls name them, and the newest record with a result for each.
fn seen(entries: &[Entry]) -> BTreeMap<&str, Seq> {
    let mut calls: HashMap<&str, &ToolCall> = HashMap::new();
    let mut seen = BTreeMap::new();
    for entry in entries {
        if entry.kind == EntryKind::Assistant {
            calls.extend(entry.message.tool_calls().map(|call| (call.id.as_str(), call)));
        }
        for result in entry.message.tool_results().filter(|result| !result.is_error) {
            let call =
                calls.get(result.call_id.as_str()).filter(|call| SHOWING.contains(&call.name.as_str()));
            if let Some(path) = call.and_then(|call| call.input.get("path")?.as_str()) {
                seen.insert(path, entry.span.last);
            }
        }
    }
    seen
}

#[cfg(test)]
mod tests;
