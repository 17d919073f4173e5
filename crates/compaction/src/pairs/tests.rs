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

/// Each pair with the bytes of the text that say it.
fn check_places(text: &str, expected: &Expect) {
    let place = |pair: &Pair| text.get(pair.at.clone()).unwrap_or("none").replace('\n', "\\n");
    let found: Vec<String> = pairs(text)
        .iter()
        .map(|pair| format!("{} = {} in `{}`", pair.key, pair.value, place(pair)))
        .collect();
    expected.assert_eq(&found.join("\n"));
}

#[test]
fn every_pair_knows_where_it_stands() {
    check_places(
        "First: one1  \nSome text; port: 5413, owner: kim; beta 3 -> gw-17\n level=info  took=12ms user=kim\n\
         Then\n  {\"a\": 12,\n  \"b\": 34}\nend: yes1\n\
         | item | owner |\n|---|---|\n| a-1 | kim |\n| a-2 | lee |\nlast: one2",
        &expect![[r#"
            First = one1 in `First: one1`
            port = 5413 in `port: 5413`
            owner = kim in `owner: kim`
            beta 3 = gw-17 in `beta 3 -> gw-17`
            level = info in `level=info`
            took = 12ms in `took=12ms`
            user = kim in `user=kim`
            a = 12 in `{"a": 12,\n  "b": 34}`
            b = 34 in `{"a": 12,\n  "b": 34}`
            end = yes1 in `end: yes1`
            a-1 = kim in `| a-1 | kim |`
            a-2 = lee in `| a-2 | lee |`
            last = one2 in `last: one2`"#]],
    );
}

#[test]
fn commas_part_pairs_only_where_each_part_has_a_sign() {
    check(
        "port: 5413, owner: kim\nbeta 3=x7, gamma 4=y8\nhost -> gw1, proxy -> gw2\nhost → gw3, proxy → gw4\n\
         color: red, green",
        &expect![[r#"
            port = 5413
            owner = kim
            beta 3 = x7
            gamma 4 = y8
            host = gw1
            proxy = gw2
            host = gw3
            proxy = gw4
            color = red, green"#]],
    );
}

#[test]
fn words_with_equals_signs_are_pairs_of_their_own_if_there_are_several() {
    check(
        "set alpha=b12\nand so level=info took=12ms\nset x=, y=z12",
        &expect![[r#"
        set alpha = b12
        level = info
        took = 12ms
        y = z12"#]],
    );
}

#[test]
fn a_long_text_before_a_sign_ends_with_the_key() {
    check(
        "one two three four=x12\nwe now set the port=5413\nwe now set the port = 5414\n- one two three five = x13\n\
         For the server: port -> 5415\nFor the server: the new port: 5416",
        &expect![[r#"
            one two three four = x12
            port = 5413
            one two three five = x13
            port = 5415
            the new port = 5416"#]],
    );
}

#[test]
fn comparisons_and_assignments_of_code_are_no_pairs() {
    check("count != total1\ncount += 12\ncount == total1\nname := value1\na >= b12", &expect![[""]]);
}

#[test]
fn keys_and_values_have_limits() {
    let (key, value) = ("k".repeat(60), "v".repeat(120));
    for (text, count) in [
        (format!("{key}: x12"), 1),
        (format!("{key}k: x12"), 0),
        (format!("port: {value}"), 1),
        (format!("port: {value}v"), 0),
        ("port: one two three four".to_owned(), 1),
        ("port: one two three four five".to_owned(), 0),
        ("one two three four: x12".to_owned(), 1),
        ("one two three four five : x12".to_owned(), 0),
        ("port: (x12)".to_owned(), 0),
        ("port (a): x12".to_owned(), 0),
        ("3: x12".to_owned(), 0),
        ("one, two: x12".to_owned(), 0),
        ("port: -".to_owned(), 0),
        ("- : x12".to_owned(), 0),
    ] {
        assert_eq!(pairs(&text).len(), count, "{text}");
    }
}

#[test]
fn of_a_list_without_end_the_first_pairs_are_read() {
    let list: Vec<String> = (0..1_001).map(|at| format!("key-{at}: v{at}")).collect();
    let found = pairs(&list.join("\n"));
    assert_eq!((found.len(), found.last().unwrap().value.as_str()), (1_000, "v999"));
    let row: Vec<String> = (0..1_001).map(|at| format!("\"key-{at}\": \"v{at}\"")).collect();
    assert_eq!(pairs(&format!("{{{}}}", row.join(","))).len(), 1_000);
}

#[test]
fn a_run_is_replaced_from_that_many_pairs_on() {
    let three = "Given: a=b12; c=d34; e=f56. It was late. Then g=h78; i=j90\n";
    let counted = "Given: [… 3 values, under \"Values from the user\" …]. It was late. Then g=h78; i=j90\n";
    for (least, expected) in [(4, three), (3, counted)] {
        assert_eq!(without_runs(three, least, GIVEN), expected, "{least}");
    }
    let table = "| item | owner | size |\n|---|---|---|\n| a-1 | kim | 12 |\n| a-2 | lee | 9 |\nThat is all.";
    assert_eq!(
        without_runs(table, 4, GIVEN),
        "| item | owner | size |\n|---|---|---|\n[… 4 values, under \"Values from the user\" …]\nThat is all."
    );
}

#[test]
fn a_leaf_of_json_has_its_whole_path_as_its_key() {
    check(
        "{\"lines\": \"a\\nb\", \"empty\": \"\", \"\": 3, \"no\": null, \"yes\": true,\n\
         \"list\": [4, {\"key\": \"c\", \"name\": \"b\", \"id\": \"a\"}, {\"x\": 5}]}\n\
         [[6]]\n{}\n[true]\nend: 8a\n{\"broken\": 7",
        &expect![[r#"
            list.0 = 4
            list.a.key = c
            list.a.name = b
            list.a.id = a
            list.2.x = 5
            0.0 = 6
            end = 8a"#]],
    );
    let (key, value) = ("k".repeat(80), "v".repeat(120));
    for (text, count) in [
        (format!("{{\"{key}\": 1}}"), 1),
        (format!("{{\"{key}k\": 1}}"), 0),
        (format!("{{\"a\": \"{value}\"}}"), 1),
        (format!("{{\"a\": \"{value}v\"}}"), 0),
    ] {
        assert_eq!(pairs(&text).len(), count, "{text}");
    }
}

#[test]
fn a_table_has_bars_tabs_commas_or_blanks() {
    check(
        "name,port\nweb,8080\napi,8081\n\nNAME    PORT\ndb      5432\ncache   6379\n\nHOST  SETTING\nh1  size: 80a\nh2  size: 81b\nowner: kim",
        &expect![[r#"
            web = 8080
            api = 8081
            db = 5432
            cache = 6379
            h1 = size: 80a
            h2 = size: 81b
            owner = kim"#]],
    );
}

#[test]
fn lines_that_only_look_like_a_table_are_none() {
    let heads = |count: usize| ["h"; 9].get(..count).unwrap().join(",");
    let row = |count: usize| ["r1"; 9].get(..count).unwrap().join(",");
    let columns = |count: usize| format!("{}\n{}\n{}", heads(count), row(count), row(count));
    let cell = "c".repeat(80);
    for (text, count) in [
        (columns(8), 14),
        (columns(9), 0),
        ("h,i\nr,1a".to_owned(), 0),
        ("| h | i |\n|---|---|\n| r | 1a |".to_owned(), 0),
        ("h,i\nr,1a\ns,2b\nt,3c,4d".to_owned(), 2),
        (format!("h,i\nr,1a\ns,{cell}"), 2),
        (format!("h,i\nr,1a\ns,{cell}c"), 0),
        ("h,i\nr,1a\ns,f(x)".to_owned(), 0),
        ("head one,i\nr,1a\ns,2b".to_owned(), 2),
        ("a head one,i\nr,1a\ns,2b".to_owned(), 0),
        ("1h,i\nr,1a\ns,2b".to_owned(), 0),
        ("h!,i\nr,1a\ns,2b".to_owned(), 0),
        ("h,i\nr,\n,2b\ns,3c".to_owned(), 1),
        ("h,i\nr,\n,2b".to_owned(), 0),
    ] {
        assert_eq!(pairs(&text).len(), count, "{text}");
    }
}
