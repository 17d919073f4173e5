//! Which pairs a text has.

use expect_test::{Expect, expect};

use super::*;
use crate::values::GIVEN;

fn check(text: &str, expected: &Expect) {
    let found: Vec<String> =
        pairs(text).into_iter().map(|pair| format!("{} = {}", pair.key, pair.value)).collect();
    expected.assert_eq(&found.join("\n"));
}

#[test]
fn signs_between_keys_and_values() {
    check(
        "The ledger of the project: alpha-1=4f2a9c1e; alpha-2=\"x/y\"; beta 3 -> gw-17.\n\
         - port: 5413\n* `owner` → team_blue\nlevel=info took=12ms user=kim\n\
         Launch code: HIDDEN-7A. Database port: 5432. Preserve these values.",
        &expect![[r#"
            alpha-1 = 4f2a9c1e
            alpha-2 = x/y
            beta 3 = gw-17
            port = 5413
            owner = team_blue
            level = info
            took = 12ms
            user = kim
            Launch code = HIDDEN-7A
            Database port = 5432"#]],
    );
}

#[test]
fn text_and_code_are_no_pairs() {
    check(
        "I think that this is wrong, and we should look at it once more.\n\
         if a == b { return f(x); }\nlet total = round(amount);\nassert!(x <= 3)\nhttps://example.com/a?b=(c)",
        &expect![[""]],
    );
}

#[test]
fn leaves_of_json_and_rows_of_tables() {
    check(
        "Here it is:\n{\"db\": {\"port\": 5413, \"hosts\": [{\"name\": \"east\", \"ip\": \"10.0.0.7\"}]}, \"on\": true}\n\
         | item | owner | size |\n|---|---|---|\n| a-1 | kim | 12 |\n| a-2 | lee | 9 |\n\
         name\tport\nweb\t8080\napi\t8081\n",
        &expect![[r#"
            db.port = 5413
            db.hosts.east.name = east
            db.hosts.east.ip = 10.0.0.7
            a-1 owner = kim
            a-1 size = 12
            a-2 owner = lee
            a-2 size = 9
            web = 8080
            api = 8081"#]],
    );
}

#[test]
fn a_long_list_is_counted_where_it_stood() {
    let list: Vec<String> = (0..9).map(|at| format!("k-{at}=value{at}00")).collect();
    let text = format!("Keep these: {}. And one: a=b12\nContinue.", list.join("; "));
    assert_eq!(
        without_runs(&text, 4, GIVEN),
        "Keep these: [… 9 values, under \"Values from the user\" …]. And one: a=b12\nContinue."
    );
    assert_eq!(without_runs(&text, 20, GIVEN), text);
}

#[test]
fn any_text_is_read_without_a_fault() {
    for text in
        ["", "=", ": ", "->", "|", "||\n||\n||", "{\"a\": 1", "ä=ö; 日本=語1\n", "a=b=c", "k = \u{2028}v1"]
    {
        let _ = (pairs(text), without_runs(text, 1, GIVEN));
    }
}
