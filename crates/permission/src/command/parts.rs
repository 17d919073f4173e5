//! Reads a command line for what could be in it: whatever a shell might run, also in substitutions, behind other programs
//! and in the texts that are given to shells.

mod shell;
mod splitter;

use std::sync::Arc;

use throughline_text::cut_end;

use super::computed::{compares, computed, has_place};
use super::{RESERVED, base_name, is_assignment};
use shell::{opens_shell, reads_commands};
use splitter::Splitter;

/// How deep lines in lines are followed.
const DEEPEST: usize = 6;
/// More parts than this are no line that a person would judge. Beyond it, what stands behind another program is not looked
/// at any more.
const MOST: usize = 2_000;
/// Longest line that is looked at as a whole, in bytes.
const LONGEST: usize = 64 * 1024;

/// Programs whose arguments are, or may hold, another command.
const CARRIERS: [&str; 38] = [
    "sudo", "doas", "su", "env", "nohup", "nice", "ionice", "time", "timeout", "stdbuf", "setsid", "chroot",
    "command", "builtin", "exec", "eval", "xargs", "parallel", "find", "fd", "watch", "ssh", "script",
    "strace", "ltrace", "sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "busybox", "trap", "unshare",
    "flock", "entr", "npx",
];

/// Of these, those that make one line of all their arguments.
const JOINING: [&str; 4] = ["eval", "watch", "ssh", "parallel"];

/// Of these, those whose first word is a folder or what to look for, and the options before a program of theirs.
const SEARCHING: [&str; 2] = ["find", "fd"];
const SEARCHING_RUN: [&str; 8] = ["-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"];

/// Commands of a shell that run what is in a file or a text, or that change what a name means.
const CHANGING: [&str; 9] = [".", "source", "alias", "bind", "compgen", "complete", "enable", "fc", "hash"];

/// A part of a line: a command that may be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    /// The words of a command. All that stands behind its program may be parts too, and they share them.
    list: Arc<[String]>,
    start: usize,
}

impl Part {
    /// The words, the program first.
    pub(crate) fn words(&self) -> &[String] {
        self.list.get(self.start..).unwrap_or_default()
    }
}

/// The parts of a line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) all: Vec<Part>,
    /// Which program runs somewhere in it cannot be told from its text.
    pub(crate) opaque: bool,
}

/// All that may run. A text that would only be printed may be among it: a rule that forbids is better obeyed too often. Of a
/// very long line only the start is looked at.
pub(crate) fn parts(line: &str) -> Parts {
    let mut found = Parts { all: Vec::new(), opaque: line.len() > LONGEST };
    collect(cut_end(line, LONGEST), 0, &mut found);
    found
}

fn collect(line: &str, depth: usize, found: &mut Parts) {
    if depth > DEEPEST || found.all.len() > MOST {
        found.opaque = true;
        return;
    }
    let split = Splitter::split(line);
    found.opaque |= split.open;
    let words = || split.commands.iter().flatten();
    let mut texts: Vec<String> = Vec::new();
    if words().any(|word| word == "[[") {
        found.opaque |= words().any(|word| compares(word));
        texts.extend(words().filter(|word| has_place(word)).cloned());
    }
    for command in split.commands {
        take(command, depth, found);
    }
    for inner in split.inner.iter().chain(&texts) {
        collect(inner, depth + 1, found);
    }
}

/// Words before a command that are none of it. What stands behind `time` is found as behind other programs: it may be the
/// shell's word or the program, and both have options.
fn leads(word: &str) -> bool {
    is_assignment(word) || (RESERVED.contains(&word) && word != "time")
}

/// Whether a shell may make several words of this one.
fn has_braces(word: &str) -> bool {
    word.split_once('{').is_some_and(|(_, rest)| rest.contains(',') || rest.contains(".."))
}

/// Whether the first of these words does not say which program runs: its name is made while the line runs, or it runs what
/// it reads from elsewhere.
fn hides(words: &[String]) -> bool {
    let Some(program) = words.first() else { return false };
    let is_made = program.contains(['$', '*', '?', '[', '\u{0}']) || has_braces(program);
    let names_commands = |word: &String| {
        let word = word.to_ascii_lowercase();
        word.strip_prefix("-c").unwrap_or(&word).starts_with("alias.")
    };
    (is_made && program != "[")
        || CHANGING.contains(&base_name(program))
        || (base_name(program) == "git" && words.iter().any(names_commands))
        || reads_commands(words)
}

fn take(mut words: Vec<String>, depth: usize, found: &mut Parts) {
    let start = words.iter().position(|word| !leads(word)).unwrap_or(words.len());
    words.drain(..start);
    let Some(program) = words.first() else { return };
    let name = base_name(program).to_owned();
    found.opaque |= hides(&words);
    let list: Arc<[String]> = words.into();
    found.all.push(Part { list: Arc::clone(&list), start: 0 });
    compute(&list, depth, found);
    if CARRIERS.contains(&name.as_str()) {
        carry(&name, &list, depth, found);
    }
}

/// Whether a word behind a program may be a line, or several words.
fn is_text(word: &str) -> bool {
    let sign = |letter: char| letter.is_whitespace() || ";&|$`\\'\"()<>".contains(letter);
    word.contains(sign) || has_braces(word)
}

/// What a shell computes is run where it stands.
fn compute(words: &[String], depth: usize, found: &mut Parts) {
    for word in computed(words) {
        found.opaque = true;
        collect(word, depth + 1, found);
    }
}

/// What stands behind a program that runs it.
fn carry(name: &str, list: &Arc<[String]>, depth: usize, found: &mut Parts) {
    // Its options may hold a whole line.
    found.opaque |= name == "env"
        && list.iter().any(|word| word.starts_with("--s") || (word.starts_with('-') && word.contains('S')));
    if JOINING.contains(&name) {
        collect(&list.get(1..).unwrap_or_default().join(" "), depth + 1, found);
    }
    // `command -v` only tells where a program is.
    let tells = list.get(1).is_some_and(|word| matches!(word.as_str(), "-v" | "-V"));
    let runs = name != "command" || !tells;
    let carried = |word: &String| word.starts_with('-') || CARRIERS.contains(&base_name(word));
    match list.iter().position(|word| !carried(word)) {
        Some(inner) => {
            let inner = list.get(inner..).unwrap_or_default();
            compute(inner, depth, found);
            let program = inner.first().filter(|word| !is_text(word) && !SEARCHING.contains(&name));
            found.opaque |= program.is_some() && runs && hides(inner);
        }
        // The last of them takes from elsewhere what it runs.
        None => {
            let others = list.iter().skip(1).any(|word| !word.starts_with('-'));
            found.opaque |= runs && (others || name == "parallel");
        }
    }
    found.opaque |= opens_shell(name, list);
    for (start, word) in list.iter().enumerate().skip(1) {
        if found.all.len() > MOST {
            found.opaque = true;
            return;
        }
        let before = list.get(start - 1).map_or("", String::as_str);
        if runs && (!SEARCHING.contains(&name) || SEARCHING_RUN.contains(&before)) {
            found.opaque |= reads_commands(list.get(start..).unwrap_or_default());
        }
        if is_text(word) {
            found.opaque |= word.contains('$');
            collect(word, depth + 1, found);
            if let Some(option) = word.strip_prefix('-') {
                // The line may stand at its option.
                found.opaque = true;
                let value = option.split_once('=').map(|(_, value)| value);
                collect(value.or(option.get(1..)).unwrap_or_default(), depth + 1, found);
            }
        } else if !leads(word) && !word.starts_with('-') {
            found.all.push(Part { list: Arc::clone(list), start });
        }
    }
}
