//! Styles of summaries.

use throughline_compaction::ModelSummaries;

use super::{SummaryStyle, UnknownSummaryStyle};
use crate::policy::Policy;

#[test]
fn the_styles_have_names() {
    for style in SummaryStyle::ALL {
        assert_eq!(style.to_string().parse(), Ok(style));
    }
    let error = "long".parse::<SummaryStyle>().unwrap_err();
    assert_eq!(error, UnknownSummaryStyle("long".to_owned()));
    assert!(error.to_string().ends_with("it is rule, brief, thorough"), "{error}");
    let [rule, brief, thorough] = SummaryStyle::ALL.map(SummaryStyle::summary);
    assert_eq!(rule, "By rule, for nothing");
    assert!(brief.contains("a few sentences") && thorough.contains("seven sections"), "{brief}; {thorough}");
}

#[test]
fn policy_throughline_is_brief_and_the_other_designs_ask_at_each_compaction() {
    for policy in Policy::ALL {
        let own = policy.settings(100_000, 4_096).compaction;
        let expected =
            if policy == Policy::Throughline { ModelSummaries::WherePaid } else { ModelSummaries::Always };
        assert_eq!(own.model_summaries, expected, "{policy}");
        let by_rule = SummaryStyle::Rule.apply(policy, own);
        assert_eq!(by_rule.model_summaries, ModelSummaries::Never, "{policy}");
    }
}

#[test]
fn a_thorough_summary_has_room_for_seven_sections() {
    let own = Policy::Throughline.settings(100_000, 4_096).compaction;
    assert_eq!(own.progress_tokens, 200);
    let thorough = SummaryStyle::Thorough.apply(Policy::Throughline, own);
    assert_eq!((thorough.progress_tokens, thorough.model_summaries), (4_000, ModelSummaries::Always));
}
