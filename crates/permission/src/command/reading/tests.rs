//! Commands that only read, and those that do more.

use std::fs;

use super::*;
use crate::command::parse_plain;

fn reads(line: &str, workspace: &Path) -> bool {
    only_reads(&parse_plain(line).unwrap_or_default(), workspace, false)
}

#[test]
fn commands_that_read_the_workspace_are_known() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = folder.path().canonicalize().unwrap();
    for line in [
        "ls -la",
        "git status --short",
        "git diff HEAD~1 -- src/a.rs",
        "head -5",
        "cat calc.py",
        "grep -rn word src",
        "find . -name '*.rs'",
        "wc -l a.txt",
        "git log --oneline -5",
        "git log -Sword --pretty=format:%h --since=2.weeks -- src",
        "git show HEAD:src/a.rs",
        "git blame -L 1,5 src/a.rs",
        "rg -n word",
        "rg -in -g '*.rs' -A3 'a|b' src",
        "ls -R src",
        "tree -L 2 -I target",
        "cut -d/ -f1 a.txt",
        "head -n -5 a.txt",
        "find . -type f -mtime -1 -size +10k -not -path './target/*'",
        "grep --include='*.rs' -rlE 'a|b' src",
        "echo --- a ---",
        "sort -t, -k2,2nr a.txt",
    ] {
        assert!(reads(line, &workspace), "{line}");
    }
    assert!(reads(&format!("cat {}/a.txt", workspace.display()), &workspace));
}

#[test]
fn others_and_those_that_write_or_lead_out_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = folder.path().canonicalize().unwrap();
    std::os::unix::fs::symlink("/etc/hostname", workspace.join("link")).unwrap();
    for line in [
        "rm a.txt",
        "sort -o a.txt b.txt",
        "find . -delete",
        "find . -exec rm",
        "cat /etc/passwd",
        "cat ~/.ssh/id_rsa",
        "cat ../secret",
        "cat link",
        "./ls",
        "src/cat a",
        "git push",
        "git -c core.pager=x log",
        "git diff --no-index /a /b",
        "grep -f /etc/passwd a",
        "grep -Rn word .",
        "uniq a b",
        "env",
        "python3 a.py",
        "git branch new",
        "tail --follow=name a",
        "git diff --output=x",
        "git diff --ext-diff",
        "diff --from-file=/etc/passwd a",
        // An option with its value in one word, and a list of files.
        "file -m/etc/shadow a.txt",
        "file -m a.txt:/etc/shadow a.txt",
        "file --magic-file=a.txt:/etc/shadow a.txt",
        "git ls-files -oi -X/etc/passwd",
        "git diff -O/etc/passwd",
        "git blame -S/etc/passwd a",
        "sort -T/etc a",
        "grep -e -- -f/etc/passwd",
        // What another program does.
        "rg -z word",
        "diff -l a.txt b.txt",
        "git log --format=%G?",
        "git diff --submodule=diff",
        // A later version may have it.
        "cat --new-option a.txt",
    ] {
        assert!(!reads(line, &workspace), "{line}");
    }
}

#[test]
fn a_line_that_changes_the_folder_reads_there() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = folder.path().canonicalize().unwrap();
    fs::create_dir_all(workspace.join("sub/inner")).unwrap();
    std::os::unix::fs::symlink("/etc", workspace.join("sub/link")).unwrap();
    for line in ["cd sub && cat a.txt", "cd sub; ls -la inner", "cd sub/inner && cat a | wc -l"] {
        assert!(reads(line, &workspace), "{line}");
    }
    for line in [
        "cd && cat .netrc",
        "cd - && cat a",
        "cd a b",
        "cd /etc && cat hostname",
        "cd sub/link && cat hostname",
        "cd sub && cat link/hostname",
        "cd missing || cd sub && cat link/hostname",
        // Its settings may name programs.
        "cd sub && git status",
    ] {
        assert!(!reads(line, &workspace), "{line}");
    }
}

#[test]
fn a_pattern_that_matches_a_link_out_of_the_workspace_is_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = folder.path().canonicalize().unwrap();
    fs::create_dir_all(workspace.join("sub/inner")).unwrap();
    fs::write(workspace.join("sub/notes.txt"), "").unwrap();
    std::os::unix::fs::symlink("/etc/hostname", workspace.join("sub/note-link")).unwrap();
    std::os::unix::fs::symlink("inner", workspace.join("sub/inside")).unwrap();
    for line in ["cat sub/*.txt", "ls sub/ins*", "grep -n 'a.*b' sub/notes.txt", "find . -name '*.rs'"] {
        assert!(reads(line, &workspace), "{line}");
    }
    for line in ["cat sub/note*", "cat s*/note-l?nk", "cd sub && cat note*", "cat sub/[n]ote-link"] {
        assert!(!reads(line, &workspace), "{line}");
    }
}

#[test]
fn what_follows_links_by_itself_or_by_a_shortened_option_is_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = folder.path().canonicalize().unwrap();
    fs::create_dir_all(workspace.join("one")).unwrap();
    fs::create_dir_all(workspace.join("two")).unwrap();
    assert!(reads("diff a.txt b.txt", &workspace));
    assert!(reads("diff -r --no-dereference one two", &workspace));
    for line in ["diff -r one two", "diff one two", "diff -r o* two", "grep --dereference-r word one"] {
        assert!(!reads(line, &workspace), "{line}");
    }
}

#[test]
fn a_name_that_begins_with_a_dash_is_a_name_and_an_option() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = folder.path().canonicalize().unwrap();
    std::os::unix::fs::symlink("/etc/hostname", workspace.join("-x")).unwrap();
    std::os::unix::fs::symlink("/etc", workspace.join("-d")).unwrap();
    assert!(reads("cat -- -n", &workspace));
    for line in ["cat -- -x", "head -n 1 -- -x", "grep word -- -x", "diff -- -d hostname", "ls -- -d"] {
        assert!(!reads(line, &workspace), "{line}");
    }
}

#[test]
fn a_link_that_an_option_follows_is_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = folder.path().canonicalize().unwrap();
    fs::create_dir_all(workspace.join("d")).unwrap();
    std::os::unix::fs::symlink("/etc/hostname", workspace.join("d/a.txt")).unwrap();
    for line in [
        "diff --to-file=d a.txt",
        "diff --from-file=d a.txt",
        "diff -x --no-dereference d a.txt",
        "tree -l",
        "tree -al",
        "du -L d",
        "ls -L d",
        "find -L .",
        "rg --follow word",
        "stat -L d",
    ] {
        assert!(!reads(line, &workspace), "{line}");
    }
}

#[test]
fn git_in_a_folder_that_is_itself_a_bare_repository_is_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = folder.path().canonicalize().unwrap();
    fs::create_dir_all(workspace.join("objects")).unwrap();
    fs::create_dir_all(workspace.join("refs")).unwrap();
    fs::write(workspace.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    assert!(!reads("git status", &workspace));
    // Git says which of both it is.
    fs::create_dir_all(workspace.join(".git")).unwrap();
    assert!(!reads("git status", &workspace));
}
