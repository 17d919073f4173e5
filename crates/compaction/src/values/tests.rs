//! Values outlive the summaries between them.

use expect_test::expect;
use throughline_testkit::{WordCounter, view};

use super::*;

fn noted(notation: &str) -> Values {
    let mut values = Values::default();
    view(notation).entries().iter().for_each(|entry| values.note(entry));
    values
}

fn found(values: &Values, bytes: usize) -> String {
    values.render_found(|_, _, _| false, bytes)
}

fn given(values: &Values, tokens: u64) -> String {
    values.render_given(|_, _, _| false, tokens, &WordCounter)
}

const TWO: &str = r#"
user: look
assistant:
-> c1 get {"key":"port"}
-> c2 get {"key":"owner_id"}
results:
c1 = 5413
c2 = team_blue
"#;

#[test]
fn each_key_has_its_value_and_short_ones_stay() {
    let values = noted(TWO);
    expect![[r#"
        port=5413
        owner_id=team_blue"#]]
    .assert_eq(&found(&values, 100));
    assert_eq!(found(&values, 15), "port=5413");
    assert_eq!(values.render_found(|_, value, _| value == "team_blue", 100), "port=5413");
}

#[test]
fn a_newer_value_replaces_the_older_one_of_its_key() {
    let again = TWO.replace("c1", "c3").replace("c2", "c4").replace("5413", "6000");
    let values = noted(&format!("{TWO}{again}"));
    assert_eq!(found(&values, 100), "port=6000\nowner_id=team_blue");
}

#[test]
fn what_the_user_gives_is_a_list_of_its_own() {
    let values = noted(
        "user: a-1=4f2a9c1e; a-2=77e1b0aa; a-3=soon\nassistant: yes\nuser: a-1=00ffee11\nassistant: yes\nuser: a-2=9981aa00",
    );
    assert_eq!(given(&values, 100), "a-3=soon\na-1=00ffee11\na-2=9981aa00");
    // A specific value is chosen before a word.
    assert_eq!(given(&values, 2), "a-1=00ffee11\na-2=9981aa00");
    assert!(values.has_value("77e1b0aa") && !values.has_value("a-1"));
}

#[test]
fn several_values_of_one_result_have_the_name_of_what_was_asked() {
    let values = noted(
        r#"
user: look
assistant:
-> c1 get {"item":"order-17"}
-> c2 read {"path":"src/main.rs"}
results:
c1 = {"total": 81250, "state": "open", "ref": "ab12-cd34"}
c2 = fn main() {\n    let port = 8080;\n    run(port)\n}
"#,
    );
    assert_eq!(found(&values, 200), "order-17 total=81250\norder-17 ref=ab12-cd34");
}

#[test]
fn an_earlier_summary_is_read_back() {
    let mut values = Values::default();
    let summary = "[Summary]\n\n## Values from the user\na-1=4f2a\n\n## Values\n- port=5413\n\n## Names\na_b";
    values.merge(summary, Seq(3));
    assert_eq!((given(&values, 9).as_str(), found(&values, 100).as_str()), ("a-1=4f2a", "port=5413"));
}
