//! A full disk: acknowledged records stay, the loss is reported, and the session continues later.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::json;
use tempfile::TempDir;
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::program::throughline;
use crate::ran::{assert_says, last_object, run};
use crate::worker::worker;

const MODEL: (&str, &str) = ("anthropic", "claude-sonnet-4-5");

// S3-28: the log and the result store fail, and the session continues without them.
#[test]
fn it_continues_without_the_disk_and_reports_the_loss() {
    let folder = TempDir::new().unwrap();
    let (data, project) = (folder.path().join("data"), folder.path().join("project"));
    fs::create_dir(&project).unwrap();
    // The tables and the first records fit, the others do not.
    let ran = run(&mut limited(&worker(&data, &project, "full", 0), 360));
    let acked = ran
        .out
        .lines()
        .filter_map(|line| line.strip_prefix("@ack "))
        .filter_map(|seq| seq.parse().ok())
        .max();
    let acked: usize = acked.unwrap();
    assert_says(&ran.out, &["log failed: ", " in memory again"]);
    // The model had its last word all the same.
    assert_says(&ran.out, &["They are now rounded like all others"]);
    assert_says(&ran.failed(), &["the end of session full is not saved", "throughline.db"]);

    let export = || run(throughline(&data).args(["export", "full"])).done();
    let kept = export();
    assert!(kept.lines().count() >= acked, "record {acked} was acknowledged");
    run(&mut worker(&data, &project, "full", 0)).done();
    let whole = export();
    assert!(whole.starts_with(&kept) && whole.lines().count() > kept.lines().count());
    assert_says(&whole, &["They are now rounded like all others"]);
}

/// A word so often that a disk which is almost full does not take it.
fn large() -> String {
    "word ".repeat(40_000)
}

#[test]
fn a_run_whose_end_is_not_kept_says_so_in_every_format() {
    let (place, server) = (Place::new(), serve(Script::new().then(Answer::text(&large())).repeat_last()));
    assert_eq!(run(&mut place.asks(&server, MODEL, &["Go."])).code, Some(0));
    let asks = |args: &[&str]| run(&mut limited(&place.asks(&server, MODEL, args), 300));
    for output in ["json", "stream-json"] {
        let ran = asks(&["-o", output, "-c", "More."]);
        let printed = last_object(&ran);
        assert_eq!(
            (ran.code, &printed["outcome"], &printed["is_error"]),
            (Some(1), &json!("unsaved"), &json!(true))
        );
        assert_says(printed["error"].as_str().unwrap(), &["the end of session run-", "is not saved: "]);
        assert!(printed["text"].as_str().unwrap().len() > 150_000 && printed["session"].is_string());
    }
    let ran = asks(&["-c", "More."]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.len() > 150_000, "the answer is printed all the same");
    assert_says(
        &ran.err,
        &["is not saved: ", "is saved up to there; to continue: throughline run --resume run-"],
    );
    assert!(!ran.err.contains("keeps everything"), "{}", ran.err);
    assert_eq!(ran.err.matches("is not saved").count(), 1, "{}", ran.err);
}

/// Sizes in blocks at which a different write is the first that fails: the result store's or the log's. Which of them it
/// is differs from run to run, and the outcome is the same.
const FULL_AT: [u32; 4] = [64, 80, 120, 160];

#[test]
fn a_command_on_a_full_disk_is_unsaved_whichever_write_fails() {
    let long = "A long story of words that say very little. ".repeat(1_000);
    let stories = (0..5).fold(Script::new(), |script, _| script.then(Answer::text(&long)));
    let script = stories.then(Answer::text("Short.")).then(Answer::text("Stories were written."));
    let (place, server) = (Place::new(), serve(script.repeat_last()));
    let first = run(&mut place.asks(&server, MODEL, &["-o", "json", "A story."])).json();
    for prompt in ["Another.", "Another.", "Another.", "Another.", "A short one."] {
        run(&mut place.asks(&server, MODEL, &["-o", "json", "-c", prompt])).json();
    }
    for (command, blocks) in ["/compact", "/context rebuild"].iter().flat_map(|c| FULL_AT.map(|b| (c, b))) {
        let ran = run(&mut limited(&place.asks(&server, MODEL, &["-o", "json", "-c", command]), blocks));
        let object = last_object(&ran);
        assert_eq!(
            (ran.code, &object["outcome"], &object["is_error"]),
            (Some(1), &json!("unsaved"), &json!(true)),
            "{command} at {blocks}: {object}"
        );
        assert_eq!((&object["type"], &object["session"]), (&json!("result"), &first["session"]), "{object}");
        assert_eq!(ran.out.lines().count(), 1, "{ran:?}");
    }
}

#[test]
fn a_session_that_the_disk_has_no_room_to_delete_stays_whole() {
    let (place, server) = (Place::new(), serve(Script::new().then(Answer::text(&large())).repeat_last()));
    assert_eq!(run(&mut place.asks(&server, MODEL, &["Go."])).code, Some(0));
    let delete = || place.bare(&["sessions", "delete", "last", "--yes"]);
    let export = || run(&mut place.bare(&["export", "last"]));
    let whole = export().done();
    for blocks in [8, 80, 200] {
        let ran = run(&mut limited(&delete(), blocks));
        assert!(ran.out.is_empty(), "{blocks}: {ran:?}");
        assert_says(&ran.failed(), &["throughline.db cannot grow: ", "make room"]);
        assert_eq!(export().done(), whole, "{blocks}");
    }
    assert_says(&run(&mut delete()).done(), &["Deleted session run-"]);
    export().failed();
}

/// The same command, whose files may have this many blocks of 512 bytes: what goes beyond fails as on a full disk.
fn limited(command: &Command, blocks: u32) -> Command {
    let mut shell = Command::new("sh");
    shell.env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.get_current_dir().map(|folder| shell.current_dir(folder));
    shell.arg("-c").arg(format!(r#"ulimit -f {blocks}; exec "$0" "$@""#));
    shell.arg(command.get_program()).args(command.get_args()).stdin(Stdio::null());
    shell
}
