//! A disk that takes no more: what was acknowledged stays, the loss is said, and the session goes on later.

use std::fs;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::program::throughline;
use crate::ran::{assert_says, run};
use crate::worker::worker;

// S3-28: the log and the result store fail, and the session goes on without them.
#[test]
fn it_goes_on_without_the_disk_and_says_what_is_lost() {
    let folder = TempDir::new().unwrap();
    let (data, project) = (folder.path().join("data"), folder.path().join("project"));
    fs::create_dir(&project).unwrap();
    // The tables and the first records fit, the others do not.
    let ran = run(&mut limited(&worker(&data, &project, "full", 0), 300));
    let acked = ran
        .out
        .lines()
        .filter_map(|line| line.strip_prefix("@ack "))
        .filter_map(|seq| seq.parse().ok())
        .max();
    let acked: usize = acked.unwrap();
    assert_says(&ran.out, &["log failed: ", "records are kept in memory"]);
    // The model had its last word all the same.
    assert_says(&ran.out, &["They are now rounded like all others"]);
    assert_says(&ran.failed(), &["the end of session full is not kept", "throughline.db"]);

    let export = || run(throughline(&data).args(["export", "full"])).done();
    let kept = export();
    assert!(kept.lines().count() >= acked, "record {acked} was acknowledged");
    run(&mut worker(&data, &project, "full", 0)).done();
    let whole = export();
    assert!(whole.starts_with(&kept) && whole.lines().count() > kept.lines().count());
    assert_says(&whole, &["They are now rounded like all others"]);
}

/// The same command, whose files may have so many blocks of 512 bytes: what goes beyond fails as on a full disk.
fn limited(command: &Command, blocks: u32) -> Command {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!(r#"trap "" XFSZ; ulimit -f {blocks}; exec "$0" "$@""#));
    shell.arg(command.get_program()).args(command.get_args()).stdin(Stdio::null());
    shell
}
