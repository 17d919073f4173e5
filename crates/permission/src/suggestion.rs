//! The rule that a careful user would accept for calls like this one.

use throughline_tools::Effect;

use crate::Rule;
use crate::access_path::AccessPath;
use crate::command::{base_name, read, risks};
use crate::rule::{Subject, host_of};

/// Longest line that is remembered as it stands, in characters.
const LONGEST: usize = 200;

/// Programs whose second word says what they do, and the ones of these that change little.
const HANDY: [(&str, &[&str]); 17] = [
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

/// Programs that are the same harmless thing whatever their arguments.
const HARMLESS: [&str; 38] = [
    "ls", "cat", "head", "tail", "wc", "pwd", "which", "tree", "diff", "cmp", "uniq", "stat", "file", "du",
    "df", "date", "echo", "printf", "grep", "rg", "cut", "tr", "basename", "dirname", "realpath", "true",
    "test", "nl", "column", "pytest", "tsc", "eslint", "ruff", "mypy", "rustfmt", "ctest", "jq", "sort",
];

/// Programs that nobody should allow beforehand.
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

/// The rule for [`crate::Approval::Always`]. `None`: such a call is better asked about each time.
pub(crate) fn suggestion(subject: &Subject<'_>) -> Option<String> {
    let rule = match subject.access.effect {
        Effect::Command if subject.call.name == "shell" => command(subject.access.subject.as_deref()?)?,
        Effect::Edit => format!("edit({})", folder(subject.paths)?),
        Effect::Network if subject.call.name == "fetch" => {
            format!("fetch(domain:{})", host_of(subject.access.subject.as_deref()?)?)
        }
        Effect::Command | Effect::Network | Effect::Read | Effect::Other => subject.call.name.clone(),
    };
    // What cannot be read back would never be of use.
    Rule::parse(&rule).ok().filter(|read| read.text() == rule).map(|_| rule)
}

/// The first folder of the file; the file itself at the top, and in hidden folders, which often say what runs.
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
    let commands = read(line).ok()?;
    if commands.iter().any(|words| is_never(words)) {
        return None;
    }
    if let [words] = commands.as_slice()
        && let Some(start) = start(words)
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
        || (carries(words) && words.iter().any(never))
}

/// Programs that run what is behind them.
fn carries(words: &[String]) -> bool {
    let first = words.first().map(|word| base_name(word)).unwrap_or_default();
    matches!(
        first,
        "env" | "nohup" | "nice" | "time" | "timeout" | "xargs" | "watch" | "command" | "setsid" | "stdbuf"
    )
}

/// How commands of this kind begin.
fn start(words: &[String]) -> Option<String> {
    let program = words.first()?;
    if !risks(words).is_empty() {
        return None;
    }
    if HARMLESS.contains(&program.as_str()) {
        return Some(program.clone());
    }
    let (_, handy) = HANDY.iter().find(|(own, _)| own == program)?;
    let second = words.get(1).filter(|word| handy.contains(&word.as_str()))?;
    let plain = |word: &&String| {
        word.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | ':'))
            && !word.starts_with('-')
    };
    // What `run` runs is in the third word, and what `mod` or `pr` does too.
    let deeper = matches!(second.as_str(), "run" | "mod" | "pr" | "issue") && program != "cargo";
    if !deeper {
        return Some(format!("{program} {second}"));
    }
    let third = words.get(2).filter(plain)?;
    Some(format!("{program} {second} {third}"))
}
