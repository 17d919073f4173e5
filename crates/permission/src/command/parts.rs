//! Finds every command that a shell might run for a line, including those in substitutions, as arguments of other programs
//! and in texts for shells.

mod shell;
mod splitter;

use std::sync::Arc;

use throughline_text::cut_end;

use super::evaluated::{evaluated, evaluates_operands, has_index_substitution};
use super::{RESERVED, base_name, is_assignment};
use shell::{opens_shell, reads_commands, replaces_command};
use splitter::Splitter;

/// Deepest nesting of lines within lines.
const MAX_DEPTH: usize = 6;
/// Maximum number of parts of a line, far more than a user would review. Beyond it arguments of other programs are not searched.
const MAX_PARTS: usize = 2_000;
/// Longest line that is searched as a whole, in bytes.
const LONGEST: usize = 64 * 1024;

/// What programs write in front of a command that they run.
const MARKS: [char; 2] = ['!', ':'];

/// Programs whose arguments are or contain another command.
pub(super) const CARRIERS: [&str; 38] = [
    "sudo", "doas", "su", "env", "nohup", "nice", "ionice", "time", "timeout", "stdbuf", "setsid", "chroot",
    "command", "builtin", "exec", "eval", "xargs", "parallel", "find", "fd", "watch", "ssh", "script",
    "strace", "ltrace", "sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "busybox", "trap", "unshare",
    "flock", "entr", "npx",
];

/// Those of them that join their arguments to one line.
const JOINING: [&str; 4] = ["eval", "watch", "ssh", "parallel"];

/// Those of them whose first argument is not a command, and their options that precede one.
const SEARCHING: [&str; 2] = ["find", "fd"];
const SEARCHING_RUN: [&str; 8] = ["-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"];

/// Programs whose plain words are never commands: they name files, or commands of the program itself.
const DATA: [&str; 40] = [
    "git", "cargo", "go", "npm", "pnpm", "yarn", "make", "docker", "kubectl", "cd", "ls", "cat", "head",
    "tail", "wc", "sort", "uniq", "cut", "tr", "diff", "cmp", "stat", "file", "which", "type", "mkdir",
    "rmdir", "touch", "rm", "cp", "mv", "ln", "chmod", "chown", "tar", "curl", "wget", "test", "[", "read",
];
/// Programs that only print or compare their texts.
const PRINTING: [&str; 9] = ["echo", "printf", "grep", "egrep", "fgrep", "rg", "true", "false", ":"];
/// Shell builtins that run a file or a text, or that redefine names.
const REDEFINING: [&str; 9] = [".", "source", "alias", "bind", "compgen", "complete", "enable", "fc", "hash"];

/// A command that a line may run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CommandPart {
    /// The words of a command. Its arguments may be parts too, and share the list.
    list: Arc<[String]>,
    start: usize,
}

impl CommandPart {
    /// The program and its arguments.
    pub(crate) fn words(&self) -> &[String] {
        self.list.get(self.start..).unwrap_or_default()
    }
}

/// All commands that a line may run.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct LineParts {
    pub(crate) all: Vec<CommandPart>,
    /// Some program that it runs cannot be determined from its text.
    pub(crate) opaque: bool,
}

/// Finds all commands that may run. May include texts that would only be printed: a deny rule should rather match too often.
/// Of a line longer than [`LONGEST`] only the start is searched.
pub(crate) fn parts(line: &str) -> LineParts {
    let mut found = LineParts { all: Vec::new(), opaque: line.len() > LONGEST };
    collect(cut_end(line, LONGEST), 0, &mut found);
    found
}

fn collect(line: &str, depth: usize, found: &mut LineParts) {
    if depth > MAX_DEPTH || found.all.len() > MAX_PARTS {
        found.opaque = true;
        return;
    }
    let split = Splitter::split(line);
    found.opaque |= split.indeterminate;
    let words = || split.commands.iter().flatten();
    let mut texts: Vec<String> = Vec::new();
    if words().any(|word| word == "[[") {
        found.opaque |= words().any(|word| evaluates_operands(word));
        texts.extend(words().filter(|word| has_index_substitution(word)).cloned());
    }
    for command in split.commands {
        add_command(command, depth, found);
    }
    for inner in split.inner.iter().chain(&texts) {
        collect(inner, depth + 1, found);
    }
}

/// Returns true for words that precede a command. `time` counts as a program, because both the keyword and the program have
/// options.
fn is_prefix(word: &str) -> bool {
    is_assignment(word) || (RESERVED.contains(&word) && word != "time")
}

/// Returns true if a shell may expand this word to several.
fn has_braces(word: &str) -> bool {
    word.split_once('{').is_some_and(|(_, rest)| rest.contains(',') || rest.contains(".."))
}

/// Returns true if a shell makes other words of this one that its text has: by braces, or by a code in `$'…'`, which stands here as a
/// zero.
pub(crate) fn is_expanded(word: &str) -> bool {
    word.contains('\u{0}') || has_braces(word)
}

/// Returns true if the program cannot be determined: its name is computed at run time, or it runs commands from elsewhere.
fn is_opaque(words: &[String]) -> bool {
    let Some(program) = words.first() else { return false };
    let is_computed = program.contains(['$', '*', '?', '[', '\u{0}']) || has_braces(program);
    let names_commands = |word: &String| {
        let word = word.to_ascii_lowercase();
        word.strip_prefix("-c").unwrap_or(&word).starts_with("alias.")
    };
    (is_computed && program != "[")
        || REDEFINING.contains(&base_name(program))
        || (base_name(program) == "git" && words.iter().any(names_commands))
        || words.iter().any(|word| sets_commands(word))
        || reads_commands(words)
}

/// Returns true for a variable that names a file of commands for a shell, or commands of git.
fn sets_commands(word: &str) -> bool {
    let Some((name, value)) = word.split_once('=').filter(|_| is_assignment(word)) else { return false };
    name == "BASH_ENV" || (name.starts_with("GIT_CONFIG") && value.to_ascii_lowercase().contains("alias."))
}

fn add_command(mut words: Vec<String>, depth: usize, found: &mut LineParts) {
    let start = words.iter().position(|word| !is_prefix(word)).unwrap_or(words.len());
    found.opaque |= words.iter().take(start).any(|word| sets_commands(word));
    for value in words.drain(..start).filter_map(|word| Some(word.split_once('=')?.1.to_owned())) {
        add_text(&value, depth, found);
    }
    let Some(program) = words.first() else { return };
    // A text in a text: the string of a language.
    if program.contains(char::is_whitespace) {
        add_text(&program.clone(), depth, found);
    }
    // A line of a text that an editor reads.
    let marked = program.trim_start_matches('!');
    if marked.len() < program.len() && !marked.is_empty() {
        let words = std::iter::once(marked.to_owned()).chain(words.iter().skip(1).cloned()).collect();
        add_command(words, depth + 1, found);
    }
    let name = base_name(program).to_owned();
    found.opaque |= is_opaque(&words);
    let list: Arc<[String]> = words.into();
    found.all.push(CommandPart { list: Arc::clone(&list), start: 0 });
    add_evaluated(&list, depth, found);
    add_of_git(&name, &list, depth, found);
    if CARRIERS.contains(&name.as_str()) {
        add_carried(&name, &list, depth, found);
    } else {
        add_mentioned(&name, &list, depth, found);
    }
}

/// Adds the commands that git runs in submodules and for commits, and its own command where that is the name of the program:
/// `/usr/lib/git-core/git-push`.
fn add_of_git(name: &str, list: &Arc<[String]>, depth: usize, found: &mut LineParts) {
    let rest = list.get(1..).unwrap_or_default();
    if let Some(command) = name.strip_prefix("git-") {
        let words = ["git".to_owned(), command.to_owned()].into_iter().chain(rest.iter().cloned());
        add_command(words.collect(), depth + 1, found);
    }
    let runs = |word: &String| matches!(word.as_str(), "foreach" | "run");
    if let ("git", Some(at)) = (name, rest.iter().position(runs)) {
        let inner = rest.iter().skip(at + 1).skip_while(|word| word.starts_with('-'));
        add_text(&inner.map(String::as_str).collect::<Vec<_>>().join(" "), depth, found);
    }
}

/// Adds the later words of a program that is not known to run others, because it might be a wrapper, and the texts and values
/// among its arguments. Nothing of this makes a line opaque: in most lines these are data.
fn add_mentioned(name: &str, list: &Arc<[String]>, depth: usize, found: &mut LineParts) {
    for (start, word) in list.iter().enumerate().skip(1) {
        if found.all.len() > MAX_PARTS {
            found.opaque = true;
            return;
        }
        let value = word.split_once('=').map(|(_, value)| value);
        if let Some(value) = value.or(is_text(word).then_some(word.as_str())) {
            if !PRINTING.contains(&name) {
                add_text(value, depth, found);
                // It may be the value of an option's letter.
                if let Some(value) = value.strip_prefix('-').and_then(|option| option.get(1..)) {
                    add_text(value, depth, found);
                }
            }
        } else if !DATA.contains(&name) && !PRINTING.contains(&name) && !word.starts_with('-') {
            found.all.push(CommandPart { list: Arc::clone(list), start });
        }
    }
}

/// Adds the commands of a text that some program may run. It stays clear which programs the line itself runs.
fn add_text(text: &str, depth: usize, found: &mut LineParts) {
    let opaque = found.opaque;
    collect(text, depth + 1, found);
    // A program that runs a part of a text marks where it begins: `!rm x`, `ext::rm x`, `EXEC:rm x`.
    if text.contains(MARKS) {
        collect(&text.replace(MARKS, " "), depth + 1, found);
    }
    found.opaque = opaque || found.all.len() > MAX_PARTS;
}

/// Returns true if an argument may be a command line, or several words.
fn is_text(word: &str) -> bool {
    let sign = |letter: char| letter.is_whitespace() || ";&|$`\\'\"()<>!".contains(letter);
    word.contains(sign) || has_braces(word)
}

/// Adds the commands in words that the shell evaluates.
fn add_evaluated(words: &[String], depth: usize, found: &mut LineParts) {
    for word in evaluated(words) {
        found.opaque = true;
        collect(word, depth + 1, found);
    }
}

/// Adds the commands in the arguments of a program that runs them.
fn add_carried(name: &str, list: &Arc<[String]>, depth: usize, found: &mut LineParts) {
    // Its option -S has a whole line.
    found.opaque |= name == "env"
        && list.iter().any(|word| word.starts_with("--s") || (word.starts_with('-') && word.contains('S')));
    if JOINING.contains(&name) {
        collect(&list.get(1..).unwrap_or_default().join(" "), depth + 1, found);
    }
    // `command -v` only prints the path of a program.
    let prints = list.get(1).is_some_and(|word| matches!(word.as_str(), "-v" | "-V"));
    let runs = name != "command" || !prints;
    let carried = |word: &String| word.starts_with('-') || CARRIERS.contains(&base_name(word));
    match list.iter().position(|word| !carried(word)) {
        Some(inner) => {
            let inner = list.get(inner..).unwrap_or_default();
            add_evaluated(inner, depth, found);
            let program = inner.first().filter(|word| !is_text(word) && !SEARCHING.contains(&name));
            found.opaque |= program.is_some() && runs && is_opaque(inner);
        }
        // The last program reads its command from elsewhere.
        None => {
            let others = list.iter().skip(1).any(|word| !word.starts_with('-'));
            found.opaque |= runs && (others || name == "parallel" || (name == "xargs" && list.len() > 1));
        }
    }
    found.opaque |=
        opens_shell(name, list) || (matches!(name, "xargs" | "parallel") && replaces_command(list));
    for (start, word) in list.iter().enumerate().skip(1) {
        if found.all.len() > MAX_PARTS {
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
                // The line may be the value of an option.
                found.opaque = true;
                let value = option.split_once('=').map(|(_, value)| value);
                collect(value.or(option.get(1..)).unwrap_or_default(), depth + 1, found);
            }
        } else if let Some((_, value)) = word.split_once('=').filter(|_| is_assignment(word)) {
            add_text(value, depth, found);
        } else if !is_prefix(word) && !word.starts_with('-') {
            found.all.push(CommandPart { list: Arc::clone(list), start });
        }
    }
}
