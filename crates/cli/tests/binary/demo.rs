//! The demo, as a newcomer runs it.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;
use throughline_text::group_thousands;

use crate::program::throughline;
use crate::ran::{assert_says, run};
use crate::sample::{sample, session_of};

#[test]
fn it_runs_to_its_end_within_a_minute() {
    let demo = sample();
    assert!(demo.lasted < Duration::from_secs(60), "{:?}", demo.lasted);
    assert_says(
        &demo.out,
        &[
            "No network, no key.",
            &format!("project   {}\n", demo.project.canonicalize().unwrap().display()),
            "The process was killed (SIGKILL) in the middle of a tool call. This one continues from its log.",
            "stored as r-",
            "engine  compacted ",
            "engine  snapshot saved",
        ],
    );
    let end = demo.out.lines().rev().take(4).collect::<Vec<_>>();
    assert_says(end[0], &["throughline show", &demo.id]);
    assert_says(end[1], &["Inspect it:  throughline context", &demo.id]);
    assert_says(end[2], &["session  ", &demo.id, &demo.data.join("throughline.db").display().to_string()]);
}

#[test]
fn its_output_has_no_control_lines_and_no_colours() {
    for line in sample().out.lines() {
        assert!(!line.starts_with('@'), "{line}");
        assert!(!line.contains('\u{1b}'), "{line:?}");
    }
}

#[test]
fn its_table_is_counted_from_the_log() {
    let demo = sample();
    let log = demo.export();
    let count = |part: &str| log.lines().filter(|line| line.contains(part)).count();
    let row = |name: &str| {
        let line = demo.out.lines().find(|line| line.trim_start().starts_with(name));
        line.unwrap_or_else(|| panic!("no row {name}"))
            .trim_start()
            .strip_prefix(name)
            .unwrap()
            .trim()
            .to_owned()
    };
    assert_eq!(row("requests"), count(r#""kind":"receipt""#).to_string());
    assert_eq!(row("compactions"), count(r#""kind":"edit""#).to_string());
    assert_eq!(row("reads of stored results"), count(r#""name":"read_result","input""#).to_string());
    let parsed = |line| serde_json::from_str::<serde_json::Value>(line).unwrap();
    let sent = |field: &str| -> u64 {
        let pointer = format!("/body/reported/{field}");
        log.lines().map(parsed).filter_map(|record| record.pointer(&pointer)?.as_u64()).sum()
    };
    let (read, written, neither) = (sent("cache_read"), sent("cache_write"), sent("input"));
    assert!(read > 0 && written > 0);
    assert_eq!(row("tokens sent"), group_thousands(read + written + neither));
    assert_eq!(row("read from the cache"), group_thousands(read));
    assert_eq!(row("written to the cache"), group_thousands(written));
    assert_eq!(row("neither"), group_thousands(neither));
    for name in ["results offloaded", "results in the store"] {
        assert!(!row(name).starts_with('0'), "{name}: {}", row(name));
    }
}

#[test]
fn the_work_is_really_done() {
    let project = &sample().project;
    let commits = run(Command::new("git").args(["rev-list", "--count", "HEAD"]).current_dir(project)).done();
    assert_eq!(commits, "2\n");
    let tests = run(Command::new("sh").arg("run-tests.sh").current_dir(project)).done();
    assert_eq!(tests.lines().last(), Some("1320 passed, 0 failed"));
    assert_eq!(run(Command::new("git").args(["status", "--porcelain"]).current_dir(project)).done(), "");
}

#[test]
fn without_options_it_leaves_nothing_and_with_keep_its_last_lines_work() {
    let home = TempDir::new().unwrap();
    let at_home = |program: &str| {
        let mut command = Command::new(program);
        command
            .env("XDG_DATA_HOME", home.path().join("xdg"))
            .env("HOME", home.path())
            .env("TMPDIR", home.path());
        command
    };
    let demo = |more: &[&str]| {
        let mut command = at_home(env!("CARGO_BIN_EXE_throughline"));
        run(command.args(["demo", "--pace", "0"]).args(more)).done()
    };
    let left = || fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
    let out = demo(&[]);
    assert_says(&out, &["removed again", "throughline demo --keep"]);
    assert_eq!(left(), Vec::<PathBuf>::new(), "{out}");

    let out = demo(&["--keep"]);
    let [folder] = left().try_into().unwrap();
    assert_eq!(out.lines().last(), Some(&*format!("To remove all of it:  rm -r {}", folder.display())));
    assert!(folder.join("project/README.md").is_file());
    assert!(folder.join("data/throughline.db").is_file());
    let commands: Vec<&str> =
        out.lines().filter_map(|line| Some(line.split_once("   throughline ")?.1)).collect();
    assert_eq!(commands.len(), 1, "{out}");
    let inspect = out.lines().find_map(|line| line.strip_prefix("Inspect it:  throughline "));
    for arguments in commands.into_iter().chain(inspect) {
        assert_says(arguments, &[session_of(&out), "--data-dir"]);
        let ran = run(at_home(env!("CARGO_BIN_EXE_throughline")).args(arguments.split(' ')));
        assert!(ran.done().len() > 100, "{arguments}");
    }
    assert!(!home.path().join("xdg").exists(), "the user's own data folder has nothing of it");
}

#[test]
fn a_folder_that_holds_something_is_refused_and_left_alone() {
    let folder = TempDir::new().unwrap();
    let (data, project) = (folder.path().join("data"), folder.path().join("project"));
    fs::create_dir(&project).unwrap();
    fs::write(project.join("mine.txt"), "mine").unwrap();
    let says = run(throughline(&data).args(["demo", "--workspace"]).arg(&project)).failed();
    assert_says(&says, &[&project.display().to_string(), "is not empty; name an empty one"]);
    let left: Vec<_> = fs::read_dir(&project).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left, ["mine.txt"]);

    let file = project.join("mine.txt");
    let says = run(throughline(&data).args(["demo", "--workspace"]).arg(&file)).failed();
    assert_says(&says, &["could not create the folder", &file.display().to_string()]);
    assert_eq!(fs::read(&file).unwrap(), b"mine");
}

#[test]
fn without_git_it_says_what_to_install() {
    let folder = TempDir::new().unwrap();
    let mut demo = throughline(&folder.path().join("data"));
    demo.args(["demo", "--workspace"]).arg(folder.path().join("project")).env("PATH", folder.path());
    assert_says(&run(&mut demo).failed(), &["could not run git", "install git"]);
}
