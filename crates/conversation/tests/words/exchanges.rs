//! Exchanges: a user message and everything until the next one.

use throughline_conversation::{EntryKind, ExchangeId, Message, Seq, Transcript, UnitKind, units};
use throughline_testkit::{parse, view};

const TALK: &str = "
    user: first question
    assistant: let me look
      -> c1 read {}
      -> c2 read {}
    results:
      c1 = one
      c2 = two
    assistant: the answer
    user: second question
    assistant: its answer
";

// S4-01
#[test]
fn an_exchange_is_a_user_message_with_its_calls_and_answers() {
    let exchanges: Vec<u64> = view(TALK).entries().iter().map(|entry| entry.exchange.0).collect();
    assert_eq!(exchanges, [1, 1, 1, 1, 2, 2]);
}

// S4-01
#[test]
fn plain_messages_are_grouped_in_the_same_way() {
    let transcript = Transcript::from_messages(parse(TALK));
    let from_log = view(TALK);
    let kinds = |transcript: &Transcript| -> Vec<(EntryKind, ExchangeId, Seq)> {
        transcript.entries().iter().map(|entry| (entry.kind, entry.exchange, entry.span.first)).collect()
    };
    assert_eq!(kinds(&transcript), kinds(from_log.transcript()));
    assert_eq!(transcript.messages().next_back().map(Message::text), Some("its answer".to_owned()));

    let cut = Transcript::from_messages(parse("assistant: in the middle\nuser: a question"));
    let exchanges: Vec<u64> = cut.entries().iter().map(|entry| entry.exchange.0).collect();
    assert_eq!(exchanges, [1, 2]);
}

// S4-26
#[test]
fn calls_side_by_side_and_their_results_are_one_unit() {
    let view = view(TALK);
    let units = units(view.entries());
    let found: Vec<(UnitKind, usize, u64)> =
        units.iter().map(|unit| (unit.kind, unit.entries.len(), unit.exchange.0)).collect();
    use UnitKind::{Step, User};
    assert_eq!(found, [(User, 1, 1), (Step, 2, 1), (Step, 1, 1), (User, 1, 2), (Step, 1, 2)]);
    // let me look · 1 + {} · 1 + {} · one · two
    assert_eq!((units[1].tokens, units[1].span.first, units[1].span.last), (9, Seq(2), Seq(3)));
}

#[test]
fn numbers_continue() {
    assert_eq!(ExchangeId(1).next(), ExchangeId(2));
    assert_eq!(Seq(u64::MAX).next(), Seq(u64::MAX));
    assert_eq!((ExchangeId(7).to_string(), Seq(7).to_string()), ("7".to_owned(), "7".to_owned()));
}
