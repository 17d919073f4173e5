//! Tests of the names that leave with a compaction.

use throughline_conversation::{Action, Edit, EditReason, Seq, Span};
use throughline_testkit::{WordCounter, view};

use super::lost_names;

const TALK: &str = r#"
user: Fix the total.
assistant:
  -> c1 read {"path": "src/total.rs"}
results:
  c1 = see src/rounding.rs, factor_of_ten and factor_of_ten again
assistant: I have read it.
user: Now fix it.
"#;

fn lost(summary: Option<&str>) -> Vec<String> {
    let before = view(TALK);
    let span = Span { first: Seq(1), last: Seq(4) };
    let actions = vec![Action::Cover { span, summary: summary.map(str::to_owned), note: None }];
    let edit = Edit { reason: EditReason::Manual, actions, strategies: vec!["summary".to_owned()] };
    let after = before.edited(&edit, &WordCounter).unwrap();
    lost_names(before.entries(), after.entries())
}

#[test]
fn the_most_mentioned_name_is_first_and_what_the_summary_names_is_not_lost() {
    assert_eq!(lost(None), ["factor_of_ten", "src/total.rs", "src/rounding.rs"]);
    assert_eq!(lost(Some("Read src/total.rs.")), ["factor_of_ten", "src/rounding.rs"]);
    assert_eq!(lost(Some("src/total.rs src/rounding.rs factor_of_ten")), [""; 0]);
}

#[test]
fn a_part_of_a_longer_name_is_not_the_name() {
    assert_eq!(lost(Some("src/total.rs src/rounding.rs factor_of_tens")), ["factor_of_ten"]);
}
