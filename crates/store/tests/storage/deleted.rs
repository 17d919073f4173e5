//! What was deleted permanently is in no file, however its page was split since.

use std::fs;
use std::path::Path;

use throughline_continuity::MessageLog;
use throughline_continuity::contract::session;
use throughline_conversation::{
    ExchangeId, Message, MessageRecord, Millis, Record, RecordBody, RemovedRecord, Seq, Source,
};

use super::{Fixture, create};

const MARK: &str = "zq7-unmistakable-4b1f";
const SESSIONS: [&str; 3] = ["a", "b", "c"];

fn said(seq: u64, text: &str) -> Record {
    let message = MessageRecord { message: Message::user(text), source: Source::User, usage: None };
    Record { seq: Seq(seq), at: Millis(0), exchange: ExchangeId(1), body: RecordBody::Message(message) }
}

/// Files of the folder that hold the mark.
fn holding(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let holds = |path: &std::path::PathBuf| {
        fs::read(path).unwrap().windows(MARK.len()).any(|part| part == MARK.as_bytes())
    };
    files.filter(holds).map(|path| path.display().to_string()).collect()
}

/// A small generator: the same seed gives the same log.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

// I-8
#[tokio::test]
async fn what_was_deleted_is_in_no_file() {
    for seed in 1..=12 {
        let mut chance = Chance(seed);
        let fixture = Fixture::new().await;
        for id in SESSIONS {
            create(&fixture.store, id).await;
        }
        let log = fixture.store.message_log();
        let mut ends = [0_u64; SESSIONS.len()];
        let mut marked = Vec::new();
        for number in 0..100 + chance.below(100) {
            let at = usize::try_from(chance.below(3)).unwrap();
            ends[at] += 1;
            let size = [50, 200, 600, 900, 2_000, 9_000][usize::try_from(chance.below(6)).unwrap()];
            let fill: String = (0..size).map(|_| char::from(b'a' + chance.below(8) as u8)).collect();
            let text = if chance.below(8) == 0 {
                marked.push((at, ends[at]));
                format!("{MARK} {number} {fill} {MARK}")
            } else {
                fill
            };
            log.append(&session(SESSIONS[at]), &[said(ends[at], &text)]).await.unwrap();
        }
        assert!(!marked.is_empty() && !holding(fixture.dir.path()).is_empty(), "seed {seed}");
        for (at, id) in SESSIONS.into_iter().enumerate() {
            let own = marked.iter().filter(|(of, _)| *of == at);
            let body = RecordBody::Removed(RemovedRecord { was: "message".to_owned() });
            let gone: Vec<Record> =
                own.map(|(_, seq)| Record { body: body.clone(), ..said(*seq, "") }).collect();
            log.redact(&session(id), &gone).await.unwrap();
        }
        assert_eq!(holding(fixture.dir.path()), [""; 0], "seed {seed}");
        assert_eq!(fixture.store.check().await.unwrap(), [""; 0]);
    }
}
