//! What the numbers of a policy say.

use super::*;

#[test]
fn standing_instructions_ask_a_model_each_time_unless_it_is_never_asked() {
    let asks = |instructions: Option<&str>, model_summaries| {
        let instructions = instructions.map(str::to_owned);
        CompactionPolicy { instructions, model_summaries, ..CompactionPolicy::default() }.asks_model()
    };
    for own in [ModelSummaries::Never, ModelSummaries::WherePaid, ModelSummaries::Always] {
        assert_eq!(asks(None, own), own);
    }
    assert_eq!(asks(Some("in French"), ModelSummaries::Never), ModelSummaries::Never);
    assert_eq!(asks(Some("in French"), ModelSummaries::WherePaid), ModelSummaries::Always);
}

#[test]
fn names_of_the_session_are_listed_where_summaries_cover_it() {
    for (summary_scope, lists) in [(SummaryScope::Messages, false), (SummaryScope::Session, true)] {
        let policy = CompactionPolicy { summary_scope, ..CompactionPolicy::default() };
        assert_eq!(policy.lists_session_names(), lists);
    }
}

#[test]
fn a_target_is_the_smaller_of_its_two_sizes() {
    let target = TargetSize { fraction: 0.5, tokens: 60 };
    for (room, tokens) in [(0, 0), (99, 49), (120, 60), (500, 60)] {
        assert_eq!(target.of(room), tokens, "{room}");
    }
    assert_eq!(TargetSize { fraction: -1.0, tokens: 60 }.of(100), 0);
}
