//! Commands that only read, and those that do more.

use super::*;

fn reads(line: &str, workspace: &Path) -> bool {
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    only_reads(&words, workspace)
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
        "find . -name *.rs",
        "wc -l a.txt",
        "git log --oneline -5",
        "rg -n word",
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
    ] {
        assert!(!reads(line, &workspace), "{line}");
    }
}
