//! The decision: rules that forbid, then those that ask, then those that allow, then the mode.

use std::path::{Path, PathBuf};

use throughline_conversation::ToolCall;
use throughline_tools::{Access, Effect};

use super::{Commands, PlacedRule, RuleKind, Rules};
use crate::access_path::AccessPath;
use crate::command::{Parts, parts, read};
use crate::rule::Subject;
use crate::suggestion::suggestion;
use crate::{Decision, Mode, Rule};

/// What the model reads in plan mode.
const PLANNING: &str = include_str!("planning.md");

/// All that a decision depends on, beside the call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Case<'a> {
    pub(super) mode: Mode,
    pub(super) rules: &'a Rules,
    pub(super) remembered: &'a [PlacedRule],
    pub(super) workspace: &'a Path,
    pub(super) folders: &'a [PathBuf],
    pub(super) commands: Commands,
}

impl Case<'_> {
    pub(super) fn decide(&self, call: &ToolCall, access: &Access, real: Option<&Path>) -> Decision {
        let paths = self.paths(access, real);
        let subject = Subject { call, access, paths: &paths };
        let line = access.subject.as_deref().filter(|_| access.effect == Effect::Command);
        let found = line.map(parts).unwrap_or_default();
        if let Some(placed) = self.touched(RuleKind::Deny, &subject, &found) {
            return Decision::Deny { because: told(placed, "forbids it", &subject) };
        }
        if self.mode == Mode::Plan && access.effect != Effect::Read {
            return Decision::Deny { because: PLANNING.trim_end().to_owned() };
        }
        if let Some(because) = self.out_of_reach(access, &paths) {
            return Decision::Deny { because };
        }
        if let Some(placed) = self.touched(RuleKind::Ask, &subject, &found) {
            return Decision::Ask { why: told(placed, "asks", &subject), rule: None };
        }
        if found.opaque && self.watches_commands() {
            let why = "which programs it runs cannot be told, and there are rules about some".to_owned();
            return Decision::Ask { why, rule: None };
        }
        if let Some(because) = self.allowed(&subject, line) {
            return Decision::Allow { because };
        }
        self.by_mode(&subject, line)
    }

    fn paths(&self, access: &Access, real: Option<&Path>) -> Vec<AccessPath> {
        if !matches!(access.effect, Effect::Read | Effect::Edit) {
            return Vec::new();
        }
        let named = access.subject.as_deref().map(Path::new);
        let mut paths: Vec<AccessPath> =
            named.into_iter().chain(real).map(|path| AccessPath::of(self.workspace, path)).collect();
        paths.dedup();
        paths
    }

    /// Why file tools would not change this file, whatever is allowed.
    fn out_of_reach(&self, access: &Access, paths: &[AccessPath]) -> Option<String> {
        // Where the path really leads comes last.
        let place = paths.last().filter(|_| access.effect == Effect::Edit)?;
        let holds = |folder: &PathBuf| AccessPath::of(folder, Path::new(&place.absolute)).inside.is_some();
        (place.inside.is_none() && !self.folders.iter().any(holds)).then(|| {
            format!(
                "file tools do not write outside of the workspace, and {} is not in it; the user can let its folder in \
                 with `writable` in [tools] of the settings",
                place.absolute
            )
        })
    }

    /// The rules that forbid or ask about reading, and do not speak of this call itself.
    pub(super) fn watching(&self, call: &ToolCall, access: &Access, real: Option<&Path>) -> Vec<Rule> {
        let paths = self.paths(access, real);
        let subject = Subject { call, access, paths: &paths };
        let silent =
            |placed: &&PlacedRule| access.effect == Effect::Read && !placed.rule.touches(&subject, &[]);
        let watching = self.rules.of(RuleKind::Deny).chain(self.rules.of(RuleKind::Ask));
        watching.filter(silent).map(|placed| placed.rule.clone()).collect()
    }

    fn touched(&self, kind: RuleKind, subject: &Subject<'_>, found: &Parts) -> Option<&PlacedRule> {
        self.rules.of(kind).find(|placed| placed.rule.touches(subject, &found.all))
    }

    fn watches_commands(&self) -> bool {
        self.rules.all.iter().any(|placed| placed.kind != RuleKind::Allow && placed.rule.is_about_commands())
    }

    fn allowing(&self) -> impl Iterator<Item = &PlacedRule> {
        self.rules.of(RuleKind::Allow).chain(self.remembered)
    }

    /// Why rules allow the call, when they do.
    fn allowed(&self, subject: &Subject<'_>, line: Option<&str>) -> Option<String> {
        let told =
            |placed: &PlacedRule| format!("the rule {} allows it ({})", placed.rule.text(), placed.place);
        let Some(line) = line else {
            return self.allowing().find(|placed| placed.rule.covers(subject, None)).map(told);
        };
        if let Some(placed) = self.allowing().find(|placed| placed.rule.is_line(subject, line)) {
            return Some(told(placed));
        }
        let commands = read(line).ok().filter(|commands| !commands.is_empty())?;
        let mut because = None;
        for words in &commands {
            let placed = self.allowing().find(|placed| placed.rule.covers(subject, Some(words)))?;
            because.get_or_insert_with(|| told(placed));
        }
        because
    }

    fn by_mode(&self, subject: &Subject<'_>, line: Option<&str>) -> Decision {
        let access = subject.access;
        let allow = |because: &str| Decision::Allow { because: because.to_owned() };
        let ask = |why: String| Decision::Ask { rule: suggestion(subject), why };
        match (self.mode, access.effect) {
            (_, Effect::Read) => allow("it only reads"),
            (Mode::Yolo, _) => allow("the mode is yolo"),
            (Mode::AutoEdit, Effect::Edit) => match subject.paths {
                [] => ask("which file it changes cannot be told".to_owned()),
                paths if paths.iter().any(|path| path.inside.is_none()) => {
                    ask("it changes a file outside of the workspace".to_owned())
                }
                paths if paths.iter().any(AccessPath::is_protected) => {
                    ask("it changes a file that says what may run".to_owned())
                }
                _ => allow("it edits the workspace, and the mode is auto-edit"),
            },
            (_, Effect::Command) if self.commands.sandboxed && self.commands.sandboxed_are_free => {
                allow("it runs in the sandbox")
            }
            (_, Effect::Command) => match line.map(read) {
                Some(Err(why)) => ask(format!("it runs a command that cannot be read safely: {}", why.0)),
                _ => ask("it runs a command".to_owned()),
            },
            (_, Effect::Edit) => ask("it changes a file".to_owned()),
            (_, Effect::Network) => ask("it asks a server".to_owned()),
            (_, Effect::Other) => ask("what it does is not known".to_owned()),
        }
    }
}

fn told(placed: &PlacedRule, does: &str, subject: &Subject<'_>) -> String {
    let because = if placed.rule.is_about_reading_of(subject) { ", as an edit reads the file" } else { "" };
    format!("the rule {} {does}{because} ({})", placed.rule.text(), placed.place)
}
