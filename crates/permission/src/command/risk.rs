//! Arguments by which a harmless program runs another one or writes to an arbitrary file.

mod builders;
mod clients;
mod commands;
mod listed;
mod other_programs;

use super::evaluated::evaluated;
use super::reading::is_reader;
use super::{base_name, is_assignment};

/// Long options of many programs whose value is a program, a settings file that can name one, or a file to write.
const LONG: [&str; 36] = [
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
    "--hostname-bin",
    "--init-script",
    "--justfile",
    "--kubeconfig",
];

/// Short options of single programs that do the same. A single letter may be part of a group (`-xI`).
const SHORT: [(&str, &[&str]); 29] = [
    ("find", &["-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf", "-fls"]),
    ("fd", &["-x", "-X"]),
    ("sort", &["-o"]),
    ("man", &["-P", "-H", "-C"]),
    ("rsync", &["-e", "-M"]),
    ("ssh", &["-o", "-F", "-E", "-I"]),
    ("sftp", &["-b", "-D", "-S", "-o", "-F"]),
    ("npm", &["-c"]),
    ("npx", &["-c"]),
    ("pnpm", &["-c"]),
    ("gdb", &["-ex", "-iex", "-eex", "-x", "-ix"]),
    ("lldb", &["-o", "-O", "-s", "-S", "-k", "-K"]),
    ("psql", &["-o", "-L", "-f", "-v"]),
    ("scp", &["-o", "-S", "-F"]),
    ("zip", &["-T"]),
    ("tree", &["-o", "-R"]),
    ("pytest", &["-c", "-p", "-o"]),
    ("eslint", &["-c", "-f", "-o"]),
    ("tsc", &["-p", "-b"]),
    ("ruff", &["-o"]),
    ("ctest", &["-S", "-D", "-M", "-T", "-O"]),
    ("file", &["-C"]),
    ("date", &["-s"]),
    ("gpg", &["-o"]),
    ("patch", &["-o", "-r", "-B", "-d"]),
    ("docker", &["-H"]),
    ("dotnet", &["-p"]),
    ("pip", &["-i", "-t"]),
    ("pip3", &["-i", "-t"]),
];

/// Long options of single programs, without their dashes and with a space between two: some ignore case and the number of dashes.
const OWN: [(&str, &str); 24] = [
    ("pytest", "rootdir confcutdir basetemp override-ini pastebin junitxml junit-xml log-file cov-config"),
    ("eslint", "fix format rulesdir plugin parser resolve-plugins-relative-to cache-location init"),
    (
        "tsc",
        "outfile outdir declarationdir tsbuildinfofile project build init generatetrace generatecpuprofile",
    ),
    ("ruff", "fix fix-only add-noqa cache-dir"),
    (
        "mypy",
        "python-executable install-types junit-xml cache-dir html-report txt-report xml-report any-exprs-report \
         cobertura-xml-report linecount-report linecoverage-report lineprecision-report xslt-html-report xslt-txt-report",
    ),
    (
        "ctest",
        "script script-new-process dashboard test-action test-command build-and-test output-log output-junit",
    ),
    ("npm", "call"),
    ("npx", "call"),
    ("gdb", "eval-command init-eval-command early-init-eval-command command init-command"),
    ("lldb", "one-line one-line-before-file source source-before-file one-line-on-crash"),
    ("psql", "output log-file file set variable"),
    ("mysql", "tee pager init-command plugin-dir defaults-file defaults-extra-file"),
    ("pip", PIP),
    ("pip3", PIP),
    ("uv", "python directory project"),
    ("docker", "host context"),
    (
        "gpg",
        "photo-viewer agent-program dirmngr-program keyboxd-program homedir options log-file logger-file status-file \
         attribute-file",
    ),
    ("sqlite3", "cmd init"),
    ("file", "compile"),
    ("date", "set"),
    ("split", "filter"),
    ("rsync", "rsync-path remote-option log-file write-batch temp-dir backup-dir partial-dir"),
    ("openssl", "engine provider provider-path out keyout writerand"),
    ("patch", "reject-file prefix directory"),
];

/// Options of pip: programs, packages from elsewhere, and places.
const PIP: &str = "python log report config-settings index-url extra-index-url find-links target prefix root";

/// Programs that read arguments from a file: `@FILE`.
const FROM_FILES: [&str; 3] = ["pytest", "tsc", "mypy"];

/// Fewest letters of an abbreviated option.
const MIN_ABBREVIATION: usize = 4;

/// The words by which the command may run another program or write to an arbitrary file.
pub(crate) fn risks(command: &[String]) -> Vec<&str> {
    let Some((program, rest)) = command.split_first() else { return Vec::new() };
    let name = base_name(program);
    let mut found = if name == "git" { risks_of_git(rest) } else { listed::risks(name, rest) };
    let short = SHORT.iter().find(|(own, _)| *own == name).map_or(&[][..], |(_, options)| options);
    let own = OWN.iter().find(|(own, _)| *own == name).map(|(_, options)| options);
    let risky = |word: &&str| {
        is_long(word)
            || builders::is_risky(name, word)
            || short.iter().any(|option| is_short(word, option))
            || own.is_some_and(|own| own.split(' ').any(|option| is_own(word, option)))
            || (word.starts_with('@') && FROM_FILES.contains(&name))
            // The variable may be the shell that make uses.
            || (name == "make" && is_assignment(word))
    };
    found.extend(rest.iter().map(String::as_str).filter(risky));
    found.extend(clients::risks(name, rest));
    found.extend(commands::risks(name, rest));
    if !is_known(name) {
        found.extend(other_programs::risks(program, rest));
    }
    // A file pattern may expand to a second file or to an assignment.
    if matches!(name, "make" | "uniq") {
        found.extend(rest.iter().map(String::as_str).filter(|word| has_pattern(word)));
    }
    if name == "uniq" {
        found.extend(written_by_uniq(rest));
    }
    found.extend(evaluated(command));
    found
}

/// Returns true if what a program does with its options is known, apart from those above.
fn is_known(name: &str) -> bool {
    SHORT.iter().any(|(own, _)| *own == name)
        || OWN.iter().any(|(own, _)| *own == name)
        || builders::knows(name)
        || clients::knows(name)
        || commands::knows(name)
        || listed::knows(name)
        || is_reader(name)
}

/// Returns true if a shell may expand the word to file names.
fn has_pattern(word: &str) -> bool {
    word.contains(['*', '?', '['])
}

/// Returns true if a word is this long option or an abbreviation of it.
fn is_own(word: &str, option: &str) -> bool {
    let Some(name) = word.strip_prefix('-') else { return false };
    let name = name.strip_prefix('-').unwrap_or(name);
    let name = name.split_once('=').map_or(name, |(name, _)| name).to_ascii_lowercase();
    name == option || (name.len() >= MIN_ABBREVIATION && option.starts_with(&name))
}

/// The files that `uniq` writes: all after its first file argument.
fn written_by_uniq(words: &[String]) -> impl Iterator<Item = &str> {
    let number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let (options, files) = words.split_at_checked(end).unwrap_or_default();
    let before = std::iter::once("").chain(options.iter().map(String::as_str));
    let among = options.iter().zip(before).filter(move |(word, before)| {
        let value = matches!(*before, "-f" | "-s" | "-w") && number(word);
        !value && (!word.starts_with('-') || *word == "-")
    });
    among.map(|(word, _)| word).chain(files.iter().skip(1)).map(String::as_str).skip(1)
}

/// Matches abbreviations too, which many programs accept.
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

/// The option of git by which a strategy may be any program `git-merge-NAME`.
const STRATEGY: &str = "--strategy";

/// Global options of git can name programs, and some of its commands run others.
fn risks_of_git(words: &[String]) -> Vec<&str> {
    const HARMLESS: [&str; 4] = ["--no-pager", "-P", "--version", "--no-optional-locks"];
    const WITH_VALUE: [&str; 5] = ["-c", "-C", "--git-dir", "--work-tree", "--namespace"];
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
    if listed::is_risky_git_command(command) {
        found.push(command);
    }
    let risky = |word: &&str| {
        let own = match command {
            "rebase" => is_short(word, "-x") || is_short(word, STRATEGY) || is_short(word, "-s"),
            "merge" | "pull" => is_short(word, STRATEGY) || is_short(word, "-s"),
            "cherry-pick" | "revert" => is_short(word, STRATEGY),
            "grep" => is_short(word, "-O"),
            "clone" => is_short(word, "-c") || is_short(word, "-u") || word.starts_with("--te"),
            "init" => word.starts_with("--te"),
            "archive" => is_short(word, "-o"),
            "format-patch" => is_short(word, "-o") || word.starts_with("--output-"),
            "bisect" => *word == "run" || has_pattern(word),
            "submodule" => *word == "foreach" || has_pattern(word),
            _ => false,
        };
        // An address may be the value of an option.
        let address = word.split_once('=').map_or(*word, |(_, value)| value);
        own || address.starts_with("ext::") || address.starts_with("fd::")
    };
    found.extend(words.filter(risky));
    found
}
