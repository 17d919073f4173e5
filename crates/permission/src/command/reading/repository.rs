//! Whether the repository of a workspace can make git start a program when it only reads.
//!
//! A folder that was unpacked may have a `.git` of somebody else: its settings name programs that watch files, filter and compare
//! them, its hooks run when an index is written, and git reads a submodule by the settings there. Only settings that are known to
//! name no program are taken.

use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use throughline_tools::{OpenError, open_regular};

use crate::command::options::has_word;

/// Longest file of settings, and largest index, in bytes.
const LONGEST: u64 = 1 << 20;
const LARGEST: u64 = 64 << 20;

/// The hook of commands that read: they refresh the index.
const HOOK: &str = "hooks/post-index-change";

/// The mode of a submodule in an index.
const SUBMODULE: [u8; 4] = 0o160_000_u32.to_be_bytes();

/// Sections and their settings that name no program and no file for commands that read; `*`: all of the section.
const SETTINGS: [(&str, &str); 25] = [
    (
        "core",
        "repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol safecrlf \
         abbrev quotepath longpaths trustctime checkstat compression preloadindex untrackedcache protecthfs protectntfs \
         sparsecheckout sparsecheckoutcone commentchar whitespace bigfilethreshold sharedrepository multipackindex \
         commitgraph",
    ),
    ("extensions", "worktreeconfig objectformat refstorage preciousobjects noop relativeworktrees"),
    // A repository that fetches what is missing is not among them.
    (
        "remote",
        "url pushurl fetch push prune prunetags tagopt mirror skipdefaultupdate skipfetchall gh-resolved",
    ),
    (
        "diff",
        "algorithm renames renamelimit context interhunkcontext colormoved mnemonicprefix noprefix wserrorhighlight",
    ),
    ("log", "date decorate abbrevcommit follow"),
    ("merge", "conflictstyle ff renames"),
    ("index", "version threads"),
    ("status", "short branch showuntrackedfiles renames showstash"),
    ("branch", "*"),
    ("user", "*"),
    ("author", "*"),
    ("committer", "*"),
    ("color", "*"),
    ("column", "*"),
    ("pull", "*"),
    ("push", "*"),
    ("fetch", "*"),
    ("rebase", "*"),
    ("init", "*"),
    ("gc", "*"),
    ("rerere", "*"),
    ("advice", "*"),
    ("lfs", "*"),
    ("commit", "*"),
    // Without a submodule in the index they say nothing.
    ("submodule", "*"),
];

/// Returns true if git finds no repository here, or one that starts no program when it is read.
pub(super) fn names_no_program(workspace: &Path) -> bool {
    let holds = |folder: &&Path| folder.join(".git").symlink_metadata().is_ok() || is_repository(folder);
    let Some(root) = workspace.ancestors().find(holds) else { return true };
    // Both may be one, and git says which.
    !is_repository(root) && git_folder(root).is_some_and(|folder| is_harmless(&folder))
}

/// Returns true if a folder may itself be what is otherwise in `.git`.
fn is_repository(folder: &Path) -> bool {
    ["HEAD", "objects", "refs"].iter().all(|part| folder.join(part).exists())
}

/// The git folder of a working tree. `None`: it is elsewhere in a way that is not understood.
fn git_folder(root: &Path) -> Option<PathBuf> {
    let place = root.join(".git");
    if place.is_dir() {
        return Some(place);
    }
    let text = text_of(&place).ok()??;
    Some(root.join(text.trim_end().strip_prefix("gitdir: ")?))
}

fn is_harmless(own: &Path) -> bool {
    let shared = match text_of(&own.join("commondir")) {
        Ok(None) => own.to_owned(),
        Ok(Some(folder)) => own.join(folder.trim_end()),
        Err(_) => return false,
    };
    let settings = [shared.join("config"), own.join("config.worktree")];
    // With another one, git looks for a repository elsewhere.
    let is_head = |text: &str| {
        text.starts_with("ref: refs/")
            || (text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    text_of(&own.join("HEAD")).is_ok_and(|head| head.is_some_and(|head| is_head(head.trim_end())))
        && ["objects", "refs"].iter().all(|part| shared.join(part).is_dir())
        && !shared.join("objects/info/alternates").exists()
        && !shared.join(HOOK).exists()
        && settings.iter().all(|file| text_of(file).is_ok_and(|text| is_plain(&text.unwrap_or_default())))
        && has_no_submodule(own)
}

/// Returns true if each line of a file of settings is a section, a comment, or a setting that is known to be harmless.
fn is_plain(text: &str) -> bool {
    let mut section = String::new();
    text.lines().map(str::trim).all(|line| {
        if let Some(rest) = line.strip_prefix('[') {
            // What is behind the section on its line is a setting, too.
            let Some(name) = rest.strip_suffix(']').filter(|name| !name.contains(']')) else { return false };
            section = name.split([' ', '\t', '.']).next().unwrap_or_default().to_ascii_lowercase();
            return true;
        }
        let key = line.split_once('=').map_or(line, |(key, _)| key).trim_end().to_ascii_lowercase();
        let known = SETTINGS.iter().find(|(own, _)| *own == section).map_or("", |(_, keys)| keys);
        let is_key = known == "*" || has_word(&[known], &key);
        // A value may continue on the next line.
        line.is_empty() || line.starts_with(['#', ';']) || (is_key && !line.ends_with('\\'))
    })
}

/// Returns true if no entry of the index has the mode of a submodule. The bytes may be there by chance, too.
fn has_no_submodule(own: &Path) -> bool {
    let Ok(index) = bytes_of(&own.join("index"), LARGEST) else { return false };
    let Ok(entries) = own.read_dir() else { return false };
    // A part of the entries may be in another file.
    let is_whole =
        !entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("sharedindex."));
    let index = index.unwrap_or_default();
    // Up to the third version, each entry begins at a multiple of eight bytes behind the twelve of the start.
    let is_aligned = index.get(7).is_some_and(|version| *version < 4);
    let has_mode =
        index.windows(4).enumerate().any(|(at, mode)| mode == SUBMODULE && (!is_aligned || at % 8 == 4));
    is_whole && !has_mode
}

/// The text of a file; `None`: it is missing.
fn text_of(file: &Path) -> Result<Option<String>, Unreadable> {
    let bytes = bytes_of(file, LONGEST)?;
    bytes.map(|bytes| String::from_utf8(bytes).map_err(|_| Unreadable)).transpose()
}

/// A file that is no plain file, too large, or may not be read.
#[derive(Debug)]
struct Unreadable;

fn bytes_of(file: &Path, most: u64) -> Result<Option<Vec<u8>>, Unreadable> {
    match open_regular(file) {
        Err(OpenError::Refused(error)) if error.kind() == ErrorKind::NotFound => Ok(None),
        Ok((opened, found)) if found.len() <= most => {
            let mut bytes = Vec::new();
            let read = opened.take(most).read_to_end(&mut bytes);
            read.map(|_| Some(bytes)).map_err(|_| Unreadable)
        }
        _ => Err(Unreadable),
    }
}

#[cfg(test)]
mod tests;
