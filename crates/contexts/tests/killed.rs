//! A worker that is killed at random moments and repeats all of its operations with the same keys, on a database file.
//!
//! `KILLS` sets the number of kills (60 without it), `KILL_SEED` repeats the moments of an earlier run.

#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may fail")]

#[path = "killed/session.rs"]
mod session;
#[path = "killed/worker.rs"]
mod worker;

use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use throughline_conversation::{Message, Record, RecordBody, Source};

/// Names the folder of the worker, in its process.
const FOLDER: &str = "KILLED_WORKER_FOLDER";
/// Names its kind.
const KIND: &str = "KILLED_WORKER_KIND";

#[test]
fn a_killed_worker_that_repeats_its_operations_with_their_keys_says_everything_once() {
    if let Ok(folder) = std::env::var(FOLDER) {
        let journaled = std::env::var(KIND).is_ok_and(|kind| kind == "journaled");
        return worker::run(Path::new(&folder), journaled);
    }
    let kills = number("KILLS").unwrap_or(60);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let seed = number("KILL_SEED").unwrap_or(now);
    println!("KILL_SEED={seed}");
    let mut moments = Moments(seed);
    let (unkilled, lasts) = {
        let folder = tempfile::tempdir().unwrap();
        let mut child = start(folder.path(), true);
        worker::wait_until_open(folder.path(), &mut child);
        let begun = Instant::now();
        assert!(child.wait().unwrap().success());
        (story(&session::records(folder.path())), begun.elapsed())
    };
    assert_eq!(unkilled.iter().filter(|(_, source)| *source == Source::User).count(), worker::TURNS);
    let (mut killed, mut rounds) = (0, 0);
    while killed < kills {
        rounds += 1;
        killed += round(&mut moments, lasts, rounds % 2 == 0, &unkilled);
    }
    println!("{killed} kills of {rounds} workers; one that is not killed takes {lasts:?}");
}

/// Runs a worker to its end, in as many processes as it takes. Returns how many of them were killed.
fn round(moments: &mut Moments, lasts: Duration, journaled: bool, unkilled: &[(Message, Source)]) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let (mut killed, mut before) = (0, Vec::new());
    loop {
        let mut child = start(folder.path(), journaled);
        if moments.one_of_four() {
            std::thread::sleep(moments.within(lasts));
        } else {
            worker::wait_until_open(folder.path(), &mut child);
            std::thread::sleep(moments.within(lasts));
        }
        child.kill().unwrap();
        let status = child.wait().unwrap();
        assert!(status.success() || status.signal() == Some(9), "the worker failed: {status}");
        let records = session::records(folder.path());
        assert!(records.starts_with(&before), "what was in the log is there, unchanged");
        let keys = keys(&records);
        for acknowledged in worker::acknowledged(folder.path()) {
            let times = keys.iter().filter(|key| **key == acknowledged).count();
            assert_eq!(times, 1, "the log has {acknowledged} once");
        }
        before = records;
        if status.success() {
            break;
        }
        killed += 1;
    }
    let said = story(&before);
    let differs = said.iter().zip(unkilled).position(|(one, other)| one != other);
    assert_eq!((said.len(), differs), (unkilled.len(), None), "messages, and the first that differs");
    killed
}

fn start(folder: &Path, journaled: bool) -> Child {
    worker::forget_opening(folder);
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.env(FOLDER, folder).env(KIND, if journaled { "journaled" } else { "without state" });
    command.stdout(Stdio::null()).stderr(Stdio::inherit()).spawn().unwrap()
}

/// Everything that was said, in order.
fn story(records: &[Record]) -> Vec<(Message, Source)> {
    let said = |record: &Record| match &record.body {
        RecordBody::Message(said) => Some((said.message.clone(), said.source.clone())),
        _ => None,
    };
    records.iter().filter_map(said).collect()
}

fn keys(records: &[Record]) -> Vec<String> {
    let key = |record: &Record| match &record.body {
        RecordBody::Keyed(keyed) => Some(keyed.key.clone()),
        _ => None,
    };
    records.iter().filter_map(key).collect()
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}

/// Moments that look random and are the same for the same seed (Knuth's MMIX generator).
struct Moments(u64);

impl Moments {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 11
    }

    fn within(&mut self, end: Duration) -> Duration {
        end.mul_f64(self.next() as f64 / (1_u64 << 53) as f64)
    }

    fn one_of_four(&mut self) -> bool {
        (self.next() >> 40).is_multiple_of(4)
    }
}
