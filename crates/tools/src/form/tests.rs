//! Forms from schemas, and what users type into them.

use serde_json::{Value, json};

use super::Form;

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "title": "Your name", "minLength": 2, "maxLength": 5},
            "mail": {"type": "string", "format": "email", "description": "where it goes"},
            "home": {"type": "string", "format": "uri"},
            "day": {"type": "string", "format": "date"},
            "at": {"type": "string", "format": "date-time"},
            "age": {"type": "integer", "minimum": 0, "maximum": 150},
            "share": {"type": "number", "default": 0.5},
            "sure": {"type": "boolean", "default": true},
            "plain": {"type": "string", "enum": ["a", "b"], "enumNames": ["Ä", "B"]},
            "titled": {"type": "string", "oneOf": [{"const": "x", "title": "The X"}, {"const": "2", "title": "Two"}]},
            "many": {"type": "array", "minItems": 1, "maxItems": 2, "items": {"type": "string", "enum": ["r", "g", "b"]}},
            "named": {"type": "array", "items": {"anyOf": [{"const": "1", "title": "One"}]}},
        },
        "required": ["name", "many"],
    })
}

fn read(name: &str, typed: &str) -> Result<Option<Value>, String> {
    let form = Form::parse(&schema()).unwrap();
    form.fields.iter().find(|field| field.name == name).unwrap().read(typed)
}

#[test]
fn the_fields_have_the_order_of_the_server() {
    let form = Form::parse(&schema()).unwrap();
    let names: Vec<&str> = form.fields.iter().map(|field| field.name.as_str()).take(4).collect();
    assert_eq!(names, ["name", "mail", "home", "day"]);
    assert_eq!((form.fields[0].title.as_str(), form.fields[1].title.as_str()), ("Your name", "mail"));
    assert_eq!((form.fields[0].required, form.fields[1].required), (true, false));
    assert_eq!(form.fields.len(), 12);
    let share = form.fields.iter().find(|field| field.name == "share").unwrap();
    assert_eq!((share.default.clone(), share.shown(&json!(0.5)).as_str()), (Some(json!(0.5)), "0.5"));
}

#[test]
fn a_schema_that_no_form_can_have_names_its_field() {
    for property in
        [json!({"type": "object"}), json!({"type": "array", "items": {"type": "string"}}), json!({})]
    {
        let schema = json!({"type": "object", "properties": {"deep": property}});
        assert_eq!(Form::parse(&schema).unwrap_err(), r#"the field "deep" has no type that a form can have"#);
    }
    assert_eq!(Form::parse(&json!({"type": "object"})).unwrap().fields, []);
}

#[test]
fn what_is_typed_becomes_a_value_of_its_type() {
    for (name, typed, value) in [
        ("name", "  Änne ", json!("Änne")),
        ("mail", "a@b", json!("a@b")),
        ("home", "https://x.org", json!("https://x.org")),
        ("day", "2026-11-29", json!("2026-11-29")),
        ("at", "2026-11-29T18:30:00Z", json!("2026-11-29T18:30:00Z")),
        ("age", "42", json!(42)),
        ("share", "1e-3", json!(0.001)),
        ("share", "-2", json!(-2)),
        ("sure", "Yes", json!(true)),
        ("sure", "n", json!(false)),
        ("plain", "1", json!("a")),
        ("plain", "2", json!("b")),
        ("titled", "the x", json!("x")),
        ("titled", "2", json!("2")),
        ("many", "r, 3", json!(["r", "b"])),
        ("named", "one", json!(["1"])),
    ] {
        assert_eq!(read(name, typed), Ok(Some(value)), "{name}: {typed}");
    }
    assert_eq!(read("mail", "  "), Ok(None));
}

#[test]
fn what_cannot_be_a_value_says_why() {
    for (name, typed, why) in [
        ("name", "", "a value is required"),
        ("name", "x", "it must be at least 2 characters"),
        ("name", "xxxxxx", "it must be at most 5 characters"),
        ("mail", "a@", "it must be an address such as name@example.org"),
        ("home", "example", "it must be an address such as https://example.org"),
        ("day", "2026-13-01", "it must be a date such as 2026-11-29"),
        ("day", "29.11.2026", "it must be a date such as 2026-11-29"),
        ("at", "2026-11-29", "it must be a date and time such as 2026-11-29T18:30:00Z"),
        ("age", "1.5", "it must be a whole number"),
        ("age", "-1", "it must be at least 0"),
        ("age", "151", "it must be at most 150"),
        ("share", "NaN", "it must be a number"),
        ("sure", "maybe", "it must be yes or no"),
        ("plain", "3", "\"3\" is not one of the choices"),
        ("many", "r,g,b", "it must be at most 2 choices"),
        ("many", ",", "it must be at least 1 choice"),
    ] {
        assert_eq!(read(name, typed), Err(why.to_owned()), "{name}: {typed}");
    }
}

#[test]
fn values_from_elsewhere_are_checked() {
    let form = Form::parse(&schema()).unwrap();
    let check = |values: Value| form.check(values.as_object().unwrap());
    let good = json!({"name": "Bob", "many": ["r"], "age": null, "sure": false, "unknown": 1});
    assert_eq!(Value::Object(check(good).unwrap()), json!({"name": "Bob", "many": ["r"], "sure": false}));
    for (values, why) in [
        (json!({"many": ["r"]}), "Your name: a value is required"),
        (json!({"name": "", "many": ["r"]}), "Your name: a value is required"),
        (json!({"name": 5, "many": ["r"]}), "Your name: it must be a text"),
        (json!({"name": "Bob", "many": "r"}), "many: it must be a list"),
        (json!({"name": "Bob", "many": ["x"]}), "many: \"x\" is not one of the choices"),
        (json!({"name": "Bob", "many": ["r"], "sure": "yes"}), "sure: it must be yes or no"),
        (json!({"name": "Bob", "many": ["r"], "age": 1.5}), "age: it must be a whole number"),
        (json!({"name": "Bob", "many": ["r"], "plain": "c"}), "plain: \"c\" is not one of the choices"),
    ] {
        assert_eq!(check(values), Err(why.to_owned()));
    }
}

#[test]
fn values_have_a_form_for_the_user() {
    let form = Form::parse(&schema()).unwrap();
    let shown =
        |name: &str, value: Value| form.fields.iter().find(|field| field.name == name).unwrap().shown(&value);
    assert_eq!(shown("sure", json!(true)), "yes");
    assert_eq!(shown("titled", json!("x")), "The X");
    assert_eq!(shown("many", json!(["r", "b"])), "r, b");
    assert_eq!(shown("name", json!("Bob")), "Bob");
}
