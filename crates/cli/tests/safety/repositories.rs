//! Git folders: what decides which programs git runs stays unchanged, and work in a worktree is possible.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::attack::Attack;
use crate::commands::said;
use crate::users::as_each_user;

fn git(folder: &Path, args: &[&str]) {
    let done = Command::new("git")
        .args([
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.org",
            "-c",
            "protocol.file.allow=always",
            "-C",
        ])
        .arg(folder)
        .args(args)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .output()
        .unwrap();
    assert!(done.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// A folder of another user's repository is not trusted by git: this lets the user of the tests look at it.
fn status(folder: &Path) {
    let _ = Command::new("git")
        .args(["-c", "safe.directory=*", "-C"])
        .arg(folder)
        .args(["status", "--short"])
        .env("GIT_CONFIG_COUNT", "1")
        .env("GIT_CONFIG_KEY_0", "safe.directory")
        .env("GIT_CONFIG_VALUE_0", "*")
        .output()
        .unwrap();
}

/// A repository in the workspace with a submodule, and a worktree of it next to the workspace.
fn repository(attack: &Attack) {
    let (home, work) = (attack.home(), attack.work());
    git(&home, &["init", "-q", "inner"]);
    git(&home.join("inner"), &["commit", "-q", "--allow-empty", "-m", "one"]);
    git(&work, &["init", "-q"]);
    git(&work, &["submodule", "--quiet", "add", home.join("inner").to_str().unwrap(), "sub"]);
    git(&work, &["commit", "-q", "-m", "one"]);
    git(&work, &["worktree", "add", "-q", "../other", "-b", "side"]);
}

/// Settings that start a program, in a folder of the command's own.
const EVIL: &str = "mkdir -p ev; cp .git/config ev/ 2>/dev/null; git config -f ev/config core.fsmonitor \
                    'touch ../planted; false'; git config -f ev/config core.repositoryformatversion 0; \
                    for n in objects refs HEAD; do ln -sf ../.git/$n ev/$n; done; ";

#[test]
fn a_command_points_git_to_no_other_settings() {
    as_each_user(|user| {
        let attack = Attack::new(user);
        repository(&attack);
        let attacks = "echo ../ev > .git/commondir; mv ev/config .git/commondir; rm -f .git/commondir; echo ../ev > \
                       .git/commondir; cp ev/config .git/config.worktree; echo $PWD/ev > .git/worktrees/other/commondir; \
                       cp ev/config .git/modules/sub/config; echo ../ev > .git/modules/sub/commondir; \
                       mv .git/modules/sub .git/modules/old; mv .git/modules .git/old; mv .git/worktrees .git/w; \
                       echo \"gitdir: ../ev\" > sub/.git; rm -f sub/.git; mv sub old; mkdir -p sub; \
                       echo \"gitdir: ../ev\" > sub/.git; git status --short > seen; echo end";
        let Some(text) = said(&attack, &format!("{EVIL}{attacks}")) else { return };
        if text.contains("planted") || !text.contains("end") {
            panic!("{user:?}: {text}");
        }
        for folder in [attack.work(), attack.home().join("other"), attack.work().join("sub")] {
            status(&folder);
        }
        for place in ["planted", "work/planted"] {
            assert!(!attack.home().join(place).exists(), "{user:?}: git ran a program: {text}");
        }
        for left in [".git/commondir", ".git/config.worktree", ".git/modules/sub/commondir"] {
            assert!(!attack.work().join(left).exists(), "{user:?}: {left} is left: {text}");
        }
        assert!(attack.work().join("seen").exists(), "{user:?}: {text}");
    });
}

#[test]
fn git_works_in_a_linked_worktree_and_its_repository_stays_protected() {
    as_each_user(|user| {
        let attack = Attack::new(user);
        repository(&attack);
        fs::remove_dir_all(attack.home().join("other/sub")).unwrap();
        let config = fs::read_to_string(attack.work().join(".git/config")).unwrap();
        let g = "git -c user.name=t -c user.email=t@example.org -c core.hooksPath=/dev/null";
        let work = format!(
            "set -e; {g} commit -q --allow-empty -m two; {g} checkout -q -b new; {g} branch -D side; echo x > f; {g} add f; \
             {g} stash -q; {g} stash pop -q; {g} reset -q --hard HEAD~1; {g} tag t; {g} pack-refs --all; {g} gc -q; echo end"
        );
        let attacks = "r=../work/.git; echo x >> $r/config; echo x > $r/hooks/pre-commit; mv $r/hooks $r/h; echo .. > \
                       $r/commondir; rm -f $r/config; echo $PWD > $r/worktrees/other/commondir; echo x > ../work/planted; \
                       mv ../work ../w; echo end";
        let calls: Vec<(&str, Value)> =
            [work.as_str(), attacks].iter().map(|line| ("shell", json!({ "command": line }))).collect();
        let (results, output) = attack.run_in(&attack.home().join("other"), &[], &calls);
        let notices = String::from_utf8_lossy(&output.stderr);
        if notices.contains("without a sandbox") || notices.contains("mount namespace") {
            println!("skipped: this system has no complete sandbox");
            return;
        }
        assert!(results[0].contains("end"), "{user:?}: {results:?}");
        assert_eq!(fs::read_to_string(attack.work().join(".git/config")).unwrap(), config, "{user:?}");
        for planted in [".git/hooks/pre-commit", ".git/h", ".git/commondir", "planted"] {
            assert!(!attack.work().join(planted).exists(), "{user:?}: {planted}: {results:?}");
        }
        assert_eq!(
            fs::read_to_string(attack.work().join(".git/worktrees/other/commondir")).unwrap(),
            "../..\n"
        );
    });
}
