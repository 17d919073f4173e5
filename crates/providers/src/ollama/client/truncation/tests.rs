//! When a request counts as cut, and what is said then.

use std::sync::Arc;

use throughline_completion::{CompletionRequest, ModelError};
use throughline_conversation::{ContentBlock, Entry, Image, Transcript};
use throughline_testkit::{WordCounter, parse, request};

use super::{
    Conversation, FullyReadRequest, RequestFigures, ServerHistory, TruncationCheck, is_constant, is_far_less,
    least, may_be_left, most_new, rightly, window,
};
use throughline_wire::ollama::encode;

const ASKED: u64 = 40_960;

fn figures(request: &CompletionRequest) -> RequestFigures {
    RequestFigures::new(request, &encode(request, ASKED), &WordCounter)
}

fn said(said: u64) -> RequestFigures {
    RequestFigures { said, asks: true, ..RequestFigures::default() }
}

/// The limit of the overflow, if it is one, of one request after the other, each the one before with more behind it.
fn ends(requests: &[(RequestFigures, u64)]) -> Vec<Option<Option<u64>>> {
    let memory = Arc::new(ServerHistory::default());
    let conversation = Conversation::new(&request(parse("user: hi")));
    let end = |&(sent, read): &(RequestFigures, u64)| {
        let mut watch = TruncationCheck::new(conversation.clone(), sent, ASKED, Arc::clone(&memory));
        watch.reported(read);
        match watch.end() {
            Ok(()) => None,
            Err(ModelError::Overflow { limit, .. }) => Some(limit),
            Err(other) => panic!("{other:?}"),
        }
    };
    requests.iter().map(end).collect()
}

fn end(sent: RequestFigures, read: u64) -> Option<Option<u64>> {
    ends(&[(sent, read)])[0]
}

#[test]
fn an_estimate_alone_is_not_evidence() {
    let cases = [
        // Read as estimated, more, less, far less.
        ((9_000, 9_000), None),
        ((9_000, 12_000), None),
        ((10_000, 5_999), None),
        ((10_000, 1_200), None),
        // No report.
        ((9_000, 0), None),
        // What is left of a window that was cut.
        ((9_000, 2_050), Some(Some(4_096))),
        ((9_000, 2_051), Some(Some(4_096))),
        ((9_000, 4_096), Some(Some(4_096))),
        ((90_000, 20_482), Some(Some(ASKED))),
        ((90_000, ASKED), Some(Some(ASKED))),
        // The same figures, of a request that fits.
        ((2_300, 2_050), None),
        ((4_000, 2_050), None),
        ((6_000, 4_096), None),
        // No server has a larger window than the one that was asked for.
        ((90_000, 32_770), None),
        ((u64::MAX, u64::MAX), None),
    ];
    for ((sent, read), expected) in cases {
        assert_eq!(end(said(sent), read), expected, "{sent} sent, {read} read");
    }
}

#[test]
fn no_token_goes_over_a_blank() {
    let sent = |pieces| RequestFigures { pieces, ..said(9_000) };
    assert_eq!(end(sent(4_000), 3_000), None);
    // What fills a window, or half of one.
    assert_eq!(end(sent(4_000), 2_500), Some(None));
    assert_eq!(end(sent(4_000), 2_752), Some(None));
    // What is left where whole messages are left out of the window that was asked for.
    assert_eq!(end(RequestFigures { pieces: 80_000, ..said(200_000) }, ASKED - 1_777), Some(None));
    // No cut leaves that: it is what was new to a server that had the beginning already.
    assert_eq!(end(sent(4_000), 2_999), None);
    assert_eq!(end(sent(4_000), 300), None);
    // Too little to say anything.
    let little = RequestFigures { pieces: 400, ..said(511) };
    assert_eq!(end(little, 10), None);
}

#[test]
fn as_many_tokens_as_there_must_be_at_least_are_all() {
    let sent = |tokens, pieces| RequestFigures { pieces, ..said(tokens) };
    // Three quarters of the words: all was read, so the same count for more of them is that of a full window.
    let requests = [(sent(9_000, 4_012), 3_009), (sent(9_100, 4_028), 3_009)];
    assert_eq!(ends(&requests), [None, Some(None)]);
}

#[test]
fn what_was_read_once_does_not_shrink() {
    let sent = |tokens, pieces| RequestFigures { pieces, ..said(tokens) };
    // A server that takes a third of the estimate, and keeps to it.
    assert_eq!(ends(&[(sent(9_000, 900), 3_000), (sent(12_000, 1_200), 4_000)]), [None, None]);
    // The front is gone.
    assert_eq!(ends(&[(sent(9_000, 900), 3_800), (sent(9_900, 1_000), 1_800)]), [None, Some(None)]);
    // After a cut nothing is known.
    let after = [(sent(9_000, 900), 3_800), (sent(9_900, 1_000), 1_800), (sent(9_900, 1_000), 1_800)];
    assert_eq!(ends(&after), [None, Some(None), None]);
    // The tools are shown behind a user's message only: they are missing in the midst of a turn.
    let asking = RequestFigures { tools: 2_000, ..sent(3_000, 900) };
    let working = RequestFigures { asks: false, ..asking };
    assert_eq!(ends(&[(asking, 5_000), (working, 3_100)]), [None, None]);
    assert_eq!(ends(&[(asking, 5_000), (asking, 3_100)]), [None, Some(None)]);
    // Thoughts within a text may be left out the next time.
    let fickle = RequestFigures { fickle: true, ..sent(9_000, 900) };
    assert_eq!(ends(&[(fickle, 3_800), (fickle, 1_800)]), [None, None]);
}

#[test]
fn a_server_that_counts_what_is_new_cuts_nothing() {
    let sent = |tokens, pieces| RequestFigures { pieces, ..said(tokens) };
    // The whole, then what is new each time, once very much of it, and the whole after a pause.
    let all = sent(6_000, 4_000);
    let requests = [
        (all, 6_000),
        (sent(6_300, 4_200), 200),
        (sent(6_400, 4_270), 90),
        (sent(11_000, 7_500), 4_700),
        (sent(11_200, 7_600), 2_050),
        (sent(11_300, 7_650), 11_300),
        (sent(11_400, 7_700), 110),
    ];
    assert_eq!(ends(&requests), [None; 7]);
    // A server that had the beginning already when the session began.
    assert_eq!(ends(&[(all, 700), (sent(6_300, 4_200), 210), (sent(6_500, 4_300), 140)]), [None; 3]);
    // One that leaves out whole messages: less than half, but more than what is new can be.
    assert_eq!(ends(&[(all, 6_000), (sent(6_200, 4_100), 2_500)]), [None, Some(None)]);
    // The same, of which all but what is new is gone at first: it shows a little later.
    let cut =
        [(all, 6_000), (sent(6_200, 4_100), 300), (sent(9_000, 6_000), 3_100), (sent(9_100, 6_070), 3_210)];
    assert_eq!(ends(&cut), [None, None, None, Some(None)]);
}

#[test]
fn a_count_stands_still_in_a_full_window_only() {
    let step = |step: u64| RequestFigures { pieces: 1_000 + 20 * step, ..said(5_000 + 60 * step) };
    // Not a power of two, so the figure itself says nothing.
    let full: Vec<(RequestFigures, u64)> =
        [4_900, 4_960, 5_000, 5_000].into_iter().zip(0..).map(|(read, at)| (step(at), read)).collect();
    assert_eq!(ends(&full), [None, None, None, Some(None)]);
    // The same request again.
    assert_eq!(ends(&[(step(0), 4_900), (step(0), 4_900)]), [None, None]);
}

#[test]
fn small_steps_add_up() {
    // What is read goes up and down, as of a server that leaves out whole messages.
    let step = |step: u64| RequestFigures { pieces: 1_000 + 40 * step, ..said(5_000 + 100 * step) };
    let read = |at: u64| if at == 0 { 4_900 } else { 4_901 + 7 * (at % 3) };
    let cut: Vec<(RequestFigures, u64)> = (0..60).map(|at| (step(at), read(at))).collect();
    let first = ends(&cut).iter().position(Option::is_some);
    assert!(first.is_some_and(|first| first < 30), "{first:?}");
}

#[test]
fn what_a_cut_may_leave_is_about_the_window_or_a_round_number() {
    // Of the window that was asked for: 88 % of it and no more than all.
    for (read, expected) in [(9_777, false), (9_778, true), (11_111, true), (11_112, false)] {
        assert_eq!(may_be_left(read, 11_111), expected, "{read}");
    }
    // A round number from 512 on, or half of one and up to three more.
    let round = [(1_500, true), (3_072, true), (1_501, true), (1_503, true), (1_504, false), (1_499, false)];
    for (read, expected) in
        round.into_iter().chain([(753, true), (754, false), (3_075, true), (3_076, false)])
    {
        assert_eq!(may_be_left(read, ASKED), expected, "{read}");
    }
    for (read, expected) in [(500, false), (503, false), (512, true), (514, true), (1, false), (0, false)] {
        assert_eq!(may_be_left(read, ASKED), expected, "{read}");
    }
}

/// A request that was read as a whole, of this many tokens by the estimate and by the server.
fn seen(sent: RequestFigures, read: u64) -> FullyReadRequest {
    FullyReadRequest { conversation: Conversation::new(&request(parse("user: hi"))), sent, read }
}

#[test]
fn the_fewest_tokens_are_those_of_the_words_or_those_that_were_read_before() {
    let sent = |pieces| RequestFigures { pieces, ..said(2_000) };
    assert_eq!(least(&sent(1_000), None), 750);
    // 1,600 less an eighth and 32, and three quarters of the 40 words that are new.
    assert_eq!(least(&sent(140), Some(&seen(sent(100), 1_600))), 1_600 - 200 - 32 + 30);
    // Twice the tail may be gone, and a quarter more than the tools where they are shown to a user's message only.
    let before = RequestFigures { tail: 50, tools: 100, ..sent(100) };
    assert_eq!(least(&sent(100), Some(&seen(before, 1_600))), 1_600 - 200 - 32 - 100);
    let working = RequestFigures { asks: false, ..sent(100) };
    assert_eq!(least(&working, Some(&seen(before, 1_600))), 1_600 - 200 - 32 - 100 - 125);
    // Too little was read before to say anything, or it is of another kind.
    assert_eq!(least(&sent(100), Some(&seen(sent(100), 511))), 75);
    assert_eq!(least(&sent(100), Some(&seen(sent(100), 512))), 512 - 64 - 32);
    let fickle = RequestFigures { fickle: true, ..sent(100) };
    assert_eq!(least(&sent(100), Some(&seen(fickle, 1_600))), 75);
    assert_eq!(least(&fickle, Some(&seen(sent(100), 1_600))), 75);
}

#[test]
fn the_most_that_is_new_is_twice_the_estimate_and_both_tails() {
    let tail = |tokens, tail| RequestFigures { tail, ..said(tokens) };
    assert_eq!(most_new(&tail(1_300, 7), &tail(1_000, 5), None), 2 * (300 + 7 + 5) + 64);
    assert_eq!(most_new(&tail(1_000, 0), &tail(1_300, 0), None), 64);
    // The server read half of what was estimated before.
    assert_eq!(most_new(&tail(1_300, 0), &tail(1_000, 0), Some(&seen(said(1_000), 500))), 2 * 150 + 64);
}

#[test]
fn an_estimate_is_set_right_downwards_only() {
    assert_eq!(rightly(900, None), 900);
    assert_eq!(rightly(900, Some(&seen(said(3_000), 1_000))), 300);
    assert_eq!(rightly(900, Some(&seen(said(3_000), 3_000))), 900);
    assert_eq!(rightly(900, Some(&seen(said(1_000), 3_000))), 900);
    assert_eq!(rightly(u64::MAX, Some(&seen(said(2), 1))), u64::MAX / 2);
}

#[test]
fn far_less_is_less_than_most_of_what_is_known_and_of_an_estimate() {
    assert!(is_far_less(599, &said(1_000), None, None) && !is_far_less(600, &said(1_000), None, None));
    // What is new is added to what was read before.
    let before = seen(said(1_000), 1_000);
    assert!(is_far_less(1_104, &said(1_300), Some(&before), None));
    assert!(!is_far_less(1_105, &said(1_300), Some(&before), None));
}

#[test]
fn a_count_is_constant_only_when_the_request_grew() {
    let sent = |pieces| RequestFigures { pieces, ..said(1_000) };
    let before = seen(sent(100), 4_000);
    assert!(is_constant(4_000, &sent(116), Some(&before)) && !is_constant(4_000, &sent(115), Some(&before)));
    assert!(!is_constant(4_001, &sent(116), Some(&before)) && !is_constant(4_000, &sent(116), None));
    let working = RequestFigures { asks: false, ..sent(116) };
    let fickle = RequestFigures { fickle: true, ..sent(116) };
    assert!(!is_constant(4_000, &working, Some(&before)) && !is_constant(4_000, &fickle, Some(&before)));
}

#[test]
fn the_window_shows_in_what_is_left() {
    for n in [1_024_u64, 2_048, 4_096, 8_192, 32_768] {
        assert_eq!(window(n / 2 + 2, ASKED), Some(n));
        assert_eq!(window(n / 2 + 3, ASKED), Some(n));
        assert_eq!(window(n, ASKED), Some(n));
        assert_eq!(window(n / 2 + 9, ASKED), None);
    }
    assert_eq!(window(20_482, ASKED), Some(ASKED));
    assert_eq!(window(20_482, 8_192), None);
    for read in [0, 1, 3, 200, u64::MAX] {
        assert_eq!(window(read, 1_000), None, "{read}");
    }
}

#[test]
fn the_message_names_the_figures_and_the_settings() {
    let conversation = Conversation::new(&request(parse("user: hi")));
    let mut watch = TruncationCheck::new(conversation, said(9_000), 32_768, Arc::default());
    watch.reported(2_050);
    let said = watch.end().unwrap_err().to_string();
    for part in ["2050 of about 9000", "4096", "32768", "num_ctx", "OLLAMA_CONTEXT_LENGTH"] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn pictures_and_thinking_are_not_counted() {
    let bare = figures(&request(parse("user: one two three\nassistant: four\nuser: five")));
    let mut messages = parse("user: one two three\nassistant: four\n  thinking: six seven eight\nuser: five");
    messages[0]
        .content
        .push(ContentBlock::Image(Image { media_type: "image/png".into(), data: "aW1n".into() }));
    assert_eq!(figures(&request(messages)), RequestFigures { fickle: true, ..bare });
    // Nor is what a template leaves out of an earlier turn.
    let thinks = parse("user: one two three\nassistant: six seven</think>four\nuser: five");
    let thinks = figures(&request(thinks));
    assert_eq!((thinks.pieces, thinks.fickle), (bare.pieces, true));
}

#[test]
fn figures_of_the_transcript_are_not_counted_again() {
    let mut request = request(parse("user: one two three"));
    let before = figures(&request);
    let entries: Vec<Entry> =
        request.transcript.entries().iter().map(|entry| Entry { tokens: 1_000, ..entry.clone() }).collect();
    let json = serde_json::to_value(&entries).unwrap();
    request.transcript = serde_json::from_value::<Transcript>(json).unwrap();
    assert_eq!(figures(&request), RequestFigures { said: before.said - 3 + 1_000, ..before });
}

#[test]
fn one_conversation_extends_another_that_it_begins_with() {
    let conversation = |text: &str| Conversation::new(&request(parse(text)));
    let short = conversation("user: one\nassistant: two");
    let long = conversation("user: one\nassistant: two\nuser: three");
    assert!(long.extends(&short) && long.extends(&long) && !short.extends(&long));
    assert!(!long.extends(&conversation("user: other\nassistant: two")));
    let mut other = request(parse("user: one\nassistant: two\nuser: three"));
    other.tools = Arc::new([]);
    assert!(!Conversation::new(&other).extends(&short));
}
