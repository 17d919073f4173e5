//! Git folders: what decides which programs git runs stays unchanged, and work in a worktree is possible.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::attack::{Attack, in_each_place};
use crate::commands::{is_incomplete, said};
use crate::users::{User, as_each_user};

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
        if is_incomplete(&output) {
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

/// What a command does to a git folder so that git runs a program of its own later.
fn attacks(folder: &str) -> String {
    format!(
        "f={folder}; git config -f $f/config core.fsmonitor evil; echo evil >> $f/config; mv $f/config $f/c; mkdir -p $f/hooks; \
         echo evil > $f/hooks/post-commit; mv $f/hooks $f/h; mkdir -p $f/hooks; echo evil > $f/hooks/post-commit; \
         echo .. > $f/commondir; echo evil > $f/config.worktree; mv $f $f-old; "
    )
}

/// In a folder, a command commits and attacks these files and git folders, named from the home folder: they stay unchanged.
fn attack_in(attack: &Attack, user: User, folder: &str, git_folders: &[&str], files: &[&str]) {
    let home = attack.home();
    let config = |folder: &&str| fs::read_to_string(home.join(folder).join("config")).unwrap();
    let text = |file: &&str| fs::read_to_string(home.join(file)).unwrap();
    let before: Vec<String> = git_folders.iter().map(config).chain(files.iter().map(text)).collect();
    // By both kinds of path: what is mounted holds for each.
    let places = |inside: &&str| {
        let relative = Path::new(inside).strip_prefix(folder).ok().map(Path::to_owned);
        let places = relative.into_iter().chain([home.join(inside)]);
        places.map(|place| attacks(&place.to_string_lossy())).collect::<String>()
    };
    let mut line: String = git_folders.iter().map(places).collect();
    for file in files {
        let file = home.join(file);
        line += &format!("f={}; echo evil > $f; rm -f $f; mv ${{f%/*}} ${{f%/*}}-old; ", file.display());
    }
    let commit =
        "g='git -c user.name=t -c user.email=t@example.org'; $g commit -q --allow-empty -m two && echo made";
    let calls = [line.as_str(), commit].map(|line| ("shell", json!({ "command": line })));
    let (results, output) = attack.run_in(&home.join(folder), &[], &calls);
    if is_incomplete(&output) {
        return;
    }
    let after: Vec<String> = git_folders.iter().map(config).chain(files.iter().map(text)).collect();
    assert_eq!(after, before, "{user:?} {folder}: {results:?}");
    for inside in git_folders {
        for planted in ["hooks/post-commit", "h", "c", "commondir", "config.worktree"] {
            assert!(!home.join(inside).join(planted).exists(), "{user:?} {inside}/{planted}: {results:?}");
        }
    }
    assert!(results[1].contains("made"), "{user:?} {folder}: {results:?}");
}

/// Adds a repository, `inner`, as a submodule of this name.
fn add_submodule(attack: &Attack, folder: &Path, name: &str) {
    let inner = attack.home().join("inner");
    if !inner.exists() {
        git(&attack.home(), &["init", "-q", "inner"]);
        git(&inner, &["commit", "-q", "--allow-empty", "-m", "one"]);
    }
    git(folder, &["submodule", "--quiet", "add", inner.to_str().unwrap(), name]);
    git(folder, &["commit", "-q", "-m", "one"]);
}

#[test]
fn submodules_of_a_linked_worktree_and_of_its_repository_are_protected() {
    in_each_place(|user, attack| {
        let main = attack.home().join("main");
        git(&attack.home(), &["init", "-q", "main"]);
        add_submodule(&attack, &main, "sub");
        git(&main, &["worktree", "add", "-q", "-f", "../work", "-b", "side"]);
        git(&attack.work(), &["submodule", "--quiet", "update", "--init"]);
        let inside = ["main/.git/modules/sub", "main/.git/worktrees/work/modules/sub"];
        attack_in(&attack, user, "work", &inside, &[]);
    });
}

#[test]
fn a_git_folder_of_any_name_and_a_submodule_of_any_depth_are_protected() {
    in_each_place(|user, attack| {
        fs::create_dir_all(attack.work().join("data/of")).unwrap();
        git(&attack.work(), &["init", "-q", "--separate-git-dir=data/of/git", "."]);
        add_submodule(&attack, &attack.work(), "a/b/c/d/e/f");
        // Nothing makes one without a folder of hooks different.
        fs::remove_dir_all(attack.work().join("data/of/git/hooks")).unwrap();
        let inside = ["work/data/of/git", "work/data/of/git/modules/a/b/c/d/e/f"];
        attack_in(&attack, user, "work", &inside, &["work/.git", "work/a/b/c/d/e/f/.git"]);
    });
}

#[test]
fn a_bare_repository_is_protected() {
    in_each_place(|user, attack| {
        git(&attack.home(), &["init", "-q", "inner"]);
        git(&attack.home().join("inner"), &["commit", "-q", "--allow-empty", "-m", "one"]);
        git(&attack.home(), &["clone", "-q", "--bare", "inner", "work"]);
        git(&attack.work(), &["worktree", "add", "-q", "-b", "side", "tree"]);
        attack_in(&attack, user, "work/tree", &["work"], &["work/tree/.git"]);
        let attacks = attacks(".");
        let Some(text) = said(&attack, &format!("{attacks} echo end")) else { return };
        let config = fs::read_to_string(attack.work().join("config")).unwrap();
        assert!(!config.contains("evil") && text.contains("end"), "{user:?}: {text}");
        assert!(!attack.work().join("hooks/post-commit").exists(), "{user:?}: {text}");
    });
}

#[test]
fn settings_that_others_take_in_are_protected() {
    in_each_place(|user, attack| {
        git(&attack.work(), &["init", "-q"]);
        git(&attack.work(), &["config", "include.path", "../build/settings"]);
        git(&attack.work(), &["config", "includeIf.onbranch:later.path", "../build/of/a/branch"]);
        attack.put("work/build/settings", "[alias]\n\tst = status\n[include]\n\tpath = ../more\n");
        attack.put("work/build/of/a/branch", "[alias]\n\tst = status\n");
        attack.put("work/more", "[alias]\n\tst = status\n");
        attack.put(".gitconfig", "[include]\n\tpath = work/dotfiles/settings\n");
        attack.put("work/dotfiles/settings", "[alias]\n\tst = status\n");
        let files = ["work/build/settings", "work/build/of/a/branch", "work/more", "work/dotfiles/settings"];
        attack_in(&attack, user, "work", &["work/.git"], &files);
    });
}

#[test]
fn a_project_in_a_folder_that_commands_write_is_protected() {
    in_each_place(|user, attack| {
        attack.put(".config/throughline/config.toml", "[tools]\nwritable = [\"~/area\"]\n");
        fs::create_dir(attack.home().join("area")).unwrap();
        git(&attack.home(), &["init", "-q", "area/project"]);
        attack_in(&attack, user, "area/project", &["area/project/.git"], &[]);
    });
}
