//! What edits do to a view.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde_json::json;
use throughline_conversation::{
    Action, ContentBlock, Image, RecordBody, Seq, Span, UnitKind, View, ViewError, project, units,
};
use throughline_testkit::{WordCounter, render_view, view};

use crate::log::{edit, edit_record, events, log, reference};
use crate::validity::ends_well;

const TALK: &str = "
    user: fix the bug
    assistant: let me look
      -> c1 read {\"path\":\"a.rs\"}
      -> c2 read {\"path\":\"b.rs\"}
    results:
      c1 = fn main() {}
      c2 ! no such file
    assistant: done
    user: thanks
";

fn span(first: u64, last: u64) -> Span {
    Span { first: Seq(first), last: Seq(last) }
}

fn cover(first: u64, last: u64, summary: Option<&str>) -> Action {
    Action::Cover { span: span(first, last), summary: summary.map(str::to_owned), note: None }
}

fn stub(id: &str, text: &str) -> Action {
    Action::ReplaceResult { call_id: id.to_owned(), text: text.to_owned(), stored: reference(text) }
}

#[expect(clippy::needless_pass_by_value, clippy::expect_used, reason = "a helper of tests")]
fn check(actions: Vec<Action>, after: Expect) {
    let edited = view(TALK).edited(&edit(actions), &WordCounter).expect("an edit that fits");
    after.assert_eq(&render_view(&edited));
}

fn refused(actions: Vec<Action>, why: &ViewError) {
    let mut view = view(TALK);
    let before = view.clone();
    assert_eq!(view.apply(&edit_record(6, actions), &WordCounter).as_ref(), Err(why));
    assert_eq!(view, before, "a rejected edit leaves the view unchanged");
}

#[test]
fn a_replaced_result_keeps_its_call_and_its_error_flag() {
    check(
        vec![stub("c2", "[stored]")],
        expect![[r#"
            user: fix the bug
            assistant: let me look
              -> c1 read {"path":"a.rs"}
              -> c2 read {"path":"b.rs"}
            results:
              c1 = fn main() {}
              c2 ! [stored]
            assistant: done
            user: thanks
        "#]],
    );
}

#[test]
fn replaced_arguments_and_a_covered_stretch() {
    let input = Action::ReplaceInput { call_id: "c1".to_owned(), input: json!({}), stored: reference("x") };
    check(
        vec![input, cover(4, 4, Some("it was fixed"))],
        expect![[r#"
            user: fix the bug
            assistant: let me look
              -> c1 read {}
              -> c2 read {"path":"b.rs"}
            results:
              c1 = fn main() {}
              c2 ! no such file
            summary: it was fixed
            user: thanks
        "#]],
    );
    check(
        vec![cover(1, 4, Some("a bug was fixed"))],
        expect![[r#"
            summary: a bug was fixed
            user: thanks
        "#]],
    );
    check(
        vec![cover(2, 4, None)],
        expect![[r#"
            user: fix the bug
            user: thanks
        "#]],
    );
}

#[test]
fn a_summary_replaces_its_range_and_may_be_covered_again() {
    let once = view(TALK).edited(&edit(vec![cover(1, 3, Some("one"))]), &WordCounter).expect("fits");
    assert_eq!(once.entries()[0].span, span(1, 3));
    assert_eq!(once.entries()[0].tokens, 1);
    let half = once.edited(&edit(vec![cover(1, 2, None)]), &WordCounter);
    assert_eq!(half, Err(ViewError::NotWhole(span(1, 2))));
    let twice = once.edited(&edit(vec![cover(1, 4, Some("one and two"))]), &WordCounter).expect("fits");
    assert_eq!((twice.entries()[0].span, twice.epoch()), (span(1, 4), 2));
    assert_eq!(render_view(&twice), "summary: one and two\nuser: thanks\n");
}

#[test]
fn a_replaced_result_loses_its_pictures_and_is_counted_again() {
    let mut entries =
        view("user: look\nassistant:\n  -> c1 shot {}\nresults:\n  c1 = here it is").entries().to_vec();
    let mut message = entries[2].message.as_ref().clone();
    for block in &mut message.content {
        if let ContentBlock::ToolResult(result) = block {
            result.images.push(Image { media_type: "image/png".to_owned(), data: "AAAA".to_owned() });
        }
    }
    entries[2].message = message.into();
    entries[2].tokens = 13;
    let view = View::from_entries(entries, 0, Seq(3));
    let edited = view.edited(&edit(vec![stub("c1", "[a picture]")]), &WordCounter).expect("fits");
    assert_eq!(view.tokens() - edited.tokens(), 11);
    assert!(edited.entries()[2].message.tool_results().all(|result| result.images.is_empty()));
}

#[test]
fn a_text_replaces_the_pictures_of_a_message() {
    let picture = || Image { media_type: "image/png".to_owned(), data: "AAAA".to_owned() };
    let mut entries =
        view("user: look\nassistant:\n  -> c1 shot {}\n  -> c2 shot {}\nresults:\n  c1 = here it is\n  c2 =")
            .entries()
            .to_vec();
    let mut asked = entries[0].message.as_ref().clone();
    asked.content.push(ContentBlock::Image(picture()));
    entries[0].message = asked.into();
    let mut message = entries[2].message.as_ref().clone();
    for block in &mut message.content {
        if let ContentBlock::ToolResult(result) = block {
            result.images = vec![picture(), picture()];
        }
    }
    entries[2].message = message.into();
    let view = View::from_entries(entries, 0, Seq(3));
    let replace = |message| Action::ReplacePictures { message: Seq(message), text: "[left out]".to_owned() };
    let edited = view.edited(&edit(vec![replace(1), replace(3)]), &WordCounter).expect("fits");
    expect![[r#"
        user: look
          [left out]
        assistant:
          -> c1 shot {}
          -> c2 shot {}
        results:
          c1 = here it is\n[left out]
          c2 = [left out]
    "#]]
    .assert_eq(&render_view(&edited));
    assert!(edited.entries()[2].message.tool_results().all(|result| result.images.is_empty()));
    assert_eq!(edited.violations(), []);
    // A message that is missing or covered by a summary cannot be edited.
    let covered = view.edited(&edit(vec![cover(1, 3, Some("looked"))]), &WordCounter).expect("fits");
    for (view, message) in [(&view, 4), (&covered, 3)] {
        let error = view.edited(&edit(vec![replace(message)]), &WordCounter);
        assert_eq!(error, Err(ViewError::NotWhole(span(message, message))));
    }
}

#[test]
fn an_edit_that_does_not_fit_changes_nothing() {
    refused(vec![stub("c9", "x")], &ViewError::UnknownCall("c9".to_owned()));
    // The group is one: the first action fits, the second does not.
    refused(vec![stub("c1", "x"), stub("c9", "x")], &ViewError::UnknownCall("c9".to_owned()));
    refused(vec![stub("c1", "x"), cover(2, 3, None)], &ViewError::UnknownCall("c1".to_owned()));
    refused(vec![cover(7, 9, None)], &ViewError::NotWhole(span(7, 9)));
    refused(vec![cover(3, 2, None)], &ViewError::NotWhole(span(3, 2)));
    // Records that are still to come cannot be covered.
    refused(vec![cover(4, 6, Some("x"))], &ViewError::NotWhole(span(4, 6)));
    expect!["the edit covers records 1 to 2, which are no whole entries of the view"]
        .assert_eq(&ViewError::NotWhole(span(1, 2)).to_string());
}

#[test]
fn spans_know_what_they_share() {
    assert!(span(1, 5).holds(span(2, 5)) && !span(2, 5).holds(span(1, 5)));
    assert!(span(1, 3).meets(span(3, 4)) && !span(1, 2).meets(span(3, 4)));
    assert_eq!(Span::one(Seq(4)), span(4, 4));
}

proptest! {
    // A compaction that looks at its candidate sees just what a resume will see.
    #[test]
    fn a_candidate_is_what_the_record_makes_of_the_view(events in events()) {
        let mut view = View::default();
        for record in log(&events) {
            let candidate = match &record.body {
                RecordBody::Edit(edit) => Some(view.edited(edit, &WordCounter).expect("fits")),
                _ => None,
            };
            view.apply(&record, &WordCounter).expect("a sound log");
            if let Some(candidate) = candidate {
                prop_assert_eq!(candidate.at(record.seq), view.clone());
            }
        }
    }

    #[test]
    fn units_part_the_entries_and_keep_calls_with_results(events in events()) {
        let view = project(&log(&events), &WordCounter).expect("a sound log");
        let units = units(view.entries());
        let indices: Vec<usize> = units.iter().flat_map(|unit| unit.entries.clone()).collect();
        prop_assert_eq!(indices, (0..view.entries().len()).collect::<Vec<_>>());
        prop_assert_eq!(units.iter().map(|unit| unit.tokens).sum::<u64>(), view.tokens());
        for unit in units {
            let entries = &view.entries()[unit.entries.clone()];
            let of = |count: fn(&throughline_conversation::Message) -> usize| -> usize {
                entries.iter().map(|entry| count(&entry.message)).sum()
            };
            prop_assert_eq!(of(|m| m.tool_calls().count()), of(|m| m.tool_results().count()));
            prop_assert_eq!(unit.kind == UnitKind::Step, entries[0].message.role == throughline_conversation::Role::Assistant);
            prop_assert_eq!(Some(unit.span.last), entries.last().map(|entry| entry.span.last));
        }
    }

    #[test]
    fn covering_whole_units_by_a_summary_keeps_a_view_valid(events in events(), a in 0usize..40, b in 0usize..40) {
        let view = project(&log(&events), &WordCounter).expect("a sound log");
        let units = units(view.entries());
        prop_assume!(!units.is_empty());
        let (a, b) = (a % units.len(), b % units.len());
        let (first, last) = (units[a.min(b)].span.first, units[a.max(b)].span.last);
        let action = cover(first.0, last.0, Some("a summary"));
        let edited = view.edited(&edit(vec![action]), &WordCounter).expect("whole units");
        prop_assert!(ends_well(&edited.violations()), "{:?}", edited.violations());
    }
}
