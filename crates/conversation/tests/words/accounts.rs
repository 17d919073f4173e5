//! Usage, prices of long prompts, and what a receipt says of window and cache.

use throughline_conversation::{
    CacheBreakpoint, CacheChange, CacheForecast, CacheMiss, CacheTtl, Components, LongPrompt, ModelUse,
    Origin, Place, Receipt, RecordBody, Usage, WindowFigures,
};

use crate::log::edit_record;
use crate::serial::receipt;

const USAGE: Usage = Usage { input: 5, cache_read: 100, cache_write: 20, output: 9, searches: 2 };

#[test]
fn a_prompt_that_is_named_apart_replaces_all_input() {
    assert_eq!(USAGE.with_prompt(None), USAGE);
    let named = Usage { input: 70, cache_read: 0, cache_write: 0, output: 9, searches: 2 };
    assert_eq!(USAGE.with_prompt(Some(70)), named);
}

#[test]
fn a_prompt_of_another_length_changes_what_is_written_or_else_the_input() {
    assert_eq!(USAGE.recounted(150), Usage { cache_write: 45, ..USAGE });
    assert_eq!(USAGE.recounted(102), Usage { input: 2, cache_write: 0, ..USAGE });
    assert_eq!(USAGE.recounted(80), Usage { input: 0, cache_read: 80, cache_write: 0, ..USAGE });
    let unwritten = Usage { cache_write: 0, ..USAGE };
    assert_eq!(unwritten.recounted(150), Usage { input: 50, ..unwritten });
    assert_eq!(unwritten.recounted(80), Usage { input: 0, cache_read: 80, ..unwritten });
}

#[test]
fn a_long_prompt_costs_more_from_the_first_token_over_its_limit() {
    let long = Some(LongPrompt { over: 200, input: 2.0, output: 1.5 });
    for (prompt, input, output) in [(200, 1.0, 1.0), (201, 2.0, 1.5)] {
        let factors = [LongPrompt::input_factor(long, prompt), LongPrompt::output_factor(long, prompt)];
        assert_eq!(factors, [input, output], "{prompt}");
    }
    assert_eq!([LongPrompt::input_factor(None, 201), LongPrompt::output_factor(None, 201)], [1.0, 1.0]);
}

#[test]
fn a_request_is_counted_with_its_report_or_without_one() {
    let origin = || Origin::new("p", "m");
    let reported = ModelUse::of_request(origin(), Some(USAGE));
    assert_eq!((reported.requests, reported.usage, reported.unreported), (1, USAGE, 0));
    let unreported = ModelUse::of_request(origin(), None);
    assert_eq!((unreported.requests, unreported.usage, unreported.unreported), (0, Usage::default(), 1));
    let mut both = reported;
    both.add_unreported();
    assert_eq!(both.without_report(), ModelUse { unreported: 2, ..ModelUse::of(origin()) });
}

#[test]
fn a_session_is_accounted_by_its_models_receipts_uses_and_edits() {
    let spent = RecordBody::Spent(ModelUse::of_request(Origin::new("p", "m"), Some(USAGE)));
    for body in [RecordBody::Receipt(Box::new(receipt())), spent, edit_record(1, vec![]).body] {
        assert!(body.is_accounted(), "{}", body.kind());
    }
    let degraded = receipt().degraded.into_iter().map(RecordBody::Degraded);
    assert!(degraded.into_iter().all(|body| !body.is_accounted()));
}

#[test]
fn a_window_is_used_in_percent_of_what_the_answer_leaves() {
    let window = |total, reserved_output, conversation| WindowFigures {
        total,
        reserved_output,
        used: Components { system: 10, skills: 0, tools: 0, conversation },
        ..receipt().window
    };
    assert_eq!(window(100, 20, 10).used_percentage(), 25.0);
    assert_eq!(window(100, 20, 110).used_percentage(), 150.0);
    assert_eq!(window(20, 20, 10).used_percentage(), 100.0);
    assert_eq!(window(20, 20, 10).percentage(0), 0.0);
}

#[test]
fn a_request_asks_the_cache_to_last_as_long_as_its_longest_breakpoint() {
    let with = |times: &[CacheTtl]| Receipt {
        breakpoints: times
            .iter()
            .map(|ttl| CacheBreakpoint { place: Place::Section(0), ttl: *ttl })
            .collect(),
        ..receipt()
    };
    assert_eq!(with(&[]).asked_ttl(), None);
    assert_eq!(with(&[CacheTtl::FiveMinutes]).asked_ttl(), Some(CacheTtl::FiveMinutes));
    let both = [CacheTtl::OneHour, CacheTtl::FiveMinutes];
    assert_eq!(with(&both).asked_ttl(), Some(CacheTtl::OneHour));
}

/// A receipt of a prompt of these tokens: those that were read, and those that could have been.
fn read(prompt: u64, cache_read: u64, warm: u64) -> Receipt {
    Receipt {
        reported: Some(Usage { input: prompt - cache_read, cache_read, ..Usage::default() }),
        predicted: Usage { cache_read: warm, ..Usage::default() },
        cache: Some(CacheForecast { warm, change: Some(CacheChange::Tools) }),
        diagnosis: None,
        ..receipt()
    }
}

#[test]
fn a_cache_miss_is_more_than_a_step_and_a_fiftieth_of_the_prompt() {
    // A step of 128 tokens, for a short prompt.
    assert_eq!(read(1_000, 372, 500).cache_miss(), None);
    let miss = CacheMiss { warm: 500, read: 371, change: Some(CacheChange::Tools), diagnosis: None };
    assert_eq!(read(1_000, 371, 500).cache_miss(), Some(miss));
    // A fiftieth, for a long one.
    assert_eq!(read(50_000, 39_000, 40_000).cache_miss(), None);
    assert!(read(50_000, 38_999, 40_000).cache_miss().is_some());
    assert_eq!(read(1_000, 900, 5_000).cache_miss(), None, "a prompt has no more to read than itself");
    assert_eq!(Receipt { reported: None, ..read(1_000, 0, 500) }.cache_miss(), None);
    assert_eq!(Receipt { cache: None, ..read(1_000, 0, 500) }.cache_miss(), None);
}

#[test]
fn what_is_read_is_as_predicted_within_a_step_or_a_fiftieth() {
    for (prompt, cache_read, warm, expected) in [
        (1_000, 372, 500, true),
        (1_000, 371, 500, false),
        (1_000, 628, 500, true),
        (1_000, 629, 500, false),
        (50_000, 39_000, 40_000, true),
        (50_000, 38_999, 40_000, false),
    ] {
        let found = read(prompt, cache_read, warm).predicted_cache_read();
        assert_eq!(found, Some(expected), "{cache_read} of {warm}");
    }
    assert_eq!(Receipt { reported: None, ..read(1_000, 0, 500) }.predicted_cache_read(), None);
}
