//! Tests of schema rewriting.

use serde_json::{Value, json};

use super::PortableSchema;
use super::pattern::is_common;
use super::references::References;
use super::top_level::MergedSchema;

fn check(before: Value, after: &Value) {
    let Value::Object(map) = before else { panic!("an object") };
    let once = PortableSchema::of(&map).schema;
    assert_eq!(once, *after);
    let Value::Object(again) = once else { panic!("an object") };
    assert_eq!(PortableSchema::of(&again).schema, *after, "taking it again must change nothing");
}

#[test]
fn the_top_level_is_always_an_object() {
    let empty = json!({"type": "object", "properties": {}});
    check(json!({}), &empty);
    check(json!({"type": "string"}), &empty);
    check(json!({"type": ["object", "null"], "properties": null, "required": "x"}), &empty);
    check(json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}), &empty);
}

#[test]
fn references_keep_their_targets() {
    let schema = json!({
        "type": "object",
        "properties": {"node": {"$ref": "#/$defs/node"}},
        "required": ["node"],
        "$defs": {"node": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/node"}]}},
        "additionalProperties": false
    });
    check(schema.clone(), &schema);
}

#[test]
fn branches_at_the_top_level_are_merged() {
    check(
        json!({
            "type": "object",
            "properties": {"a": {"type": "string"}},
            "oneOf": [{"properties": {"b": {"type": "integer"}}, "required": ["b"]}, {"required": ["a"]}, true],
            "allOf": [{"properties": {"a": {"type": "null"}, "c": {}}, "required": ["c", 7]}],
            "not": {}
        }),
        &json!({
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": {"type": "integer"}, "c": {}},
            "required": ["c"]
        }),
    );
}

#[test]
fn references_at_the_top_level_are_followed_and_a_circle_ends() {
    let a =
        json!({"properties": {"x": {"type": "string"}}, "required": ["x"], "allOf": [{"$ref": "#/$defs/B"}]});
    let b =
        json!({"properties": {"y": {}}, "anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#"}, {"$ref": "else"}]});
    let defs = json!({"A": a, "B": b});
    let after = json!({
        "type": "object",
        "properties": {"y": {}, "x": {"type": "string"}},
        "required": ["x"]
    });
    check(json!({"$ref": "#/$defs/A", "$defs": defs}), &after);
    check(json!({"allOf": [{"$ref": "#/$defs/A"}], "$defs": defs}), &after);
}

#[test]
fn repeated_references_take_no_extra_time() {
    let branches: Vec<Value> = (0..20_000).map(|_| json!({"$ref": "#"})).collect();
    let chain: serde_json::Map<String, Value> = (0..20_000)
        .map(|i| (format!("d{i}"), json!({"allOf": [{"$ref": format!("#/$defs/d{}", i + 1)}]})))
        .collect();
    let mut chain = chain;
    let names: Vec<String> = (0..20_000).map(|i| format!("n{i}")).collect();
    chain.insert("d20000".to_owned(), json!({"required": names}));
    let Value::Object(schema) = json!({
        "anyOf": branches,
        "oneOf": branches,
        "allOf": [{"$ref": "#/$defs/d0"}],
        "required": names,
        "$defs": chain
    }) else {
        panic!("an object")
    };
    let whole = Value::Object(schema.clone());
    let references = References::new(&whole);
    let mut merged = MergedSchema::onto(schema, &references);
    merged.merge(&whole, true);
    // Each of the 80,002 places is taken once for each way in which it holds.
    assert!(merged.merged.len() < 2 * 85_000, "{}", merged.merged.len());
    assert_eq!(merged.required.len(), 20_000);
}

#[test]
fn invisible_characters_are_removed_from_texts_and_not_from_values() {
    let hidden = "find\u{e0041}\u{202e} it";
    check(
        json!({
            "type": "object",
            "properties": {"description": {"type": "string", "description": hidden, "default": hidden}}
        }),
        &json!({
            "type": "object",
            "properties": {"description": {"type": "string", "description": "find it", "default": hidden}}
        }),
    );
}

/// The portable form of a property, which must be stable.
fn property(schema: &Value) -> Value {
    let whole = json!({"type": "object", "properties": {"p": schema}});
    let once = PortableSchema::of(whole.as_object().unwrap()).schema;
    assert_eq!(
        PortableSchema::of(once.as_object().unwrap()).schema,
        once,
        "taking it again must change nothing"
    );
    once["properties"]["p"].clone()
}

#[test]
fn keywords_of_older_drafts_are_rewritten_at_every_depth() {
    let cases = [
        (json!({"minimum": 0, "exclusiveMinimum": true}), json!({"exclusiveMinimum": 0})),
        (json!({"maximum": 9, "exclusiveMaximum": false}), json!({"maximum": 9})),
        (json!({"divisibleBy": 2}), json!({"multipleOf": 2})),
        (
            json!({"type": "array", "items": [{"type": "number"}, null], "additionalItems": false}),
            json!({"type": "array", "prefixItems": [{"type": "number"}, {}], "items": false}),
        ),
        (json!({"type": "array"}), json!({"type": "array", "items": {}})),
        (json!({"type": ["string", "any"]}), json!({})),
        (json!({"type": ["str", "None"]}), json!({"type": ["string", "null"]})),
        (
            json!({"properties": {"a": {"required": true}, "b": {"required": false}}}),
            json!({"properties": {"a": {}, "b": {}}, "required": ["a"]}),
        ),
        (
            json!({"dependencies": {"a": ["b"], "b": "c", "c": {"type": "any"}}}),
            json!({"dependentRequired": {"a": ["b"], "b": ["c"]}, "dependentSchemas": {"c": {}}}),
        ),
        (json!({"extends": {"type": "int"}}), json!({"allOf": [{"type": "integer"}]})),
        (json!({"$schema": "x", "id": "#p", "$anchor": "p", "disallow": "null"}), json!({})),
    ];
    for (before, after) in cases {
        assert_eq!(property(&before), after, "{before}");
        let nested = json!({"items": {"anyOf": [{"properties": {"p": before}}]}});
        assert_eq!(property(&nested), json!({"items": {"anyOf": [{"properties": {"p": after}}]}}));
    }
}

#[test]
fn malformed_keywords_are_removed_and_values_stay() {
    let malformed = json!({
        "enum": [], "minLength": "3", "maxLength": 4.0, "multipleOf": 0, "minimum": "1", "uniqueItems": 1, "title": 7,
        "description": {"text": "x"}, "anyOf": [], "properties": [], "items": null, "additionalProperties": null,
        "examples": "x", "required": null, "patternProperties": {"[": {}}, "nullable": true, "default": {"type": "any"}
    });
    let after = json!({"maxLength": 4, "nullable": true, "default": {"type": "any"}});
    assert_eq!(property(&malformed), after);
    assert_eq!(property(&json!(null)), json!({}));
    assert_eq!(property(&json!(false)), json!({"not": {}}));
}

#[test]
fn references_point_to_definitions_and_one_without_a_target_is_removed() {
    let before = json!({
        "type": "object",
        "properties": {
            "a": {"$ref": "#/definitions/List%3CB%3E"},
            "b": {"$ref": "#/properties/a", "description": "b"},
            "c": {"$ref": "#/$defs/Missing"},
            "d": {"$ref": "#leaf"},
            "e": {"$ref": "https://example.com/leaf.json"},
            "f": {"$ref": "#"}
        },
        "definitions": {
            "List<B>": {"type": "array", "items": {"$ref": "#/definitions/List%3CB%3E"}},
            "leaf": {"id": "#leaf", "type": "int"},
            "unused": {"type": "any"}
        }
    });
    let after = json!({
        "type": "object",
        "properties": {
            "a": {"$ref": "#/$defs/List_B_"},
            "b": {"$ref": "#/$defs/part", "description": "b"},
            "c": {},
            "d": {"$ref": "#/$defs/leaf"},
            "e": {},
            "f": {"$ref": "#"}
        },
        "$defs": {
            "List_B_": {"type": "array", "items": {"$ref": "#/$defs/List_B_"}},
            "part": {"$ref": "#/$defs/List_B_"},
            "leaf": {"type": "integer"}
        }
    });
    check(before, &after);
}

#[test]
fn names_of_arguments_that_providers_reject_are_mapped_both_ways() {
    let long = "x".repeat(70);
    let names = ["$filter", "@type", "user name", "größe", &long, ""];
    let inner: serde_json::Map<String, Value> =
        names.iter().map(|name| ((*name).to_owned(), json!({"type": "string"}))).collect();
    let whole = json!({
        "properties": {"body": {"type": "array", "items": {"properties": inner.clone(), "required": names}}, "ok-1.a": {}},
        "dependentRequired": {"$filter": ["@type"]}
    });
    let portable = PortableSchema::of(whole.as_object().unwrap());
    let body = &portable.schema["properties"]["body"]["items"];
    let shown: Vec<&String> = body["properties"].as_object().unwrap().keys().collect();
    let accepted = |name: &str| {
        (1..=64).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte))
    };
    assert!(shown.iter().all(|name| accepted(name)), "{shown:?}");
    assert_eq!(body["required"], json!(shown));
    assert_eq!(portable.schema["dependentRequired"], json!({shown[0]: [shown[1]]}));
    assert!(shown[0].starts_with("filter_") && shown[2].starts_with("user_name_"), "{shown:?}");
    assert_eq!(body["properties"][shown[0]]["description"], "The argument \"$filter\".");
    let call: serde_json::Map<String, Value> = shown.iter().map(|name| ((*name).clone(), json!(1))).collect();
    let meant: serde_json::Map<String, Value> = inner.keys().map(|name| (name.clone(), json!(1))).collect();
    let restored = portable.names.restore(json!({"body": [call], "ok-1.a": {"$filter": 2}}));
    assert_eq!(restored, json!({"body": [meant], "ok-1.a": {"$filter": 2}}));
}

#[test]
fn a_pattern_that_not_every_dialect_reads_moves_into_the_description() {
    for common in
        ["^[a-z0-9_-]+$", "(?:a|b){2,3}?", r"\d+\.\w*", "^$", "[^/]+", "^[A-Za-z]{1,8}(-[0-9]{4})?$"]
    {
        assert!(is_common(common), "{common}");
        assert_eq!(property(&json!({"pattern": common})), json!({"pattern": common}));
    }
    for other in [
        "(?<=x)[",
        "(",
        "a)",
        "*a",
        "a**",
        "a++",
        r"\p{L}",
        "(?<n>a)",
        "(?i)a",
        "[b-a]",
        "[]",
        "{",
        "a{3,2}",
        "[[:alpha:]]",
        r"\u00e9",
        "\\",
    ] {
        assert!(!is_common(other), "{other}");
        let after = property(&json!({"type": "string", "pattern": other, "description": "A name."}));
        assert_eq!(after, json!({"type": "string", "description": format!("Pattern: {other} A name.")}));
    }
}

#[test]
fn the_built_in_tools_have_portable_schemas() {
    for tool in crate::builtin_tools() {
        let schema = tool.definition().input_schema;
        assert_eq!(
            PortableSchema::of(schema.as_object().unwrap()).schema,
            schema,
            "{}",
            tool.definition().name
        );
    }
}
