//! Values of each wrong type, and those that stay.

use serde_json::{Value, json};

use super::fit_arguments;

#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "the form in which expectations are written")]
fn check(schema: Value, given: Value, fitted: Value) {
    let whole = json!({
        "type": "object",
        "properties": { "v": schema, "other": { "type": "string" } },
        "$defs": {
            "names": { "type": "array", "items": { "type": "string" } },
            "own": { "anyOf": [{ "$ref": "#/$defs/own" }, { "type": "integer" }] },
        },
    });
    let given = json!({ "v": given, "other": "5" });
    let mut wanted = json!({ "other": "5" });
    if fitted != json!("left out") {
        wanted = json!({ "v": fitted, "other": "5" });
    }
    assert_eq!(fit_arguments(&given, &whole), wanted, "{whole}");
}

#[test]
fn a_text_is_the_json_that_the_schema_wants() {
    check(json!({ "type": "integer" }), json!("5"), json!(5));
    check(json!({ "type": "integer" }), json!(" 5.0 "), json!(5));
    check(json!({ "type": "boolean" }), json!("true"), json!(true));
    check(json!({ "type": "object" }), json!(r#"{"k":"1"}"#), json!({ "k": "1" }));
    let list = json!({ "type": "array", "items": { "type": "integer" } });
    check(list.clone(), json!(r#"["1", 2.0]"#), json!([1, 2]));
    check(json!({ "anyOf": [list, { "type": "null" }] }), json!(r#"["1"]"#), json!([1]));
    check(json!({ "$ref": "#/$defs/names" }), json!(r#"["5"]"#), json!(["5"]));
    check(json!({ "$ref": "#/$defs/own" }), json!("5"), json!("5"));
}

#[test]
fn a_value_that_fits_several_schemas_stays() {
    let of = |kind: &str| json!({ "type": "object", "properties": { "value": { "type": kind } } });
    let given = json!({ "value": "5" });
    check(json!({ "anyOf": [of("integer"), of("string")] }), given.clone(), given);
    let of = |kind: &str| json!({ "type": "array", "items": { "type": kind } });
    check(json!({ "oneOf": [of("integer"), of("string")] }), json!(["5"]), json!(["5"]));
}

#[test]
fn a_number_without_a_fraction_is_an_integer() {
    check(json!({ "type": "integer" }), json!(2.0), json!(2));
    check(json!({ "type": ["integer", "null"] }), json!(-2.0), json!(-2));
    check(json!({ "type": "number" }), json!(2.0), json!(2.0));
    check(json!({ "type": "integer" }), json!(2.5), json!(2.5));
    check(json!({ "type": "integer" }), json!(1e300), json!(1e300));
}

#[test]
fn a_blank_text_is_no_value() {
    check(json!({ "type": ["integer", "null"] }), json!(""), json!(null));
    check(json!({ "type": "integer" }), json!(" "), json!("left out"));
    check(json!({ "type": "string" }), json!(""), json!(""));
    let required =
        json!({ "type": "object", "properties": { "v": { "type": "integer" } }, "required": ["v"] });
    assert_eq!(fit_arguments(&json!({ "v": "" }), &required), json!({ "v": "" }));
}

#[test]
fn a_value_that_the_schema_takes_or_that_has_no_meaning_stays() {
    for schema in [
        json!({ "type": "string" }),
        json!({}),
        json!({ "type": ["string", "integer"] }),
        json!({ "enum": ["[1]"] }),
    ] {
        check(schema, json!("[1]"), json!("[1]"));
    }
    check(json!({ "type": "integer" }), json!("five"), json!("five"));
    check(json!({ "type": "array" }), json!("{}"), json!("{}"));
}
