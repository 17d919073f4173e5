//! Arguments by which a harmless program runs another one, or writes where nobody looks.

use super::base_name;

/// Long options of many programs that name a program, a file of settings that can name one, or a file to write.
const LONG: [&str; 32] = [
    "--exec",
    "--exec-batch",
    "--exec-path",
    "--execdir",
    "--config",
    "--config-env",
    "--config-file",
    "--pager",
    "--pre",
    "--rsh",
    "--rsh-command",
    "--to-command",
    "--use-compress-program",
    "--compress-program",
    "--upload-pack",
    "--receive-pack",
    "--ext-diff",
    "--extcmd",
    "--open-files-in-pager",
    "--output",
    "--output-file",
    "--eval",
    "--init-file",
    "--rcfile",
    "--script-shell",
    "--node-options",
    "--checkpoint-action",
    "--unzip-command",
    "--info-script",
    "--new-volume-script",
    "--toolexec",
    "--vettool",
];

/// Short options of single programs that do the same. One letter behind the dash may stand in a group (`-xI`).
const SHORT: [(&str, &[&str]); 15] = [
    ("find", &["-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf", "-fls"]),
    ("fd", &["-x", "-X"]),
    ("cargo", &["-Z", "-C"]),
    ("tar", &["-I", "-F"]),
    ("sort", &["-o"]),
    ("sed", &["-i", "-f"]),
    ("man", &["-P", "-H"]),
    ("rsync", &["-e"]),
    ("ssh", &["-o", "-F"]),
    ("scp", &["-o", "-S", "-F"]),
    ("zip", &["-T"]),
    ("go", &["-exec", "-toolexec", "-vettool", "-o"]),
    ("curl", &["-o", "-O", "-K"]),
    ("wget", &["-O", "-e"]),
    ("make", &["-f", "-C", "-E"]),
];

/// The words by which the command does more than its program is known for.
pub(crate) fn risks(command: &[String]) -> Vec<&str> {
    let Some((program, rest)) = command.split_first() else { return Vec::new() };
    let name = base_name(program);
    let mut found = if name == "git" { risks_of_git(rest) } else { Vec::new() };
    let short = SHORT.iter().find(|(own, _)| *own == name).map_or(&[][..], |(_, options)| options);
    let risky = |word: &&str| is_long(word) || short.iter().any(|option| is_short(word, option));
    found.extend(rest.iter().map(String::as_str).filter(risky));
    found
}

/// Programs take the start of a long option for the option.
fn is_long(word: &str) -> bool {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    name.len() > 2 && name.starts_with("--") && LONG.iter().any(|option| option.starts_with(name))
}

fn is_short(word: &str, option: &str) -> bool {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    match option.strip_prefix('-') {
        Some(letter) if letter.len() == 1 => {
            word.starts_with('-') && !word.starts_with("--") && word.contains(letter)
        }
        _ => name == option || name.strip_prefix('-') == Some(option),
    }
}

/// Before its command git takes settings, any of which can name a program; some of its commands run others.
fn risks_of_git(words: &[String]) -> Vec<&str> {
    const HARMLESS: [&str; 4] = ["--no-pager", "-P", "--version", "--no-optional-locks"];
    const WITH_VALUE: [&str; 5] = ["-c", "-C", "--git-dir", "--work-tree", "--namespace"];
    const RUNNING: [&str; 7] =
        ["config", "filter-branch", "difftool", "mergetool", "instaweb", "daemon", "send-email"];
    let mut found = Vec::new();
    let mut words = words.iter().map(String::as_str);
    let command = loop {
        match words.next() {
            None => return found,
            Some(word) if HARMLESS.contains(&word) => {}
            Some(word) if word.starts_with('-') => {
                found.push(word);
                if WITH_VALUE.contains(&word) {
                    found.extend(words.next());
                }
            }
            Some(word) => break word,
        }
    };
    if RUNNING.contains(&command) {
        found.push(command);
    }
    let risky = |word: &&str| {
        let own = match command {
            "rebase" => is_short(word, "-x"),
            "grep" => is_short(word, "-O"),
            "clone" => is_short(word, "-c") || is_short(word, "-u") || word.starts_with("--te"),
            "init" => word.starts_with("--te"),
            "archive" | "format-patch" => is_short(word, "-o"),
            "bisect" => *word == "run",
            "submodule" => *word == "foreach",
            _ => false,
        };
        own || word.starts_with("ext::") || word.starts_with("fd::")
    };
    found.extend(words.filter(risky));
    found
}
