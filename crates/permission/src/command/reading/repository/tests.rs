//! Repositories that come with a folder.

use std::fs;

use super::*;

/// A working tree with these further settings.
fn tree(settings: &str) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let git = root.path().join(".git");
    for folder in ["objects", "refs", "hooks"] {
        fs::create_dir_all(git.join(folder)).unwrap();
    }
    fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    let usual = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n[remote \"origin\"]\n\turl = \
                 git@example.org:a/b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"main\"]\n\tremote = \
                 origin\n\tmerge = refs/heads/main\n[user]\n\tname = Ann # of here\n";
    fs::write(git.join("config"), format!("{usual}{settings}")).unwrap();
    root
}

/// An index whose one entry has this mode.
fn index(mode: u32) -> Vec<u8> {
    let mut bytes = b"DIRC\0\0\0\x02\0\0\0\x01".to_vec();
    bytes.extend([0; 24]);
    bytes.extend(mode.to_be_bytes());
    bytes.extend([0; 8]);
    // The length of the file looks like the mode of a submodule.
    bytes.extend(57_344_u32.to_be_bytes());
    bytes.extend([0; 24]);
    bytes
}

#[test]
fn a_repository_with_plain_settings_starts_nothing() {
    for settings in ["", "; a comment\n\n[color]\n\tui = auto\n", "[alias]\n", "[diff]\n\trenames\n"] {
        let root = tree(settings);
        assert!(names_no_program(root.path()), "{settings}");
        let below = root.path().join("src");
        fs::create_dir(&below).unwrap();
        assert!(names_no_program(&below), "{settings}");
    }
}

#[test]
fn settings_that_may_name_a_program_or_another_file_are_found() {
    for settings in [
        "[core]\n\tfsmonitor = id\n",
        "[core] fsmonitor = id\n",
        "[core] fsmonitor = id ;]\n",
        "[CORE]\n\tFSMONITOR = id\n",
        "[core]\nhooksPath=hooks\n",
        "[core]\n\tworktree = /etc\n",
        "[diff]\n\texternal = id\n",
        "[diff \"x\"]\n\ttextconv = id\n",
        "[filter \"x\"]\n\tclean = id\n",
        "[gpg]\n\tprogram = id\n",
        "[include]\n\tpath = more\n",
        "[includeIf \"gitdir:**\"]\n\tpath = more\n",
        "[remote \"origin\"]\n\tpromisor = true\n",
        "[extensions]\n\tpartialclone = origin\n",
        "[user]\n\tname = a\\\n[core]\\\n\tfsmonitor = id\n",
        "[later]\n\tsetting = x\n",
    ] {
        assert!(!names_no_program(tree(settings).path()), "{settings}");
    }
}

#[test]
fn settings_that_are_not_read_to_their_end_may_name_a_program() {
    let length = fs::metadata(tree("").path().join(".git/config")).unwrap().len();
    let padded = |bytes: u64| tree(&format!(";{}\n", "x".repeat((bytes - length - 2) as usize)));
    assert!(names_no_program(padded(LONGEST).path()));
    assert!(!names_no_program(padded(LONGEST + 1).path()));
}

#[test]
fn what_else_starts_programs_or_leads_elsewhere_is_found() {
    let with = |change: &dyn Fn(&Path)| {
        let root = tree("");
        change(&root.path().join(".git"));
        names_no_program(root.path())
    };
    assert!(with(&|git| fs::write(git.join("index"), index(0o100_644)).unwrap()));
    assert!(
        with(&|git| fs::write(git.join("hooks/pre-commit"), "id").unwrap()),
        "no reading command runs it"
    );
    assert!(!with(&|git| fs::write(git.join("index"), index(0o160_000)).unwrap()));
    assert!(!with(&|git| fs::write(git.join("sharedindex.1"), "").unwrap()));
    assert!(!with(&|git| fs::write(git.join("hooks/post-index-change"), "id").unwrap()));
    assert!(!with(&|git| fs::write(git.join("config.worktree"), "[core]\nfsmonitor=id\n").unwrap()));
    assert!(!with(&|git| fs::write(git.join("HEAD"), "no head\n").unwrap()), "git looks elsewhere");
    assert!(!with(&|git| {
        let bare = git.parent().unwrap();
        fs::write(bare.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        fs::create_dir(bare.join("objects")).unwrap();
        fs::create_dir(bare.join("refs")).unwrap();
    }));
}

#[cfg(unix)]
#[test]
fn what_cannot_be_opened_may_name_a_program() {
    for name in ["config", "config.worktree", "index"] {
        let root = tree("");
        let file = root.path().join(".git").join(name);
        fs::remove_file(&file).ok();
        std::os::unix::fs::symlink(&file, &file).unwrap();
        assert!(!names_no_program(root.path()), "{name}");
    }
}

#[test]
fn a_further_worktree_has_the_settings_of_its_repository() {
    for (settings, is_harmless) in [("", true), ("[core]\n\tfsmonitor = id\n", false)] {
        let root = tree(settings);
        let own = root.path().join(".git/worktrees/one");
        fs::create_dir_all(&own).unwrap();
        fs::write(own.join("HEAD"), format!("{}\n", "0a".repeat(20))).unwrap();
        fs::write(own.join("commondir"), "../..\n").unwrap();
        let tree = tempfile::tempdir().unwrap();
        fs::write(tree.path().join(".git"), format!("gitdir: {}\n", own.display())).unwrap();
        assert_eq!(names_no_program(tree.path()), is_harmless);
    }
}
