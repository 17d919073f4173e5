//! Load-bearing names: without them the work cannot continue.

use throughline_conversation::TokenCounter;

use crate::grouped::can_be_grouped;
use crate::ledger::Ledger;
use crate::render::{ALSO, ALSO_CHANGED};

/// The most failed commands with names.
const COMMANDS: usize = 3;

impl Ledger {
    /// Paths and commands that must survive whatever is left out, most important first: what open errors are about,
    /// the last commands that failed, files that were changed (newest first), and paths that the user named.
    #[must_use]
    pub fn load_bearing(&self) -> Vec<&str> {
        let errors = self.errors.iter().rev().filter(|note| !note.resolved).map(|note| note.about.as_str());
        let failing = self.commands.iter().rev().filter(|note| note.is_failing()).take(COMMANDS);
        let changed = self.files.iter().rev().filter(|note| note.is_changed());
        let all = errors
            .chain(failing.map(|note| note.command.as_str()))
            .chain(changed.map(|note| note.path.as_str()))
            .chain(self.named.iter().rev().map(String::as_str));
        let mut names: Vec<&str> = Vec::new();
        for name in all.filter(|name| !name.is_empty()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Lines that name what is load-bearing and not `shown` elsewhere, within that many tokens: changed files on a
    /// line of their own, which [`Ledger::merge`] reads back. Empty when nothing is missing.
    #[must_use]
    pub fn missing(&self, shown: impl Fn(&str) -> bool, tokens: u64, counter: &dyn TokenCounter) -> String {
        let changed = |name: &str| {
            can_be_grouped(name) && self.files.iter().any(|note| note.is_changed() && note.path == name)
        };
        let missing = self.load_bearing().into_iter().filter(|name| !shown(name));
        let (files, others): (Vec<&str>, Vec<&str>) = missing.partition(|name| changed(name));
        let mut left = tokens;
        let mut list = |head: &str, names: Vec<&str>| -> Option<String> {
            let mut line = head.to_owned();
            let mut cost = counter.text(head);
            let mut count = 0;
            for name in names {
                let more = counter.text(name).saturating_add(1);
                if cost.saturating_add(more) > left {
                    break;
                }
                cost = cost.saturating_add(more);
                line.push_str(if count == 0 { "" } else { ", " });
                line.push_str(name);
                count += 1;
            }
            (count > 0).then(|| {
                left = left.saturating_sub(cost);
                line
            })
        };
        let lines = [list(ALSO_CHANGED, files), list(ALSO, others)];
        lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
    }
}
