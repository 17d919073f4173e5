//! What hangs ends, and what does not is left alone.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::{descendants, status_within};

#[test]
fn a_command_in_time_keeps_its_status() {
    let status = status_within(Command::new("sh").args(["-c", "exit 3"]), Duration::from_secs(60)).unwrap();
    assert_eq!(status.unwrap().code(), Some(3));
}

#[test]
fn a_command_that_hangs_is_ended_with_all_that_it_started() {
    let folder = std::env::temp_dir().join(format!("throughline-limit-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let line = "sh -c 'sleep 300 & echo $! > new; mv new deep; wait' & wait";
    let start = Instant::now();
    let mut command = Command::new("sh");
    let status =
        status_within(command.args(["-c", line]).current_dir(&folder), Duration::from_secs(5)).unwrap();
    assert!(status.is_none(), "{status:?}");
    assert!(start.elapsed() < Duration::from_secs(60));
    let deep = std::fs::read_to_string(folder.join("deep")).unwrap();
    assert!(!deep.trim().is_empty());
    let lives = || {
        let stat = std::fs::read_to_string(Path::new("/proc").join(deep.trim()).join("stat"));
        stat.is_ok_and(|stat| !stat.contains(") Z "))
    };
    while lives() {
        assert!(start.elapsed() < Duration::from_secs(60), "the grandchild lives on");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn descendants_are_found_at_any_depth_and_others_are_not() {
    let table = "  1 0\n 10 1\n 11 10\n 12 11\n 13 1\nnonsense\n 14 10\n";
    assert_eq!(descendants(table, 10), [11, 14, 12]);
    assert!(descendants(table, 99).is_empty());
}
