//! Many sessions on one database, written by several nodes at the same time.

use std::collections::BTreeSet;
use std::thread::scope;

use tempfile::TempDir;
use throughline_continuity::{Part, SessionDirectory, read_all};
use throughline_conversation::{ContentBlock, RecordBody, Seq, Source};
use throughline_testserver::{Answer, Script};

use crate::cluster::{Cluster, open};
use crate::hosted::Hosted;

const NODES: usize = 4;
const SESSIONS: usize = 64;

/// Four servers write sixty-four sessions side by side. Each turn of a session runs on another node than the one before it, and
/// begins as soon as that one has sent its last event. Then nothing may be missing, and nothing be there twice.
pub(crate) fn write_side_by_side(turns: usize) {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let project = TempDir::new().unwrap();
    let project = project.path().to_str().unwrap();
    let nodes: Vec<Hosted> = (0..NODES)
        .map(|_| {
            let script = Script::new().then(Answer::text("Done.")).repeat_last();
            let most = SESSIONS.to_string();
            let options =
                ["--database", &url, "--workspace", project, "--tools", "none", "--max-turns", &most];
            Hosted::new(script, &options)
        })
        .collect();
    scope(|scope| {
        for session in 0..SESSIONS {
            let nodes = &nodes;
            scope.spawn(move || {
                let id = nodes[session % NODES].done(&prompt(session, 1));
                for turn in 2..=turns {
                    let events = nodes[(session + turn) % NODES].turn(&id, &prompt(session, turn));
                    let events = match events.status {
                        200 => events.rest(),
                        status => panic!("{status}: {}", events.error()),
                    };
                    assert_eq!(events.last().unwrap()["outcome"], "done", "{events:?}");
                }
            });
        }
    });
    drop(nodes);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(check(&url, turns));
}

fn prompt(session: usize, turn: usize) -> String {
    format!("turn {turn} of session {session}")
}

/// Every session has all of its turns once, in their order, and no gap.
async fn check(url: &str, turns: usize) {
    let store = open(url).await;
    let listed = store.sessions().list().await.unwrap();
    let mut written = BTreeSet::new();
    for session in listed {
        let read = read_all(&store.message_log(), &session.info.id, Seq(0), Part::All).await.unwrap();
        assert!(read.unreadable.is_empty(), "{:?}", read.unreadable);
        assert!(read.records.iter().zip(1..).all(|(record, place)| record.seq == Seq(place)));
        let mut said = Vec::new();
        let mut answers = 0;
        for record in &read.records {
            let RecordBody::Message(message) = &record.body else { continue };
            let [ContentBlock::Text { text }] = &message.message.content[..] else {
                panic!("{:?}", message.message)
            };
            match message.source {
                Source::User => said.push(text.clone()),
                _ => answers += usize::from(text == "Done."),
            }
        }
        let number = said[0].rsplit(' ').next().unwrap().parse().unwrap();
        let all: Vec<String> = (1..=turns).map(|turn| prompt(number, turn)).collect();
        assert_eq!((said, answers, session.requests), (all, turns, turns as u64));
        assert!(written.insert(number), "session {number} is there once");
    }
    assert_eq!(written.len(), SESSIONS);
    assert_eq!(store.check().await.unwrap(), Vec::<String>::new());
}
