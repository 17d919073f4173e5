//! Tests of the conversion of results.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::output;

/// The smallest PNG: one transparent pixel.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

fn check(result: &Value, after: &Expect) {
    let output = output(result);
    let images: Vec<String> =
        output.images.iter().map(|image| format!("{} of {}", image.media_type, image.data.len())).collect();
    after.assert_eq(&format!("{}\n{images:?} {}\n", output.to_text(), output.is_error));
}

// S3-31
#[test]
fn texts_pictures_and_resources() {
    check(
        &json!({"content": [
            {"type": "text", "text": "one"},
            {"type": "image", "data": PNG, "mimeType": "image/jpeg"},
            {"type": "resource", "resource": {"uri": "file:///a", "mimeType": "text/plain", "text": "two\nthree"}},
            {"type": "resource", "resource": {"uri": "x://b", "blob": "AAAA"}},
            {"type": "resource", "resource": {"uri": "x://t", "mimeType": "text/csv", "blob": "bmFtZSxhZ2UKQWxpY2UsMzA="}},
            {"type": "resource", "resource": {"uri": "x://c", "blob": PNG, "mimeType": "image/png"}},
            {"type": "resource_link", "uri": "x://d", "name": "D", "mimeType": "text/csv", "description": "rows"},
            {"type": "audio", "data": "AAAAAAAA", "mimeType": "audio/wav"},
            {"type": "later", "body": 1}
        ]}),
        &expect![[r#"
            one
            [resource file:///a, text/plain]
            two
            three
            [resource x://b, of an unknown type, 3 bytes]
            [resource x://t, text/csv]
            name,age
            Alice,30
            [resource x://c: a picture]
            [link to x://d, D, text/csv, rows]
            [audio of 6 bytes, audio/wav]
            {"type":"later","body":1}
            ["image/jpeg of 96", "of an unknown type of 4", "image/png of 96", "audio/wav of 8"] false
        "#]],
    );
}

#[test]
fn a_picture_is_passed_on_as_it_came_because_the_engine_checks_it() {
    let image = |data: &str, kind: &str| json!({"type": "image", "data": data, "mimeType": kind});
    check(
        &json!({"content": [
            image("PHN2Zz4=", "image/svg+xml"),
            image("", "image/png"),
            image(&format!("{PNG}!"), "image/jpeg"),
            image(&format!("data:image/png;base64,{PNG}"), "image/jpeg"),
            {"type": "image", "data": PNG},
            {"type": "resource", "resource": {"uri": "x://page", "blob": "AAAA", "mimeType": "image/png"}}
        ]}),
        &expect![[r#"
            [resource x://page: a picture]
            ["image/svg+xml of 8", "image/png of 0", "image/jpeg of 97", "image/png of 96", "of an unknown type of 96", "image/png of 4"] false
        "#]],
    );
}

#[test]
fn structured_content_is_shown_once() {
    check(
        &json!({"content": [{"type": "text", "text": "{\"a\": 1}"}], "structuredContent": {"a": 1}}),
        &expect![[r#"
            {"a": 1}
            [] false
        "#]],
    );
    check(
        &json!({"content": [{"type": "text", "text": "one\ntwo"}], "structuredContent": {"content": "one\ntwo"}}),
        &expect![[r#"
            one
            two
            [] false
        "#]],
    );
    check(
        &json!({"content": [{"type": "text", "text": "It is one."}], "structuredContent": {"a": 1}}),
        &expect![[r#"
            It is one.
            {"a":1}
            [] false
        "#]],
    );
    check(
        &json!({"structuredContent": [1, 2]}),
        &expect![[r#"
        [1,2]
        [] false
    "#]],
    );
}

#[test]
fn structured_content_is_omitted_only_if_the_texts_contain_all_of_it() {
    let shown_once = |text: &str, structured: Value| {
        let answer = json!({"content": [{"type": "text", "text": text}], "structuredContent": structured});
        output(&answer).to_text() != text
    };
    let issues = "Found 12 issues";
    for structured in [
        json!({"open": 1, "closed": 12}),
        json!({"open": 12}),
        json!({"done": true}),
        json!({"next": null}),
        json!({"name": "issue"}),
        json!({"name": "ound"}),
        json!({"items": []}),
        json!({"error": ""}),
        json!({"names": ["Found", {}]}),
    ] {
        assert!(shown_once(issues, structured.clone()), "{structured}");
    }
    assert!(shown_once("true, null and 7", json!([true, null, 7])));
    for structured in [json!({"what": "issues"}), json!([["Found"], {"a": "12 issues"}]), json!({})] {
        assert!(!shown_once(issues, structured.clone()), "{structured}");
    }
    assert!(!shown_once("wo: <größe>", json!({"x": "größe", "y": "<größe>"})));
    assert!(shown_once("größer", json!({"x": "größe"})));
}

#[test]
fn failures_and_empty_results_have_a_text() {
    check(
        &json!({"content": [{"type": "text", "text": "no such row"}], "isError": true}),
        &expect![[r#"
        no such row
        [] true
    "#]],
    );
    check(
        &json!({"content": [], "isError": true}),
        &expect![[r#"
        The tool failed and gave no reason.
        [] true
    "#]],
    );
    check(
        &json!({"content": []}),
        &expect![[r#"
        [the answer is empty]
        [] false
    "#]],
    );
    check(
        &json!(null),
        &expect![[r#"
        [the answer is empty]
        [] false
    "#]],
    );
    check(
        &json!({"content": "x", "isError": "yes"}),
        &expect![[r#"
        {"content":"x","isError":"yes"}
        [] false
    "#]],
    );
    check(
        &json!([1, 2]),
        &expect![[r#"
        [1,2]
        [] false
    "#]],
    );
}

#[test]
fn a_long_text_is_truncated_and_says_so() {
    let output = output(&json!({"content": [{"type": "text", "text": "ä".repeat(6 * 1024 * 1024)}]}));
    assert!(output.bytes.len() < 8 * 1024 * 1024 + 100);
    assert!(output.to_text().ends_with("ä\n[cut: the answer had 12,582,912 bytes]"));
}
