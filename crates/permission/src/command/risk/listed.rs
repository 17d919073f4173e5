//! Programs that can run others and write files in many ways, so that only what is harmless is listed. Everything else is a
//! risk, also what a later version adds.

mod sed_script;

use crate::command::options::{KnownOptions, Letters};
use sed_script::is_harmless_script;

/// The harmless options of a program.
struct Listed {
    program: &'static str,
    options: KnownOptions,
}

const LISTED: [Listed; 5] = [
    Listed {
        program: "curl",
        options: KnownOptions {
            flags: "sSfLIivkgG#460N",
            valued: "XHdAemubry",
            long: &[
                "silent show-error fail fail-with-body location head include verbose insecure globoff get no-buffer",
                "compressed http1.1 http2 request header data data-raw data-urlencode json user-agent referer max-time",
                "connect-timeout user range retry retry-delay url max-redirs proto tlsv1.2 tlsv1.3 ipv4 ipv6",
                "no-progress-meter version help",
            ],
        },
    },
    Listed {
        program: "wget",
        options: KnownOptions {
            flags: "qSv46",
            valued: "tTU",
            long: &[
                "quiet no-verbose verbose spider server-response timeout tries header user-agent version help",
                "no-check-certificate inet4-only inet6-only",
            ],
        },
    },
    Listed {
        program: "tar",
        options: KnownOptions {
            flags: "txvzjJkOpwa",
            valued: "f",
            long: &[
                "list extract get file verbose gzip bzip2 xz zstd exclude strip-components wildcards no-same-owner",
                "no-same-permissions keep-old-files to-stdout help version",
            ],
        },
    },
    Listed { program: "xxd", options: KnownOptions { flags: "abEeipu", valued: "cglnos", long: &[] } },
    Listed {
        program: "sed",
        options: KnownOptions {
            flags: "nErsuz",
            valued: "el",
            long: &[
                "quiet silent regexp-extended posix separate unbuffered null-data line-length help version",
            ],
        },
    },
];

/// Git's commands that neither run programs of their arguments nor write outside of the working tree. `init`, `clone`,
/// `worktree` and `bundle` write elsewhere; `config`, `bisect run` and others name programs.
const GIT: [&str; 58] = [
    "add",
    "am",
    "archive",
    "bisect",
    "blame",
    "branch",
    "cat-file",
    "check-attr",
    "check-ignore",
    "checkout",
    "cherry",
    "cherry-pick",
    "clean",
    "commit",
    "count-objects",
    "describe",
    "diff",
    "diff-files",
    "diff-index",
    "diff-tree",
    "fetch",
    "for-each-ref",
    "format-patch",
    "fsck",
    "gc",
    "grep",
    "log",
    "ls-files",
    "ls-remote",
    "ls-tree",
    "merge",
    "merge-base",
    "mv",
    "name-rev",
    "notes",
    "pull",
    "push",
    "range-diff",
    "rebase",
    "reflog",
    "remote",
    "reset",
    "restore",
    "rev-list",
    "rev-parse",
    "revert",
    "rm",
    "shortlog",
    "show",
    "show-branch",
    "show-ref",
    "stash",
    "status",
    "submodule",
    "switch",
    "symbolic-ref",
    "tag",
    "version",
];

/// Returns true if the command of git is not known to be harmless.
pub(super) fn is_risky_git_command(command: &str) -> bool {
    !GIT.contains(&command)
}

/// Returns true if the harmless options of a program are listed.
pub(super) fn knows(program: &str) -> bool {
    matches!(program, "dd" | "git") || LISTED.iter().any(|listed| listed.program == program)
}

/// The words of a listed program that are not known to be harmless; none for other programs.
pub(super) fn risks<'a>(program: &str, words: &'a [String]) -> Vec<&'a str> {
    if program == "dd" {
        const HARMLESS: [&str; 8] = ["if=", "bs=", "ibs=", "obs=", "count=", "skip=", "status=", "iflag="];
        let risky = |word: &&str| !HARMLESS.iter().any(|start| word.starts_with(start));
        return words.iter().map(String::as_str).filter(risky).collect();
    }
    LISTED.iter().find(|listed| listed.program == program).map_or_else(Vec::new, |listed| listed.risks(words))
}

impl Listed {
    fn risks<'a>(&self, words: &'a [String]) -> Vec<&'a str> {
        let (mut found, mut operands) = (Vec::new(), Vec::new());
        let mut has_script = false;
        let mut rest = words.iter().map(String::as_str).enumerate().peekable();
        while let Some((at, word)) = rest.next() {
            // The letters of tar's first word need no dash.
            let letters = word.strip_prefix('-').or((at == 0 && self.program == "tar").then_some(word));
            match letters {
                Some("" | "-") | None => operands.push(word),
                Some(long) if long.starts_with('-') => {
                    let (name, value) = long.trim_start_matches('-').split_once('=').unzip();
                    let name = name.unwrap_or(long.trim_start_matches('-'));
                    if self.program == "sed" && name == "expression" {
                        let script = value.or_else(|| rest.next().map(|(_, word)| word)).unwrap_or_default();
                        has_script = true;
                        found.extend((!is_harmless_script(script)).then_some(word));
                    } else if !self.options.has_long(name) {
                        found.push(word);
                    }
                }
                Some(letters) => match self.options.read(letters) {
                    Letters::Unknown => found.push(word),
                    Letters::Value { letter: 'e', text } if self.program == "sed" => {
                        let script =
                            if text.is_empty() { rest.next().map_or("", |(_, next)| next) } else { text };
                        has_script = true;
                        found.extend((!is_harmless_script(script)).then_some(script));
                    }
                    Letters::Value { text: "", .. } => drop(rest.next()),
                    Letters::Flags | Letters::Value { .. } => {}
                },
            }
        }
        match self.program {
            // The first word is the script if no option gives one.
            "sed" if !has_script => {
                found.extend(operands.first().filter(|script| !is_harmless_script(script)));
            }
            // The second file is written.
            "xxd" => found.extend(operands.iter().skip(1)),
            _ => {}
        }
        found
    }
}
