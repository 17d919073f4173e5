//! Reports that are too small to be of the whole request, and reports of other tokenizers, which are not.

use proptest::prelude::*;
use throughline_budget::{EarlierReport, SentPart, SentPrompt, ShortReport, short_report};

fn part(tokens: u64, words: u64) -> SentPart {
    SentPart { tokens, words }
}

fn judge(sent: SentPrompt, reported: u64, before: Option<EarlierReport>) -> Option<ShortReport> {
    short_report(sent.tools.tokens + sent.rest.tokens, 1.0, reported, before, || sent)
}

#[test]
fn a_report_without_the_tools_is_known_where_a_template_should_show_them() {
    let sent = SentPrompt { tools: part(3_194, 1_300), rest: part(917, 560), asks: true };
    assert_eq!(judge(sent, 998, None), Some(ShortReport::WithoutTools));
    let in_a_turn = SentPrompt { asks: false, ..sent };
    assert_eq!(judge(in_a_turn, 998, None), Some(ShortReport::NewContent));
    assert_eq!(judge(sent, 4_111, None), None);
    assert_eq!(judge(sent, 1_500, None), None, "few tokens for each word, but possible");
}

#[test]
fn a_round_number_is_a_window() {
    let sent = SentPrompt { tools: part(3_200, 1_300), rest: part(18_000, 9_500), asks: true };
    assert_eq!(judge(sent, 4_096, None), Some(ShortReport::CutToWindow));
    // By chance it is also the count of a request that is not much larger by another counter.
    let alike = SentPrompt { rest: part(2_000, 10), ..sent };
    assert_eq!(judge(alike, 4_096, None), None);
    // A report that stays the same while the request grows.
    let before = EarlierReport { tokens: 4_900, reported: 4_096 };
    let grown = SentPrompt { rest: part(2_300, 10), tools: part(3_200, 10), asks: true };
    assert_eq!(judge(grown, 4_096, Some(before)), Some(ShortReport::CutToWindow));
    assert_eq!(judge(grown, 4_095, Some(before)), None);
}

#[test]
fn a_server_that_counts_what_is_new_has_read_everything() {
    let sent = SentPrompt { tools: part(3_000, 2_000), rest: part(9_000, 6_000), asks: true };
    let before = EarlierReport { tokens: 11_900, reported: 11_000 };
    assert_eq!(judge(sent, 120, Some(before)), Some(ShortReport::NewContent));
    assert_eq!(judge(sent, 3_000, Some(before)), Some(ShortReport::Incomplete));
    // An earlier run may have left everything else in its cache.
    assert_eq!(judge(sent, 120, None), Some(ShortReport::NewContent));
}

#[test]
fn a_window_is_a_round_number_from_2048_on_and_the_estimate_is_more_than_half_above_it() {
    let sent = |tokens| SentPrompt { rest: part(tokens, 10), asks: true, ..SentPrompt::default() };
    assert_eq!(judge(sent(6_144), 4_096, None), None);
    assert_eq!(judge(sent(6_145), 4_096, None), Some(ShortReport::CutToWindow));
    assert_eq!(judge(sent(9_000), 2_048, None), Some(ShortReport::CutToWindow));
    assert_eq!(judge(sent(9_000), 1_024, None), None);
    // The estimate is in tokens of the model: 8,000 are far above 4,096, and 4,000 are not.
    let scaled = |scale| short_report(4_000, scale, 4_096, None, || sent(4_000));
    assert_eq!([1.0, 2.0].map(scaled), [None, Some(ShortReport::CutToWindow)]);
}

#[test]
fn a_report_that_stays_the_same_is_a_window_from_64_new_tokens_on() {
    let before = Some(EarlierReport { tokens: 4_900, reported: 4_096 });
    let sent = |tokens| SentPrompt { rest: part(tokens, 10), asks: true, ..SentPrompt::default() };
    assert_eq!(judge(sent(4_963), 4_096, before), None);
    assert_eq!(judge(sent(4_964), 4_096, before), Some(ShortReport::CutToWindow));
}

#[test]
fn a_report_is_too_small_below_three_tokens_for_four_words() {
    let sent = SentPrompt { tools: part(3_194, 1_300), rest: part(917, 560), asks: true };
    // Three quarters of 1,860 words, and then of the 560 without the tools.
    assert_eq!(judge(sent, 1_395, None), None);
    assert_eq!(judge(sent, 1_394, None), Some(ShortReport::WithoutTools));
    assert_eq!(judge(sent, 420, None), Some(ShortReport::WithoutTools));
    assert_eq!(judge(sent, 419, None), Some(ShortReport::NewContent));
}

#[test]
fn a_report_of_more_than_twice_the_rest_has_a_part_of_the_tools() {
    let sent = SentPrompt { tools: part(3_194, 1_300), rest: part(300, 100), asks: true };
    assert_eq!(judge(sent, 600, None), Some(ShortReport::WithoutTools));
    assert_eq!(judge(sent, 601, None), Some(ShortReport::NewContent));
}

#[test]
fn a_report_of_what_is_new_is_at_most_twice_the_new_tokens_and_64() {
    let sent = SentPrompt { tools: part(3_000, 2_000), rest: part(9_000, 6_000), asks: true };
    let before = Some(EarlierReport { tokens: 11_900, reported: 11_000 });
    assert_eq!(judge(sent, 264, before), Some(ShortReport::NewContent));
    assert_eq!(judge(sent, 265, before), Some(ShortReport::Incomplete));
}

proptest! {
    // A tokenizer has no fewer tokens than three for four words, whatever the counter says.
    #[test]
    fn no_tokenizer_is_doubted(
        words in 0u64..200_000,
        tools in 0u64..20_000,
        counted in 0.8f64..6.0,
        has in 0.76f64..6.0,
        asks: bool,
        before in prop::option::of((0u64..100_000, 0u64..100_000)),
    ) {
        let tokens = |words: u64| (words as f64 * counted) as u64;
        let sent = SentPrompt { tools: part(tokens(tools), tools), rest: part(tokens(words), words), asks };
        let reported = ((words + tools) as f64 * has).ceil() as u64;
        let before = before.map(|(tokens, reported)| EarlierReport { tokens, reported });
        prop_assume!(!reported.is_multiple_of(1_024));
        prop_assert_eq!(judge(sent, reported, before), None);
    }

    // Chinese has one word a paragraph, pictures have none.
    #[test]
    fn text_without_blanks_and_pictures_are_never_doubted(raw in 1u64..500_000, factor in 0.1f64..1.0) {
        let sent = SentPrompt { rest: part(raw, raw / 1_000), ..SentPrompt::default() };
        let reported = (raw as f64 * factor) as u64;
        prop_assume!(!reported.is_multiple_of(1_024));
        prop_assert_eq!(judge(sent, reported, None), None);
    }

    #[test]
    fn a_cut_to_a_window_is_always_known(kilo in 2u64..64, words in 200_000u64..1_000_000) {
        let sent = SentPrompt { rest: part(words, words), asks: true, ..SentPrompt::default() };
        prop_assert_eq!(judge(sent, kilo * 1_024, None), Some(ShortReport::CutToWindow));
    }
}
