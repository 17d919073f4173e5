//! Suggests the rule that a careful user would accept for calls like this one.

use throughline_tools::Effect;

use crate::access_path::AccessPath;
use crate::command::{base_name, parse_plain, risks};
use crate::rule::{Rule, Subject, host_of};

/// Longest command line that is remembered literally, in characters.
const LONGEST: usize = 200;

/// Programs with subcommands, and those of their subcommands that are safe to allow.
const SUBCOMMANDS: [(&str, &[&str]); 17] = [
    (
        "git",
        &[
            "status",
            "diff",
            "log",
            "show",
            "add",
            "commit",
            "fetch",
            "blame",
            "grep",
            "ls-files",
            "rev-parse",
        ],
    ),
    (
        "cargo",
        &["build", "check", "test", "nextest", "clippy", "fmt", "doc", "tree", "metadata", "bench", "run"],
    ),
    ("npm", &["test", "ls", "run", "ci", "audit", "outdated", "view"]),
    ("pnpm", &["test", "ls", "run", "audit", "outdated"]),
    ("yarn", &["test", "run", "list", "build", "lint"]),
    ("bun", &["test", "run"]),
    ("go", &["build", "test", "vet", "fmt", "list", "doc", "mod"]),
    ("make", &["test", "check", "build", "lint", "all", "fmt"]),
    ("just", &["test", "check", "build", "lint", "fmt"]),
    ("docker", &["ps", "images", "logs", "inspect"]),
    ("kubectl", &["get", "describe", "logs"]),
    ("gh", &["pr", "issue", "run"]),
    ("pip", &["list", "show", "freeze", "check"]),
    ("uv", &["sync", "lock", "tree"]),
    ("dotnet", &["build", "test"]),
    ("mvn", &["test", "compile", "verify", "package"]),
    ("gradle", &["test", "build", "check"]),
];

/// Programs that are harmless whatever their arguments.
const HARMLESS: [&str; 38] = [
    "ls", "cat", "head", "tail", "wc", "pwd", "which", "tree", "diff", "cmp", "uniq", "stat", "file", "du",
    "df", "date", "echo", "printf", "grep", "rg", "cut", "tr", "basename", "dirname", "realpath", "true",
    "test", "nl", "column", "pytest", "tsc", "eslint", "ruff", "mypy", "rustfmt", "ctest", "jq", "sort",
];

/// Programs for which no rule is suggested.
const NEVER: [&str; 42] = [
    "sudo",
    "doas",
    "su",
    "rm",
    "rmdir",
    "unlink",
    "shred",
    "dd",
    "truncate",
    "chmod",
    "chown",
    "chgrp",
    "kill",
    "pkill",
    "killall",
    "reboot",
    "shutdown",
    "halt",
    "mount",
    "umount",
    "eval",
    "exec",
    "source",
    ".",
    "crontab",
    "at",
    "ssh",
    "scp",
    "sftp",
    "rsync",
    "curl",
    "wget",
    "nc",
    "ncat",
    "telnet",
    "passwd",
    "useradd",
    "userdel",
    "systemctl",
    "service",
    "iptables",
    "mkfs",
];

/// The rule for [`crate::Approval::Always`]. `None` if each such call needs its own approval.
pub(crate) fn suggestion(subject: &Subject<'_>) -> Option<String> {
    let rule = match subject.access.effect {
        Effect::Command if subject.call.name == "shell" => command(subject.access.subject.as_deref()?)?,
        Effect::Edit => format!("edit({})", folder(subject.paths)?),
        Effect::Network if subject.call.name == "fetch" => {
            format!("fetch(domain:{})", host_of(subject.access.subject.as_deref()?)?)
        }
        Effect::Command | Effect::Network | Effect::Read | Effect::Other => subject.call.name.clone(),
    };
    // A rule that does not round-trip would never match.
    Rule::parse(&rule).ok().filter(|read| read.text() == rule).map(|_| rule)
}

/// A pattern for the top-level folder of the file; for the file alone at the top level and in hidden folders, which often
/// hold settings that run commands.
fn folder(paths: &[AccessPath]) -> Option<String> {
    let [path] = paths else { return None };
    let inside = path.inside.as_deref().filter(|_| !path.is_protected())?;
    let plain = |text: &str| !text.contains(['*', '?', '(', ')']) && text.trim() == text && !text.is_empty();
    match inside.split_once('/') {
        Some((first, _)) if !first.starts_with('.') => plain(first).then(|| format!("{first}/**")),
        _ => plain(inside).then(|| inside.to_owned()),
    }
}

fn command(line: &str) -> Option<String> {
    let commands = parse_plain(line).ok()?;
    if commands.iter().any(|words| is_never(words)) {
        return None;
    }
    if let [words] = commands.as_slice()
        && let Some(start) = common_start(words)
    {
        return Some(format!("shell({start} *)"));
    }
    let line = line.trim();
    let exact = !line.contains(['*', '\n']) && line.chars().count() <= LONGEST;
    exact.then(|| format!("shell({line})"))
}

fn is_never(words: &[String]) -> bool {
    let runs = |word: &&str| word.starts_with("-exec") || word.starts_with("-ok") || *word == "-delete";
    let never = |word: &String| NEVER.contains(&base_name(word)) || base_name(word).starts_with("mkfs");
    risks(words).iter().any(runs)
        || words.first().is_some_and(never)
        || (runs_arguments(words) && words.iter().any(never))
}

/// Returns true for programs that run their arguments as a command.
pub(crate) fn runs_arguments(words: &[String]) -> bool {
    let first = words.first().map(|word| base_name(word)).unwrap_or_default();
    matches!(
        first,
        "env" | "nohup" | "nice" | "time" | "timeout" | "xargs" | "watch" | "command" | "setsid" | "stdbuf"
    )
}

/// The leading words that commands of this kind share.
fn common_start(words: &[String]) -> Option<String> {
    let program = words.first()?;
    if !risks(words).is_empty() {
        return None;
    }
    if HARMLESS.contains(&program.as_str()) {
        return Some(program.clone());
    }
    let (_, subcommands) = SUBCOMMANDS.iter().find(|(own, _)| own == program)?;
    let second = words.get(1).filter(|word| subcommands.contains(&word.as_str()))?;
    let plain = |word: &&String| {
        word.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | ':'))
            && !word.starts_with('-')
    };
    // The third word says what `run`, `mod` and `pr` do.
    let deeper = matches!(second.as_str(), "run" | "mod" | "pr" | "issue") && program != "cargo";
    if !deeper {
        return Some(format!("{program} {second}"));
    }
    let third = words.get(2).filter(plain)?;
    Some(format!("{program} {second} {third}"))
}
