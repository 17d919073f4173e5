//! Values outlive the summaries between them.

use expect_test::expect;
use throughline_testkit::view;

use super::*;

fn noted(notation: &str) -> Values {
    let mut values = Values::default();
    view(notation).entries().iter().for_each(|entry| values.note(entry));
    values
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
fn each_key_has_its_value_and_the_newest_stay() {
    let values = noted(TWO);
    expect![[r#"
        - port=5413
        - owner_id=team_blue"#]]
    .assert_eq(&values.render(|_| false, 100));
    assert_eq!(values.render(|_| false, 25), "- owner_id=team_blue");
    assert_eq!(values.render(|value| value == "team_blue", 100), "- port=5413");
}

#[test]
fn a_newer_value_replaces_the_older_one_of_its_key() {
    let again = TWO.replace("c1", "c3").replace("c2", "c4").replace("5413", "6000");
    let values = noted(&format!("{TWO}{again}"));
    assert_eq!(values.render(|_| false, 100), "- port=6000\n- owner_id=team_blue");
}

#[test]
fn an_earlier_summary_is_read_back() {
    let mut values = Values::default();
    values.merge("[Summary]\n\n## Values\n- port=5413\n\n## Names\na_b");
    assert_eq!(values.render(|_| false, 100), "- port=5413");
}
