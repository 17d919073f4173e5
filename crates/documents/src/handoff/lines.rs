//! A handoff as text.

use super::{Handoff, HandoffLedger};

/// Digits of a commit that are shown.
const COMMIT: usize = 12;

impl Handoff {
    /// The handoff as lines for a person; empty parts are left out.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let done = self.completed_items.len();
        let all = done + self.remaining_items.len();
        let mut lines = vec![format!("Task: {}", or(&self.task_title, "(no title)"))];
        if !self.current_hat.is_empty() {
            lines.push(format!("Phase: {}", self.current_hat));
        }
        lines.push(branch(self));
        lines.push(match all {
            0 => "Progress: no checklist".to_owned(),
            _ => format!("Progress: {done}/{all} steps completed"),
        });
        request_lines(&mut lines, self);
        let parts = [
            ("Done", &self.completed_items),
            ("Remaining", &self.remaining_items),
            ("Blocked by", &self.blocking_issues),
            ("Decisions", &self.key_decisions),
            ("Modified files", &self.modified_files),
            ("New files", &self.created_files),
        ];
        for (title, items) in parts {
            list(&mut lines, title, items.iter().cloned());
        }
        if let Some(ledger) = &self.ledger {
            ledger_lines(&mut lines, ledger);
        }
        lines.push(format!("\n{}", self.continuation_prompt));
        lines
    }
}

/// The requests word for word, and what became of the newest one.
fn request_lines(lines: &mut Vec<String>, handoff: &Handoff) {
    if handoff.requests.is_empty() {
        return;
    }
    list(lines, "Requests of the user, newest first, word for word", handoff.requests.iter().cloned());
    lines.push(match &handoff.last_answer {
        Some(answer) => format!("\nThe newest request was answered. The end of the answer:\n{answer}"),
        None => "\nThe newest request is open: it was not answered yet.".to_owned(),
    });
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
