//! Programs that a repository names. A plain `git status` starts each of them; the probe starts none.

use throughline_documents::{GitError, GitProbe};

use crate::folder::Folder;
use crate::patient;

/// A repository with a committed file whose content has to be looked at: it was rewritten since.
fn repository() -> Folder {
    let folder = Folder::repository();
    folder.write("a", "text\n");
    folder.commit();
    folder
}

/// Writes the file again, later than the index was: what git notes of a file then says nothing.
fn touch(folder: &Folder, name: &str) {
    let file = std::fs::File::options().write(true).open(folder.path().join(name)).unwrap();
    file.set_modified(std::time::SystemTime::now() + std::time::Duration::from_secs(5)).unwrap();
}

/// The command that leaves a trace, and what is in the files: filters give it back.
fn tracing(folder: &Folder) -> String {
    format!("touch '{}'; cat", folder.path().join(".git/started").display())
}

/// Neither the probe starts it, nor is what it tells wrong; a plain git starts it.
async fn check(folder: &Folder, modified: &[&str]) {
    let trace = folder.path().join(".git/started");
    let _ = std::fs::remove_file(&trace);
    let status = patient(folder.path()).status().await.unwrap();
    assert!(!trace.exists(), "the probe starts it");
    assert_eq!(status.modified, modified);
    folder.git(&["--no-optional-locks", "status", "--short"]);
    assert!(trace.exists(), "a plain git starts it");
}

#[tokio::test]
async fn what_watches_the_files() {
    let folder = repository();
    folder.git(&["config", "core.fsmonitor", &format!("{}; false", tracing(&folder))]);
    check(&folder, &[]).await;
}

#[tokio::test]
async fn a_filter() {
    for name in ["x", "", "a.B"] {
        let folder = repository();
        folder.git(&["config", &format!("filter.{name}.clean"), &tracing(&folder)]);
        folder.git(&["config", &format!("filter.{name}.required"), "true"]);
        folder.write(".git/info/attributes", &format!("* filter={name}\n"));
        touch(&folder, "a");
        check(&folder, &[]).await;
    }
}

#[tokio::test]
async fn a_filter_that_an_attribute_of_the_tree_asks_for() {
    let folder = repository();
    folder.write(".gitattributes", "* filter=x\n");
    folder.commit();
    folder.git(&["config", "filter.x.clean", &tracing(&folder)]);
    touch(&folder, "a");
    check(&folder, &[]).await;
}

#[tokio::test]
async fn a_filter_that_serves_many_files() {
    let folder = repository();
    folder.git(&["config", "filter.x.process", &tracing(&folder)]);
    folder.write(".git/info/attributes", "* filter=x\n");
    touch(&folder, "a");
    check(&folder, &[]).await;
}

#[tokio::test]
async fn a_filter_of_a_file_that_the_settings_take_in() {
    let folder = repository();
    folder.write("more", &format!("[filter \"x\"]\n\tclean = \"{}\"\n", tracing(&folder)));
    folder.commit();
    folder.git(&["config", "include.path", "../more"]);
    folder.write(".git/info/attributes", "* filter=x\n");
    touch(&folder, "a");
    check(&folder, &[]).await;
}

#[tokio::test]
async fn a_filter_whose_name_cannot_be_turned_off() {
    let folder = repository();
    folder.git(&["config", "filter.a=b.clean", &tracing(&folder)]);
    folder.write(".git/info/attributes", "* filter=a=b\n");
    touch(&folder, "a");
    let error = patient(folder.path()).status().await.unwrap_err();
    assert!(matches!(&error, GitError::Refused(text) if text.contains("a=b")), "{error:?}");
    assert!(!folder.path().join(".git/started").exists());
}

#[tokio::test]
async fn a_filter_of_a_submodule() {
    let inner = repository();
    let folder = Folder::repository();
    let source = inner.path().to_str().unwrap().to_owned();
    folder.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &source, "sub"]);
    folder.commit();
    folder.git(&["-C", "sub", "config", "filter.x.clean", &tracing(&folder)]);
    folder.write(".git/modules/sub/info/attributes", "* filter=x\n");
    touch(&folder, "sub/a");
    check(&folder, &[]).await;
}

/// A repository whose submodule `sub` has a new commit, and settings that start a program when git looks into it.
fn submodule_with_programs() -> (Folder, Folder) {
    let inner = repository();
    let folder = Folder::repository();
    let source = inner.path().to_str().unwrap().to_owned();
    folder.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &source, "sub"]);
    folder.commit();
    folder.git(&["branch", "other"]);
    folder.git(&["-C", "sub", "commit", "--quiet", "--allow-empty", "--message", "more"]);
    folder.git(&["config", "diff.submodule", "diff"]);
    folder.git(&["config", "submodule.recurse", "true"]);
    folder.git(&["-C", "sub", "config", "diff.y.command", &tracing(&folder)]);
    folder.git(&["-C", "sub", "config", "filter.zz.smudge", &tracing(&folder)]);
    folder.write(".git/modules/sub/info/attributes", "* diff=y filter=zz\n");
    (inner, folder)
}

#[tokio::test]
async fn a_diff_or_a_filter_of_a_submodule_with_a_new_commit() {
    let (_inner, folder) = submodule_with_programs();
    std::fs::write(folder.path().join("sub/a"), "changed").unwrap();
    folder.git(&["-C", "sub", "-c", "filter.zz.smudge=cat", "commit", "--quiet", "--all", "--message", "a"]);
    let trace = folder.path().join(".git/started");
    let _ = std::fs::remove_file(&trace);
    let changes = patient(folder.path()).changes().await.unwrap();
    assert!(changes.contains("+Subproject commit"), "{changes}");
    let _ = patient(folder.path()).switch("other").await;
    assert!(!trace.exists(), "the probe starts it");
    folder.git(&["diff"]);
    assert!(trace.exists(), "a plain git starts it");
}

#[tokio::test]
async fn a_hook() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = repository();
    folder.write(".git/hooks/post-index-change", &format!("#!/bin/sh\n{} </dev/null\n", tracing(&folder)));
    let hook = folder.path().join(".git/hooks/post-index-change");
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    let trace = folder.path().join(".git/started");
    touch(&folder, "a");
    patient(folder.path()).status().await.unwrap();
    assert!(!trace.exists(), "the probe starts it");
    folder.git(&["status", "--short"]);
    assert!(trace.exists(), "a plain git starts it");
}

/// Git 2.54 and later have hooks in the settings, which `core.hooksPath` does not turn off.
#[tokio::test]
async fn a_hook_of_the_settings() {
    let folder = repository();
    folder.git(&["branch", "other"]);
    for event in ["post-checkout", "post-index-change", "reference-transaction"] {
        folder.git(&["config", "--add", "hook.x.event", event]);
    }
    folder.git(&["config", "hook.x.command", &format!("{} </dev/null; true", tracing(&folder))]);
    let trace = folder.path().join(".git/started");
    touch(&folder, "a");
    patient(folder.path()).status().await.unwrap();
    patient(folder.path()).switch("other").await.unwrap();
    patient(folder.path()).switch("new").await.unwrap();
    assert!(!trace.exists(), "the probe starts it");
    let tree = folder.path().join(".git/tree");
    patient(folder.path()).add_worktree(&tree, "third").await.unwrap();
    patient(folder.path()).remove_worktree(&tree).await.unwrap();
    assert!(!trace.exists(), "the probe starts it");
}

/// Repositories inside of another one have settings of their own: one that its index names without `.gitmodules`, and a folder that
/// git does not know.
#[tokio::test]
async fn programs_of_a_nested_repository() {
    let folder = repository();
    let trace = folder.path().join(".git/started");
    for name in ["known", "unknown"] {
        folder.git(&["init", "--quiet", name]);
        folder.write(&format!("{name}/a"), "text\n");
        folder.git(&["-C", name, "add", "a"]);
        folder.git(&["-C", name, "commit", "--quiet", "--message", "one"]);
    }
    folder.git(&["-c", "advice.addEmbeddedRepo=false", "add", "known"]);
    folder.git(&["commit", "--quiet", "--message", "a nested one"]);
    folder.git(&["branch", "other", "HEAD~1"]);
    for name in ["known", "unknown"] {
        folder.git(&["-C", name, "commit", "--quiet", "--allow-empty", "--message", "two"]);
        folder.git(&["-C", name, "config", "core.fsmonitor", &format!("{}; false", tracing(&folder))]);
        folder.git(&["-C", name, "config", "filter.x.clean", &tracing(&folder)]);
        folder.git(&["-C", name, "config", "diff.y.command", &tracing(&folder)]);
        folder.write(&format!("{name}/.git/info/attributes"), "* filter=x diff=y\n");
        folder.write(&format!("{name}/a"), "other\n");
    }
    // What the settings and `.gitmodules` ask for is not what the probe does.
    folder.write(".gitmodules", "[submodule \"known\"]\n\tpath = known\n\tignore = none\n");
    folder.git(&["config", "diff.submodule", "diff"]);
    folder.git(&["config", "diff.ignoreSubmodules", "none"]);
    folder.git(&["config", "submodule.recurse", "true"]);
    folder.git(&["config", "submodule.known.active", "true"]);
    folder.git(&["config", "submodule.known.update", &format!("!{}", tracing(&folder))]);
    let _ = std::fs::remove_file(&trace);
    let changes = patient(folder.path()).changes().await.unwrap();
    assert!(changes.contains("+Subproject commit"), "{changes}");
    patient(folder.path()).status().await.unwrap();
    patient(folder.path()).switch("other").await.unwrap();
    assert!(!trace.exists(), "the probe starts it");
    folder.git(&["-c", "submodule.recurse=false", "switch", "--quiet", "main"]);
    folder.git(&["status", "--short"]);
    assert!(trace.exists(), "a plain git starts it");
}

/// A clone without some of its content gets it when it is needed, by a program that its settings may name.
#[tokio::test]
async fn what_fetches_the_missing_content() {
    let folder = Folder::repository();
    let lines: String = (0..1_000).map(|line| format!("line {line}\n")).collect();
    folder.write("old", &lines);
    folder.commit();
    let blob = folder.git(&["rev-parse", "HEAD:old"]);
    let (start, end) = blob.trim().split_at(2);
    folder.git(&["mv", "old", "new"]);
    folder.write("new", &format!("{lines}more\n"));
    folder.git(&["add", "new"]);
    folder.remove(&format!(".git/objects/{start}/{end}"));
    for (setting, value) in [
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", "ssh://nowhere.invalid/x"),
        ("core.sshCommand", &format!("{} </dev/null; false", tracing(&folder))),
    ] {
        folder.git(&["config", setting, value]);
    }
    let trace = folder.path().join(".git/started");
    let error = patient(folder.path()).status().await.unwrap_err();
    assert!(matches!(error, GitError::Refused(_)), "{error:?}");
    assert!(!trace.exists(), "the probe starts it");
    let plain = std::process::Command::new("git")
        .args(["status", "--short"])
        .current_dir(folder.path())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output();
    assert!(!plain.unwrap().status.success() && trace.exists(), "a plain git starts it");
}

/// A command of the model can write settings at any time, also between two looks at them.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_filter_that_comes_and_goes() {
    use landlock::{AccessFs, CompatLevel, Compatible as _, Ruleset, RulesetAttr as _};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    let rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    if rules.handle_access(AccessFs::Execute).and_then(Ruleset::create).is_err() {
        println!("skipped: this system has no Landlock");
        return;
    }
    let folder = repository();
    folder.write(".git/info/attributes", "* filter=x\n");
    folder.git(&["branch", "other"]);
    touch(&folder, "a");
    let settings = folder.path().join(".git/config");
    let good = std::fs::read_to_string(&settings).unwrap();
    let evil = format!("{good}[filter \"x\"]\n\tclean = \"{0}\"\n\tsmudge = \"{0}\"\n", tracing(&folder));
    let ended = Arc::new(AtomicBool::new(false));
    let (over, next) = (Arc::clone(&ended), folder.path().join(".git/next"));
    let exchanging = std::thread::spawn(move || {
        while !over.load(Ordering::Relaxed) {
            for text in [&evil, &good] {
                std::fs::write(&next, text).unwrap();
                std::fs::rename(&next, &settings).unwrap();
            }
        }
    });
    let probe = patient(folder.path());
    for _ in 0..60 {
        // A refusal is no start.
        let _ = (probe.status().await, probe.changes().await, probe.switch("other").await);
        let _ = probe.switch("main").await;
    }
    ended.store(true, Ordering::Relaxed);
    exchanging.join().unwrap();
    assert!(!folder.path().join(".git/started").exists(), "the probe starts it");
    assert!(probe.status().await.unwrap().modified.is_empty());
}

/// Settings can hold for a further working tree alone.
#[tokio::test]
async fn a_filter_of_a_further_working_tree() {
    let folder = repository();
    folder.write(".git/info/attributes", "* filter=x\n");
    folder.git(&["branch", "other"]);
    let program = tracing(&folder);
    folder.write(
        ".git/more",
        &format!("[filter \"x\"]\n\tclean = \"{program}\"\n\tsmudge = \"{program}\"\n\trequired = true\n"),
    );
    folder.git(&["config", "includeIf.gitdir:**/worktrees/**.path", "more"]);
    let trace = folder.path().join(".git/started");
    let place = Folder::empty();
    for branch in ["other", "new"] {
        let tree = place.path().join(branch);
        patient(folder.path()).add_worktree(&tree, branch).await.unwrap();
        assert_eq!(std::fs::read_to_string(tree.join("a")).unwrap(), "text\n");
        patient(folder.path()).remove_worktree(&tree).await.unwrap();
        assert!(!trace.exists() && !tree.exists(), "the probe starts it");
    }
    let tree = place.path().join("plain");
    folder.git(&["worktree", "add", "--quiet", tree.to_str().unwrap(), "other"]);
    assert!(trace.exists(), "a plain git starts it");
}

/// A working tree that cannot be filled leaves nothing behind.
#[tokio::test]
async fn a_further_working_tree_with_a_filter_that_cannot_be_turned_off() {
    let folder = repository();
    folder.write(".git/more", "[filter \"a=b\"]\n\tsmudge = cat\n");
    folder.git(&["config", "includeIf.gitdir:**/worktrees/**.path", "more"]);
    let place = Folder::empty();
    let tree = place.path().join("tree");
    let refused = patient(folder.path()).add_worktree(&tree, "new").await.unwrap_err();
    assert!(matches!(&refused, GitError::Refused(text) if text.contains("a=b")), "{refused:?}");
    assert!(!tree.exists(), "the folder stays");
    assert_eq!(folder.git(&["branch", "--list", "new"]), "", "the branch stays");
}
