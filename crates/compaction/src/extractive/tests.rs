//! Progress without a model.

use expect_test::{Expect, expect};
use throughline_testkit::{WordCounter, view};

use super::ExtractiveSummarizer;
use crate::SummaryRequest;

fn check(previous: Option<&str>, text: &str, expected: &Expect) {
    let view = view(text);
    let request = SummaryRequest {
        entries: view.entries(),
        previous,
        budget: 100,
        prompt: "",
        counter: &WordCounter,
        prefix: None,
        spending: None,
        checks: None,
    };
    expected.assert_eq(&ExtractiveSummarizer.extract(&request));
}

const EARLIER: &str = "- plan: {\"todos\":\"parse\"}\n- I will begin with the parser\n\n\
                       - plan: {\"todos\":\"lex\"}\n- the lexer is done as far as I can see";
const TALK: &str = "user: go\nassistant: and now I will write the docs";

#[test]
fn the_newest_plan_of_earlier_summaries_stays() {
    check(
        Some(EARLIER),
        TALK,
        &expect![[r#"
            - I will begin with the parser
            - plan: {"todos":"lex"}
            - the lexer is done as far as I can see
            - and now I will write the docs"#]],
    );
}

#[test]
fn a_newer_plan_takes_its_place() {
    check(
        Some(EARLIER),
        &format!(
            "{TALK}\n  -> c1 todo {{\"todos\":\"docs\"}}\nresults:\n  c1 = ok\nassistant: the docs are as good as done"
        ),
        &expect![[r#"
            - I will begin with the parser
            - the lexer is done as far as I can see
            - and now I will write the docs
            - the docs are as good as done
            - plan: {"todos":"docs"}"#]],
    );
}

#[test]
fn without_an_earlier_summary_the_messages_are_used() {
    check(None, TALK, &expect!["- and now I will write the docs"]);
}

#[test]
fn short_lines_say_nothing_and_plans_are_known_by_the_name_of_their_tool() {
    check(
        None,
        "user: go\nassistant: Done and more done.\\nDone and more work done.\nassistant: # And so on and so onn\n  \
         -> c1 update_plan {\"a\":1}\nresults:\n  c1 = ok\nassistant: 1234567890123456789\n  -> c2 write {\"a\":2}\nresults:\n  c2 = ok",
        &expect![[r#"
            - Done and more work done.
            - And so on and so onn
            - plan: {"a":1}"#]],
    );
}
