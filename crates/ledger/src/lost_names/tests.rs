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
    lost_of(TALK, summary)
}

fn lost_of(talk: &str, summary: Option<&str>) -> Vec<String> {
    let before = view(talk);
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

#[test]
fn a_reference_of_a_stored_result_is_no_name_of_the_work() {
    let talk = r#"
user: Fix the total.
assistant:
  -> c1 read_result {"ref_id": "r-a1b2c3d4e5f60718"}
results:
  c1 = 9 lines of factor_of_ten. Use the "read_result" tool with ref_id="r-f1b2c3d4e5f60718" to read more.
assistant: a1b2c3d4e5f60718 is in the answer of r-a1b2c3d4e5f60718.
user: Now fix it.
"#;
    assert_eq!(lost_of(talk, None), ["factor_of_ten"]);
}
