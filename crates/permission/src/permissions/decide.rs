//! The decision: deny rules first, then ask rules, then allow rules, then the mode.

use std::path::{Path, PathBuf};

use throughline_conversation::ToolCall;
use throughline_tools::{Access, Effect, ReadGrants};

use super::{Commands, PlacedRule, RuleKind, Rules, granted_by};
use crate::access_path::AccessPath;
use crate::command::{LineParts, only_reads, parse_plain, parts};
use crate::decision::Decision;
use crate::mode::Mode;
use crate::rule::{Rule, Subject};
use crate::suggestion::suggestion;

/// The refusal for the model in plan mode.
const PLANNING: &str = include_str!("planning.md");

/// Everything that a decision depends on besides the call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Policy<'a> {
    pub(super) mode: Mode,
    pub(super) rules: &'a Rules,
    pub(super) remembered: &'a [PlacedRule],
    pub(super) workspace: &'a Path,
    pub(super) folders: &'a [PathBuf],
    pub(super) commands: Commands,
    pub(super) reads: Option<&'a ReadGrants>,
}

impl Policy<'_> {
    pub(super) fn decide(&self, call: &ToolCall, access: &Access, real: Option<&Path>) -> Decision {
        let paths = self.paths(access, real);
        let subject = Subject { call, access, paths: &paths };
        let line = access.subject.as_deref().filter(|_| access.effect == Effect::Command);
        let found = line.map(parts).unwrap_or_default();
        if let Some(placed) = self.touched(RuleKind::Deny, &subject, &found) {
            return Decision::Deny { because: reason(placed, "forbids it", &subject) };
        }
        if self.mode == Mode::Plan && access.effect != Effect::Read {
            return Decision::Deny { because: PLANNING.trim_end().to_owned() };
        }
        if let Some(because) = self.out_of_reach(access, &paths) {
            return Decision::Deny { because };
        }
        if let Some(placed) = self.touched(RuleKind::Ask, &subject, &found) {
            return Decision::Ask { why: reason(placed, "asks", &subject), rule: None };
        }
        if found.opaque && self.restricts_commands() {
            let why = "it is unclear which programs it runs, and some have rules".to_owned();
            return Decision::Ask { why, rule: None };
        }
        if let Some(placed) = self.may_touch(&subject, &found) {
            let why = format!(
                "the shell expands words of it, and the rule {} may apply ({})",
                placed.rule.text(),
                placed.place
            );
            return Decision::Ask { why, rule: None };
        }
        if let Some(because) = self.allowed(&subject, line) {
            return Decision::Allow { because };
        }
        if self.mode != Mode::Yolo
            && let Some(path) = self.reads_outside(access, real)
        {
            let folder = granted_by(&path);
            let why = format!(
                "it reads outside of the workspace; a yes lets file tools read {} in this session",
                folder.display()
            );
            return Decision::Ask { why, rule: None };
        }
        self.by_mode(&subject, line)
    }

    pub(super) fn paths(&self, access: &Access, real: Option<&Path>) -> Vec<AccessPath> {
        if !matches!(access.effect, Effect::Read | Effect::Edit) {
            return Vec::new();
        }
        let named = access.subject.as_deref().map(Path::new);
        let mut paths: Vec<AccessPath> =
            named.into_iter().chain(real).map(|path| AccessPath::of(self.workspace, path)).collect();
        paths.dedup();
        paths
    }

    /// Why file tools would refuse to change this file, whatever the rules allow.
    fn out_of_reach(&self, access: &Access, paths: &[AccessPath]) -> Option<String> {
        // The last path is the one with links resolved.
        let target = paths.last().filter(|_| access.effect == Effect::Edit)?;
        let contains =
            |folder: &PathBuf| AccessPath::of(folder, Path::new(&target.absolute)).inside.is_some();
        (target.inside.is_none() && !self.folders.iter().any(contains)).then(|| {
            format!(
                "file tools do not write outside of the workspace, and {} is not in it; the user can let its folder in \
                 with `writable` in [tools] of the settings",
                target.absolute
            )
        })
    }

    /// The path of a call that reads outside of what file tools reach without the user's word.
    pub(super) fn reads_outside(&self, access: &Access, real: Option<&Path>) -> Option<PathBuf> {
        let grants = self.reads.filter(|_| access.effect == Effect::Read)?;
        let real = real.filter(|real| !grants.contains(real))?;
        let contains = |folder: &Path| AccessPath::of(folder, real).inside.is_some();
        let reached = contains(self.workspace) || self.folders.iter().any(|folder| contains(folder));
        (!reached).then(|| real.to_owned())
    }

    /// The deny and ask rules for reading that do not match this call itself.
    pub(super) fn rules_against_reading(
        &self,
        call: &ToolCall,
        access: &Access,
        real: Option<&Path>,
    ) -> Vec<Rule> {
        let paths = self.paths(access, real);
        let subject = Subject { call, access, paths: &paths };
        let other =
            |placed: &&PlacedRule| access.effect == Effect::Read && !placed.rule.touches(&subject, &[]);
        let rules = self.rules.of(RuleKind::Deny).chain(self.rules.of(RuleKind::Ask));
        rules.filter(other).map(|placed| placed.rule.clone()).collect()
    }

    fn touched(&self, kind: RuleKind, subject: &Subject<'_>, found: &LineParts) -> Option<&PlacedRule> {
        self.rules.of(kind).find(|placed| placed.rule.touches(subject, &found.all))
    }

    /// A deny or ask rule that may apply to what a shell makes of the line.
    fn may_touch(&self, subject: &Subject<'_>, found: &LineParts) -> Option<&PlacedRule> {
        let restricting = self.rules.of(RuleKind::Deny).chain(self.rules.of(RuleKind::Ask));
        restricting.into_iter().find(|placed| placed.rule.may_touch(subject, &found.all))
    }

    fn restricts_commands(&self) -> bool {
        self.rules
            .all()
            .iter()
            .any(|placed| placed.kind != RuleKind::Allow && placed.rule.is_about_commands())
    }

    fn allowing(&self) -> impl Iterator<Item = &PlacedRule> {
        self.rules.of(RuleKind::Allow).chain(self.remembered)
    }

    /// The reason if rules allow the call.
    fn allowed(&self, subject: &Subject<'_>, line: Option<&str>) -> Option<String> {
        let reason =
            |placed: &PlacedRule| format!("the rule {} allows it ({})", placed.rule.text(), placed.place);
        let Some(line) = line else {
            return self.allowing().find(|placed| placed.rule.covers(subject, None)).map(reason);
        };
        if let Some(placed) = self.allowing().find(|placed| placed.rule.is_line(subject, line)) {
            return Some(reason(placed));
        }
        let commands = parse_plain(line).ok().filter(|commands| !commands.is_empty())?;
        let mut because = None;
        for words in &commands {
            let placed = self.allowing().find(|placed| placed.rule.covers(subject, Some(words)))?;
            because.get_or_insert_with(|| reason(placed));
        }
        because
    }

    /// Returns true if a line may run because each of its commands only reads the workspace.
    fn only_reads(&self, line: Option<&str>) -> bool {
        let free = self.commands.sandboxed && self.commands.reading_is_free;
        let commands = line.filter(|_| free).and_then(|line| parse_plain(line).ok()).unwrap_or_default();
        only_reads(&commands, self.workspace, self.commands.workspace_is_trusted)
    }

    fn by_mode(&self, subject: &Subject<'_>, line: Option<&str>) -> Decision {
        let access = subject.access;
        let allow = |because: &str| Decision::Allow { because: because.to_owned() };
        let ask = |why: String| Decision::Ask { rule: suggestion(subject), why };
        match (self.mode, access.effect) {
            (_, Effect::Read) => allow("it only reads"),
            (Mode::Yolo, _) => allow("the mode is yolo"),
            (Mode::AutoEdit, Effect::Edit) => match subject.paths {
                [] => ask("it is unclear which file it changes".to_owned()),
                paths if paths.iter().any(|path| path.inside.is_none()) => {
                    ask("it changes a file outside of the workspace".to_owned())
                }
                paths if paths.iter().any(AccessPath::is_protected) => {
                    ask("it changes a file that controls permissions or commands".to_owned())
                }
                _ => allow("it edits the workspace, and the mode is auto-edit"),
            },
            (_, Effect::Command) if self.commands.sandboxed && self.commands.sandboxed_are_free => {
                allow("it runs in the sandbox")
            }
            (_, Effect::Command) if self.only_reads(line) => {
                allow("it only reads the workspace, in the sandbox")
            }
            (_, Effect::Command) => match line.map(parse_plain) {
                Some(Err(why)) => ask(format!("rules cannot match this command line: {}", why.0)),
                _ => ask("it runs a command".to_owned()),
            },
            (_, Effect::Edit) => ask("it changes a file".to_owned()),
            (_, Effect::Network) => ask("it connects to a server".to_owned()),
            (_, Effect::Other) => ask("its effect is unknown".to_owned()),
        }
    }
}

fn reason(placed: &PlacedRule, does: &str, subject: &Subject<'_>) -> String {
    let because = if placed.rule.is_about_reading_of(subject) { ", as an edit reads the file" } else { "" };
    format!("the rule {} {does}{because} ({})", placed.rule.text(), placed.place)
}
