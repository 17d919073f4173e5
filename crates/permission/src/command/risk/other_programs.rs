//! Programs whose options are not known. Any of these options may name a program or a file to write.

use crate::command::base_name;
use crate::command::options::has_word;
use crate::command::parts::CARRIERS;

/// Programs that run a language, or their arguments: nothing of theirs is less than everything.
const LANGUAGES: &[&str] = &[
    "awk gawk mawk nawk python perl ruby php lua node deno java tclsh expect osascript rscript vim vi nvim ex",
    "emacs bundle poetry pdm pipenv hatch tox nox rake rails mix",
];

/// Programs that do with the names that they are given what their own name says, and nothing else.
const PLAIN: &[&str] = &[
    "cd pushd popd mkdir rmdir touch rm cp mv ln chmod chown chgrp truncate tee realpath df ps kill sleep seq",
    "test [ whoami id uname hostname expr md5sum sha1sum sha256sum sha512sum cksum base64 paste fold fmt expand",
    "unexpand join shuf yes export unset set umask ulimit wait tput free uptime nproc arch lscpu tsort od hexdump",
    "strings jq rustfmt black gofmt",
];

/// Options that mean the same everywhere, and take no value.
const OPTIONS: &[&str] = &[
    "help version verbose quiet silent json no-color color all list dry-run check diff force recursive yes",
];
const LETTERS: &str = "hqvV";

/// Folders of programs that are not the project's.
const SYSTEM: [&str; 5] = ["/usr/", "/bin/", "/sbin/", "/opt/", "/snap/"];

/// The words by which a program that is not known may run another one or write to a file of their choice: options, and those that
/// name a file of options.
pub(super) fn risks<'a>(program: &str, words: &'a [String]) -> impl Iterator<Item = &'a str> {
    let name = base_name(program);
    let language = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    // What a program of the project does is up to the project.
    let is_own = program.contains('/') && !SYSTEM.iter().any(|folder| program.starts_with(folder));
    let is_open =
        is_own || CARRIERS.contains(&name) || has_word(LANGUAGES, language) || has_word(PLAIN, name);
    words.iter().map(String::as_str).filter(move |word| !is_open && may_name(word))
}

fn may_name(word: &str) -> bool {
    let Some(letters) = word.strip_prefix('-') else { return word.starts_with(['@', '+']) };
    let long = letters.strip_prefix('-').unwrap_or(letters);
    // A number, or the end of the options.
    let is_plain = long.bytes().all(|byte| byte.is_ascii_digit())
        || letters.chars().all(|letter| LETTERS.contains(letter));
    !is_plain && !has_word(OPTIONS, long)
}
