//! The messages that ask the model. The first has the whole task; those after it are short, however long the goal is.

use throughline_text::cut_end;

use crate::checklist::{Item, ItemStatus};
use crate::continuation::continuation;
use crate::file::TaskFile;
use crate::hat::Hat;
use crate::progress::Progress;
use crate::template::{fill, paragraphs};

/// Items that a short message lists.
const LISTED: usize = 20;

/// Bytes of an item in a short message.
const ITEM: usize = 200;

/// What an iteration is asked with, besides what always stands there.
#[derive(Debug, Default)]
pub(crate) struct Asking {
    /// The work was stopped before and continues.
    pub(crate) resumed: bool,
    /// What was wrong with the last turn, a paragraph each; also how the gates ended, when they have just run.
    pub(crate) feedback: Vec<String>,
}

/// The message of the iteration that the progress stands at.
pub(crate) fn message(file: &TaskFile, progress: &Progress, asking: &Asking) -> String {
    if progress.iteration <= 1 {
        return whole(file, progress);
    }
    let most = file.max_iterations.to_string();
    let values =
        [("iteration", progress.iteration.to_string()), ("most", most), ("hat", progress.hat.clone())];
    let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let header = fill(include_str!("../prompts/iteration.md"), &values);
    let feedback = paragraphs(&asking.feedback.iter().map(String::as_str).collect::<Vec<_>>());
    let mut parts = vec![header];
    if asking.resumed {
        let left: Vec<&str> = progress.remaining().collect();
        parts.push(include_str!("../prompts/resumed.md").to_owned());
        parts.push(continuation(&file.title, &progress.hat, &left));
        parts.push(gates_before(progress));
    }
    parts.push(feedback);
    let hat_is_new = progress.hat_shown != progress.hat;
    if hat_is_new && !progress.hat_shown.is_empty() {
        let values = [("before", progress.hat_shown.as_str()), ("hat", progress.hat.as_str())];
        parts.push(fill(include_str!("../prompts/next_phase.md"), &values));
    }
    if progress.goal_hidden {
        parts.push(include_str!("../prompts/compacted.md").to_owned());
        parts.push(whole(file, progress));
    } else {
        if hat_is_new {
            parts.push(file.hat(&progress.hat).map(Hat::prompt).unwrap_or_default());
        }
        parts.push(left(progress));
        parts.push(closing(progress).to_owned());
    }
    paragraphs(&parts.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Returns true if a message is the one that asked for the newest iteration of the progress.
#[must_use]
pub fn asks_for(progress: &Progress, message: &str) -> bool {
    let head = match progress.iteration {
        0 | 1 => format!("# Task: {}\n", progress.title),
        number => format!("Iteration {number} of "),
    };
    message.starts_with(&head)
}

/// The whole task, with the hat that is worn.
fn whole(file: &TaskFile, progress: &Progress) -> String {
    let values = [
        ("title", file.title.clone()),
        ("goal", file.goal.clone()),
        ("checklist", checklist(&progress.items)),
        ("gates", gates(file)),
        ("most", file.max_iterations.to_string()),
        ("signals", signals(file, progress)),
        ("hat", progress.hat.clone()),
        ("prompt", file.hat(&progress.hat).map(Hat::prompt).unwrap_or_default()),
    ];
    let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let template = include_str!("../prompts/task.md");
    let said: Vec<String> = template.split("\n\n").map(|part| fill(part, &values)).collect();
    paragraphs(&said.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The signals that make sense in this task.
fn signals(file: &TaskFile, progress: &Progress) -> String {
    let hats: Vec<&str> = file.hats.iter().map(|hat| hat.name.as_str()).collect();
    let example = file.hat_after(&progress.hat).map_or(progress.hat.as_str(), |hat| &hat.name);
    let mut text = String::new();
    if !progress.items.is_empty() {
        text.push_str(include_str!("../prompts/signal_item.md"));
    }
    if hats.len() > 1 {
        let values = [("example", example), ("hats", &hats.join(", "))];
        text.push_str(&fill(include_str!("../prompts/signal_hat.md"), &values));
    }
    text.push_str(include_str!("../prompts/signal_blocked.md"));
    text.push_str(if file.gates.is_empty() {
        include_str!("../prompts/signal_done.md")
    } else {
        include_str!("../prompts/signal_done_gates.md")
    });
    text
}

fn checklist(items: &[Item]) -> String {
    let lines = items.iter().enumerate().map(|(index, item)| format!("{}\n", item.line(index + 1)));
    let list: String = lines.collect();
    if list.is_empty() { list } else { format!("## Checklist\n\n{list}") }
}

fn gates(file: &TaskFile) -> String {
    let line = |gate: &crate::Gate| {
        if gate.name == gate.command {
            format!("- `{}`\n", gate.command)
        } else {
            format!("- {}: `{}`\n", gate.name, gate.command)
        }
    };
    let list: String = file.gates.iter().map(line).collect();
    if list.is_empty() {
        list
    } else {
        format!("## Quality gates\n\nThe task is done only when all of these succeed:\n\n{list}")
    }
}

/// How the gates ended before the work was interrupted, when they did not all pass.
fn gates_before(progress: &Progress) -> String {
    if progress.gates.iter().all(|gate| gate.end.passed()) {
        return String::new();
    }
    let lines = progress.gates.iter().map(|gate| format!("{}\n", gate.end.line(&gate.name)));
    std::iter::once("The quality gates, when they ran last:\n".to_owned()).chain(lines).collect()
}

/// What is left on the checklist, shortened.
fn left(progress: &Progress) -> String {
    let numbered = progress.items.iter().enumerate().map(|(index, item)| (index + 1, item));
    let left: Vec<(usize, &Item)> =
        numbered.filter(|(_, item)| item.status != ItemStatus::Completed).collect();
    if left.is_empty() {
        return String::new();
    }
    let mut text = "Left on the checklist:\n".to_owned();
    for (number, item) in left.iter().take(LISTED) {
        let line = item.line(*number);
        let shown = cut_end(&line, ITEM);
        text.push_str(shown);
        text.push_str(if shown.len() < line.len() { "…\n" } else { "\n" });
    }
    if left.len() > LISTED {
        text.push_str(&format!("… and {} more\n", left.len() - LISTED));
    }
    text
}

fn closing(progress: &Progress) -> &'static str {
    if !progress.items.is_empty() && progress.remaining().next().is_none() {
        include_str!("../prompts/all_ticked.md")
    } else {
        include_str!("../prompts/continue.md")
    }
}
