//! Tests of what answers use and requests show.

use std::fmt::Write;
use std::sync::Arc;

use expect_test::{Expect, expect};
use serde_json::json;

use throughline_testkit::parse;

use super::names::names;
use super::text::{has_word, strings};
use super::{NeedTracker, Shown};

fn check_names(text: &str, expected: &[&str]) {
    assert_eq!(names(text).collect::<Vec<_>>(), expected, "{text:?}");
}

#[test]
fn names_are_paths_and_words_that_prose_does_not_have() {
    check_names("see src/main.rs:12, and Cargo.toml.", &["src/main.rs", "Cargo.toml"]);
    check_names("/usr/lib/x86_64 and ./a/bc", &["/usr/lib/x86_64", "x86_64", "/a/bc"]);
    check_names(
        "call parseHeader(), read_all and sha256; then the rest",
        &["parseHeader", "read_all", "sha256"],
    );
    check_names("tokio::sync::CancelFlag::is_set", &["CancelFlag", "is_set"]);
    check_names("Plain words, e.g. this one - and 12345 or 3.14.", &[]);
    check_names("https://example.com/a_b", &["//example.com/a_b"]);
    check_names("größe_x naïveName", &["veName"]);
    check_names("", &[]);
}

#[test]
fn a_name_has_from_5_to_200_letters() {
    let long = |start: &str, length: usize| format!("{start}{}", "x".repeat(length - start.len()));
    for start in ["a/", "_"] {
        let (fits, not) = (long(start, 200), long(start, 201));
        check_names(&fits, &[&fits]);
        check_names(&not, &[]);
    }
    check_names("a/bcd a/bc ab_cd ab_c", &["a/bcd", "ab_cd"]);
    check_names("abc.rs ab.rs abcd.exten abcd.extend", &["abc.rs", "abcd.exten"]);
}

#[test]
fn a_word_stands_alone() {
    assert!(has_word("use read_all;", "read_all"));
    assert!(has_word("read_all", "read_all"));
    assert!(!has_word("read_all2 xread_all read_all_", "read_all"));
    assert!(has_word("aread_all read_all", "read_all"), "a later place counts too");
}

#[test]
fn texts_in_arguments_are_found_with_their_keys() {
    let value = json!({"a": "x", "list": ["y", {"deep": "z"}], "n": 1});
    let mut found = Vec::new();
    strings(&value, &mut |key, text| found.push((key, text)));
    assert_eq!(found, [(Some("a"), "x"), (Some("list"), "y"), (Some("deep"), "z")]);
}

/// What each answer needs, one line an answer that needs something.
fn check_needs(notation: &str, expected: &Expect) {
    let mut out = String::new();
    let mut tracker = NeedTracker::default();
    for (place, message) in parse(notation).into_iter().map(Arc::new).enumerate() {
        let need = tracker.need(&message);
        if !need.is_empty() {
            writeln!(out, "{place} names {:?} lines {:?} files {:?}", need.names, need.lines, need.files)
                .unwrap();
        }
        tracker.note(&message);
    }
    expected.assert_eq(&out);
}

#[test]
fn only_what_a_result_showed_first_is_needed_from_it() {
    let talk = r#"
user: look at given_name
assistant: I know own_name
  -> c1 grep {"pattern": "given_name"}
results:
  c1 = src/deep/file.rs: shown_name given_name own_name
assistant:
  -> c2 read {"path": "src/deep/file.rs", "symbol": "own_name given_name shown_name new_name"}
results:
  c2 = new_name
assistant:
  -> c3 read {"symbol": "new_name"}
results:
  c3 = x
"#;
    check_needs(
        talk,
        &expect![[r#"
            3 names {"shown_name", "src/deep/file.rs"} lines [] files {}
        "#]],
    );
}

#[test]
fn edits_need_the_lines_that_they_quote() {
    let talk = r#"
user: edit
assistant:
  -> c1 read {}
results:
  c1 =  1  let total = first + second;\n 2  short;\n 3  return total * factor;
assistant:
  -> c2 edit {"old_string": "let total = first + second;\nshort;\nlet unseen = line of mine;", "new_string": "return total * factor;"}
results:
  c2 = ok
assistant:
  -> c3 apply_patch {"input": "*** Begin Patch\n*** Update File: a\n@@\n return total * factor;\n-let total = first + second;\n+let total = something new here;\n*** End Patch"}
results:
  c3 = ok
"#;
    check_needs(
        talk,
        &expect![[r#"
            3 names {} lines ["let total = first + second;"] files {}
            5 names {} lines ["return total * factor;", "let total = first + second;"] files {}
        "#]],
    );
}

#[test]
fn a_request_without_the_content_misses_what_the_answer_uses() {
    let talk = r#"
user: edit
assistant:
  -> c1 read {"path": "a.rs"}
results:
  c1 = let total = first + second_part;
assistant:
  -> c2 read {"path": "a.rs", "near": "second_part"}
  -> c3 edit {"old_string": "let total = first + second_part;"}
"#;
    let messages: Vec<_> = parse(talk).into_iter().map(Arc::new).collect();
    let mut tracker = NeedTracker::default();
    messages.iter().take(3).for_each(|message| tracker.note(message));
    let need = tracker.need(&messages[3]);
    let missed = |notation: &str, note: Option<&str>| {
        let request = parse(notation);
        let missed = need.missed(&Shown::of(request.iter(), note));
        (missed.names, missed.lines, missed.files, missed.needs_refetch())
    };
    let whole = "user: edit\nassistant:\n  -> c1 read {}\nresults:\n  c1 = let total = first + second_part;";
    assert_eq!(missed(whole, None), (0, 0, 0, false));
    let stub =
        "user: edit\nassistant:\n  -> c1 read {}\nresults:\n  c1 = [cleared; ref_id=\"r-0123456789abcdef\"]";
    assert_eq!(missed(stub, None), (1, 1, 1, true));
    assert_eq!(missed(stub, Some("names: second_part")), (0, 1, 1, true));
    let line = "names: let total = first + second_part;";
    assert_eq!(missed(stub, Some(line)), (0, 0, 1, false), "the answer itself reads the file again");
}
