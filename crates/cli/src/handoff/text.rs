//! A handoff as text.

use throughline_documents::{Handoff, HandoffLedger};

/// Digits of a commit that are shown.
const COMMIT: usize = 12;

/// The handoff as lines; empty parts are left out.
pub(crate) fn lines(handoff: &Handoff) -> Vec<String> {
    let done = handoff.completed_items.len();
    let all = done + handoff.remaining_items.len();
    let mut lines = vec![format!("Task: {}", or(&handoff.task_title, "(no title)"))];
    if !handoff.current_hat.is_empty() {
        lines.push(format!("Phase: {}", handoff.current_hat));
    }
    lines.push(branch(handoff));
    lines.push(match all {
        0 => "Progress: no checklist".to_owned(),
        _ => format!("Progress: {done}/{all} steps completed"),
    });
    let parts = [
        ("Done", &handoff.completed_items),
        ("Remaining", &handoff.remaining_items),
        ("Blocked by", &handoff.blocking_issues),
        ("Decisions", &handoff.key_decisions),
        ("Modified files", &handoff.modified_files),
        ("New files", &handoff.created_files),
    ];
    for (title, items) in parts {
        list(&mut lines, title, items.iter().cloned());
    }
    if let Some(ledger) = &handoff.ledger {
        ledger_lines(&mut lines, ledger);
    }
    lines.push(format!("\n{}", handoff.continuation_prompt));
    lines
}

fn branch(handoff: &Handoff) -> String {
    let Handoff { branch, head_commit, .. } = handoff;
    let commit = head_commit.get(..COMMIT).unwrap_or(head_commit);
    match (branch.is_empty(), commit.is_empty()) {
        (false, false) => format!("Branch: {branch} at {commit}"),
        (false, true) => format!("Branch: {branch}, no commit yet"),
        (true, false) => format!("Branch: detached at {commit}"),
        (true, true) => "Branch: not a git repository".to_owned(),
    }
}

fn ledger_lines(lines: &mut Vec<String>, ledger: &HandoffLedger) {
    let changed = ledger.files.iter().map(|file| {
        let gone = if file.deleted { " (deleted)" } else { "" };
        format!("{}{gone} +{} -{}", file.path, file.added, file.removed)
    });
    list(lines, "Changed by tools", changed);
    let commands = ledger.commands.iter().map(|run| match (run.exit, run.failed) {
        (Some(code), _) => format!("{} → exit {code}", run.command),
        (None, true) => format!("{} → failed", run.command),
        (None, false) => run.command.clone(),
    });
    list(lines, "Commands", commands);
    let errors = ledger.errors.iter().map(|error| match error.about.as_str() {
        "" => format!("{}: {}", error.tool, error.text),
        about => format!("{} {about}: {}", error.tool, error.text),
    });
    list(lines, "Open errors", errors);
}

fn list(lines: &mut Vec<String>, title: &str, items: impl Iterator<Item = String>) {
    let items: Vec<String> = items.map(|item| format!("- {item}")).collect();
    if !items.is_empty() {
        lines.push(format!("\n{title}:"));
        lines.extend(items);
    }
}

fn or<'t>(text: &'t str, other: &'t str) -> &'t str {
    if text.is_empty() { other } else { text }
}
