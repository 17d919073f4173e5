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
            [resource x://b, of no told type, 3 bytes: it cannot be shown here]
            [link to x://d, D, text/csv, rows]
            [audio of 6 bytes, audio/wav: it cannot be shown here]
            {"type":"later","body":1}
            ["image/png of 96", "image/png of 96"] false
        "#]],
    );
}

#[test]
fn a_picture_that_would_break_a_request_is_described_instead() {
    let image = |data: String| json!({"type": "image", "data": data, "mimeType": "image/png"});
    check(
        &json!({"content": [
            image("PHN2Zz4=".to_owned()),
            image(String::new()),
            image(format!("{PNG}!")),
            image(format!("{}\n", PNG.trim_end_matches('='))),
            image(format!("iVBORw0KGgo{}", "A".repeat(6 * 1024 * 1024 + 1)))
        ]}),
        &expect![[r#"
            [picture of 5 bytes, image/png: it is not shown: it is no PNG, JPEG, GIF or WebP]
            [picture of 0 bytes, image/png: it is not shown: it is no PNG, JPEG, GIF or WebP]
            [picture of 72 bytes, image/png: it is not shown: it is no PNG, JPEG, GIF or WebP]
            [picture of 71 bytes, image/png: it is not shown: it is no PNG, JPEG, GIF or WebP]
            [picture of 4,718,601 bytes, image/png: it is not shown: it is too large]
            [] false
        "#]],
    );
    let many: Vec<Value> = (0..30).map(|_| image(PNG.to_owned())).collect();
    let output = output(&json!({"content": many}));
    assert_eq!((output.images.len(), output.to_text().matches("there are too many").count()), (20, 10));
}

#[test]
fn a_picture_with_too_many_pixels_is_described_instead() {
    // Bytes 16 to 20 of the file are the width, the next four the height.
    let png = |size: &str| PNG.replacen("UgAAAAEAAAAB", size, 1);
    let sized = |size: &str| json!({"type": "image", "data": png(size), "mimeType": "image/png"});
    check(
        &json!({"content": [sized("UgAAB9AAAAfQ"), sized("UgAAB9EAAAAB"), sized("UgAABQAAAE4g"), sized("UgAAAAEAAAAA")]}),
        &expect![[r#"
            [picture of 70 bytes, image/png: it is not shown: it has 2001 x 1 pixels, and at most 2000 on a side can be shown; ask for a smaller one, or for a part of it]
            [picture of 70 bytes, image/png: it is not shown: it has 1280 x 20000 pixels, and at most 2000 on a side can be shown; ask for a smaller one, or for a part of it]
            [picture of 70 bytes, image/png: it is not shown: it is damaged, it does not say its size in pixels]
            ["image/png of 96"] false
        "#]],
    );
    // A resource is a picture, too.
    let tall = png("UgAABQAAAE4g");
    check(
        &json!({"content": [{"type": "resource", "resource": {"uri": "x://page", "blob": tall}}]}),
        &expect![[r#"
            [picture x://page of 70 bytes, of no told type: it is not shown: it has 1280 x 20000 pixels, and at most 2000 on a side can be shown; ask for a smaller one, or for a part of it]
            [] false
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
