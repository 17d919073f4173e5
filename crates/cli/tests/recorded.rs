//! Answers that real providers gave, recorded, through the decoders and through whole turns of the binary. Nothing of
//! an answer may be lost, and the request that follows must be valid by the types of the providers' own clients.
//!
//! Needs the folder that `THROUGHLINE_WIRE` names: one file for each API, `KIND.jsonl.gz`, with an exchange on each line
//! (`name`, `uri`, `status`, `req`, and `body` for a stream or `parsed` for a document). Without it the suite says so and
//! is skipped. `cargo xtask integration recorded` names it and fetches the clients.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests may fail the test"
)]
#![allow(dead_code, reason = "the place and what ran in it are shared with the suite `binary`")]

#[path = "recorded/decoded.rs"]
mod decoded;
#[path = "recorded/document.rs"]
mod document;
#[path = "recorded/exchange.rs"]
mod exchange;
#[path = "recorded/explained.rs"]
mod explained;
#[path = "recorded/facts.rs"]
mod facts;
#[path = "recorded/official.rs"]
mod official;
#[path = "binary/place.rs"]
mod place;
#[path = "binary/ran.rs"]
mod ran;
#[path = "recorded/stream.rs"]
mod stream;
#[path = "recorded/tally.rs"]
mod tally;
#[path = "recorded/turn.rs"]
mod turn;

use std::path::PathBuf;
use std::sync::Mutex;

use exchange::{Exchange, Kind};
use tally::Tally;
use turn::Turn;

fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("THROUGHLINE_WIRE").map(PathBuf::from).filter(|path| path.is_dir());
    if folder.is_none() {
        println!("skipped: recorded: THROUGHLINE_WIRE names no folder of recorded answers");
    }
    folder
}

/// Feeds every exchange of an API, and fails with all deviations that no rule explains.
fn check(kind: Kind) {
    let Some(folder) = folder() else { return };
    let exchanges = exchange::read(&folder, kind);
    assert!(!exchanges.is_empty(), "{} holds no exchange of {}", folder.display(), kind.name());
    let mut tally = Tally::new(kind);
    for exchange in &exchanges {
        tally.add("decoded", exchange, &decoded::deviations(exchange));
    }
    let turns = turns(&exchanges);
    let faults = official::faults(kind, &turns);
    for ((exchange, turn), faults) in exchanges.iter().zip(&turns).zip(faults) {
        let mut deviations = turn.deviations(exchange);
        deviations.extend(faults.into_iter().map(|fault| format!("official types: {fault}")));
        tally.add("turn", exchange, &deviations);
    }
    tally.print();
    assert!(tally.unexplained().is_empty(), "unexplained:\n{}", tally.unexplained().join("\n"));
}

/// A turn of the binary for each exchange, two at a time.
fn turns(exchanges: &[Exchange]) -> Vec<Turn> {
    let turns: Mutex<Vec<Option<Turn>>> = Mutex::new(exchanges.iter().map(|_| None).collect());
    let next = Mutex::new(0..exchanges.len());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(at) = next.lock().unwrap().next() else { return };
                    let turn = Turn::of(&exchanges[at]);
                    turns.lock().unwrap()[at] = Some(turn);
                }
            });
        }
    });
    turns.into_inner().unwrap().into_iter().map(Option::unwrap).collect()
}

#[test]
fn no_part_of_an_answer_of_anthropic_is_lost() {
    check(Kind::Anthropic);
}

#[test]
fn no_part_of_an_answer_of_a_chat_server_is_lost() {
    check(Kind::Chat);
}

#[test]
fn no_part_of_an_answer_of_a_responses_server_is_lost() {
    check(Kind::Responses);
}

#[test]
fn no_part_of_an_answer_of_gemini_is_lost() {
    check(Kind::Gemini);
}
