//! Reading what `git status --porcelain=v2 --branch -z` writes (git-status(1), "Porcelain Format Version 2").

use throughline_documents::GitStatus;

/// Fields in front of the path of a changed file, its mark included.
const CHANGED: usize = 8;
/// The same for a renamed or copied file. Its old path is a part of its own.
const RENAMED: usize = 9;
/// The same for a file in conflict.
const UNMERGED: usize = 10;

/// The status in an output. Lines of kinds that are not known are passed over: later versions may add some.
pub(crate) fn read(output: &[u8]) -> GitStatus {
    let mut status = GitStatus::default();
    let mut parts = output.split(|byte| *byte == 0).map(String::from_utf8_lossy);
    while let Some(part) = parts.next() {
        let (mark, rest) = part.split_once(' ').unwrap_or((&part, ""));
        match mark {
            "#" => header(&mut status, rest),
            "1" => status.modified.extend(path(&part, CHANGED)),
            "2" => {
                status.modified.extend(path(&part, RENAMED));
                parts.next();
            }
            "u" => status.modified.extend(path(&part, UNMERGED)),
            "?" => status.untracked.push(rest.to_owned()),
            _ => {}
        }
    }
    for list in [&mut status.modified, &mut status.untracked] {
        list.sort_unstable();
        list.dedup();
    }
    status
}

/// The branch and the commit in the lines of `git rev-parse --is-inside-work-tree HEAD --symbolic-full-name HEAD`. `None`: there
/// is no working tree.
pub(crate) fn read_head(output: &[u8]) -> Option<GitStatus> {
    let text = String::from_utf8_lossy(output);
    let mut lines = text.lines();
    if lines.next() != Some("true") {
        return None;
    }
    let head_commit = lines.next()?.to_owned();
    // Without a branch HEAD names itself.
    let branch =
        lines.next().and_then(|name| name.strip_prefix("refs/heads/")).unwrap_or_default().to_owned();
    Some(GitStatus { branch, head_commit, ..GitStatus::default() })
}

fn header(status: &mut GitStatus, text: &str) {
    match text.split_once(' ') {
        Some(("branch.oid", commit)) if commit != "(initial)" => commit.clone_into(&mut status.head_commit),
        Some(("branch.head", branch)) if branch != "(detached)" => branch.clone_into(&mut status.branch),
        _ => {}
    }
}

/// The path behind this many fields. It may hold spaces itself.
fn path(part: &str, fields: usize) -> Option<String> {
    part.splitn(fields + 1, ' ').nth(fields).filter(|path| !path.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests;
