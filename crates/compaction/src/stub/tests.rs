//! References are found again in the texts that name them.

use expect_test::expect;
use throughline_conversation::ResultRef;

use super::*;

fn name() -> ResultRef {
    ResultRef::from_text("r-0123456789abcdef")
}

#[test]
fn a_cleared_result_names_its_bytes() {
    let text = cleared_stub(12_345, "grep", &name(), &["src/a.rs", "b_c"]);
    expect![[r#"
        [Tool result cleared — 12,345 bytes from "grep". Use the "read_result" tool with ref_id="r-0123456789abcdef" to read it.]
        Names in it: src/a.rs, b_c"#]]
    .assert_eq(&text);
    assert_eq!(parse_cleared(&text), Some(StoredReference { stored: name(), bytes: 12_345 }));
    assert_eq!(parse_stored(&text), None);
}

#[test]
fn a_shortened_result_has_the_form_of_a_stored_one() {
    let text = shortened_stub("0123456789abcdefghijklmnopqrstuvwxyz", 36, "grep", &name(), 9);
    expect![[r#"
        [Tool result stored — 36 bytes from "grep".
        012345
        [… 27 bytes not shown …]
        xyz]
        Use the "read_result" tool with ref_id="r-0123456789abcdef" to read specific portions."#]]
    .assert_eq(&text);
    assert_eq!(parse_stored(&text), Some(StoredReference { stored: name(), bytes: 36 }));
    assert_eq!(parse_stub(&text), parse_stored(&text));
}

#[test]
fn a_clipped_string_is_known_as_one() {
    let text = clipped_input("0123456789", 4, &name(), &["a_b"]);
    expect![[r#"0123… [cut: 10 bytes, the whole input is ref_id="r-0123456789abcdef"; names in it: a_b]"#]]
        .assert_eq(&text);
    assert!(is_clipped(&text));
    assert!(!is_clipped("0123… [cut: me]"));
}

#[test]
fn what_only_looks_similar_is_no_reference() {
    for text in ["", "[Tool result cleared — ", "[Tool result stored — many bytes from \"x\".", "r-xyz"] {
        assert_eq!(parse_stub(text), None, "{text}");
    }
    let half = "[Tool result stored — 9 bytes from \"x\".\nref_id=\"r-0123456789abcdef\"";
    assert_eq!(parse_stored(half), None, "the last line must be there");
    assert_eq!(refs("r-0123456789ABCDEF r-0123456789abcde r-öööööööööööööööö").count(), 0);
}

#[test]
fn a_short_stub_is_read_back() {
    let text = short_cleared_stub(12_345, &name());
    expect![[r#"
        [Tool result cleared — was 12345 bytes]
        Use the "read_result" tool with ref_id="r-0123456789abcdef" to read it."#]]
    .assert_eq(&text);
    assert_eq!(parse_stub(&text), Some(StoredReference { stored: name(), bytes: 12_345 }));
    assert!(!cleared_stub(9, "grep", &name(), &[]).contains("Names in it"));
    assert!(!clipped_input("0123456789", 4, &name(), &[]).contains("names in it"));
}

#[test]
fn a_truncated_result_is_read_back_with_its_start() {
    let text = truncated_stub("the [start] of it", 12, &name());
    expect![[r#"the [start] of it [ref_id="r-0123456789abcdef"]... [TRUNCATED. Use query_db(sql="SELECT content FROM messages WHERE id=12") to see full output]"#]]
        .assert_eq(&text);
    assert_eq!(parse_truncated(&text), Some(("the [start] of it", name())));
    for other in [
        text.replace("id=12", "id=x"),
        text.replace("r-0123456789abcdef", "r-0123456789abcde"),
        text.replace("r-0123456789abcdef", "see r-0123456789abcdef"),
        format!("{text} "),
        "the start".to_owned(),
    ] {
        assert_eq!(parse_truncated(&other), None, "{other}");
    }
}

#[test]
fn the_visible_part_of_a_stored_result_is_between_its_first_and_its_last_line() {
    for (text, inside) in [("a\nb\nc\nd", "b\nc"), ("a\nd", "d"), ("a", "a")] {
        assert_eq!(inside_stored(text), inside);
    }
}
