//! `ts/operations.ts` is the table of operations, written from its schemas. `UPDATE_EXPECT=1` writes it again.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may fail")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::Value;
use throughline_contexts::{Contexts, ErrorCode, OPERATIONS, Open, OperationEntry, Tool};

/// How a schema is read: a field that an input may leave out is always in an output.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Input,
    Output,
}

fn camel(name: &str, upper: bool) -> String {
    let words = name.split('_').enumerate();
    let word = |(at, word): (usize, &str)| match word.split_at_checked(1) {
        Some((first, rest)) if at > 0 || upper => first.to_uppercase() + rest,
        _ => word.to_owned(),
    };
    words.map(word).collect()
}

fn docs(schema: &Value, indent: &str) -> String {
    let text = schema["description"].as_str().unwrap_or_default();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() { String::new() } else { format!("{indent}/** {text} */\n") }
}

fn type_of(schema: &Value, side: Side, indent: &str) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return name.to_owned();
    }
    if let Some(text) = schema.get("const") {
        return text.to_string();
    }
    let all = |key: &str| schema[key].as_array().filter(|all| !all.is_empty());
    if let Some(all) = all("oneOf").or_else(|| all("anyOf")) {
        let all: Vec<_> = all.iter().map(|one| type_of(one, side, indent)).collect();
        return all.join(" | ");
    }
    if let Some(all) = all("enum") {
        return all.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
    }
    match &schema["type"] {
        Value::Array(kinds) => {
            let one = |kind: &Value| {
                let mut schema = schema.clone();
                schema["type"] = kind.clone();
                type_of(&schema, side, indent)
            };
            kinds.iter().map(one).collect::<Vec<_>>().join(" | ")
        }
        Value::String(kind) => match kind.as_str() {
            "integer" | "number" => "number".to_owned(),
            "array" => match type_of(&schema["items"], side, indent) {
                item if item.contains(' ') => format!("Array<{item}>"),
                item => format!("{item}[]"),
            },
            "object" => fields(schema, side, indent),
            other => other.to_owned(),
        },
        _ => "unknown".to_owned(),
    }
}

fn fields(schema: &Value, side: Side, indent: &str) -> String {
    let Some(properties) = schema["properties"].as_object().filter(|all| !all.is_empty()) else {
        let closed = schema["additionalProperties"] == false || schema.get("additionalProperties").is_none();
        return if closed { "Record<string, never>" } else { "Record<string, unknown>" }.to_owned();
    };
    let required: Vec<&Value> = schema["required"].as_array().into_iter().flatten().collect();
    let inner = format!("{indent}  ");
    let mut text = "{\n".to_owned();
    for (name, field) in properties {
        let needed = side == Side::Output || required.iter().any(|one| *one == name);
        let mark = if needed { "" } else { "?" };
        writeln!(text, "{}{inner}{name}{mark}: {};", docs(field, &inner), type_of(field, side, &inner))
            .unwrap();
    }
    text + indent + "}"
}

fn generator() -> SchemaGenerator {
    SchemaGenerator::new(SchemaSettings::draft2020_12())
}

/// The types that this side names, without the error codes, and in `roots` those of the operations.
fn named(side: Side, roots: &mut BTreeMap<String, String>) -> BTreeMap<String, Value> {
    let mut generator = generator();
    for entry in OPERATIONS {
        let make = if side == Side::Input { entry.input } else { entry.output };
        let schema = make(&mut generator).to_value();
        let suffix = if side == Side::Input { "Input" } else { "Output" };
        let name = camel(entry.name, true) + suffix;
        let text = format!("{}export type {name} = {};\n", docs(&schema, ""), type_of(&schema, side, ""));
        roots.insert(name, text);
    }
    let types = generator.definitions().iter().filter(|(name, _)| *name != "ErrorCode");
    types.map(|(name, schema)| (name.clone(), schema.clone())).collect()
}

fn method(entry: &OperationEntry) -> String {
    let name = camel(entry.name, false);
    let (input, output) = (camel(entry.name, true) + "Input", camel(entry.name, true) + "Output");
    let needed = entry.whole_input()["required"].as_array().is_some_and(|fields| fields.len() > 1);
    let default = if needed { "" } else { " = {}" };
    let errors: Vec<_> = entry.errors().map(ErrorCode::name).collect();
    format!(
        "  /**\n   * {}\n   *\n   * Errors: {}.\n   */\n  {name}(input: {input}{default}, options?: CallOptions): Promise<{output}> {{\n    return this.run('{}', input, options) as Promise<{output}>\n  }}\n",
        entry.about(),
        errors.join(", "),
        entry.name
    )
}

/// The engine's tool that reads stored results, as a context that was opened has it.
fn read_result() -> Tool {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let open = Open { model: "any".to_owned(), window: Some(100_000), ..Open::default() };
    let opened = runtime.block_on(Contexts::default().open("tools", None, open)).unwrap();
    opened.tools.into_iter().find(|tool| tool.name == "read_result").unwrap()
}

fn generated() -> String {
    let mut text = include_str!("head.ts").to_owned();
    let mut roots = BTreeMap::new();
    let mut types = BTreeMap::new();
    for side in [Side::Input, Side::Output] {
        for (name, schema) in named(side, &mut roots) {
            let written =
                format!("{}export type {name} = {};\n", docs(&schema, ""), type_of(&schema, side, ""));
            // A type of both sides is written as an input: there it may leave out more.
            types.entry(name).or_insert(written);
        }
    }
    text += "\n/** What went wrong. */\nexport type ErrorCode =\n";
    for code in ErrorCode::ALL {
        writeln!(text, "  /** {} */\n  | '{}'", code.about(), code.name()).unwrap();
    }
    for written in types.values().chain(roots.values()) {
        text += "\n";
        text += written;
    }
    text += "\n/** The engine's tool that reads stored results, for a framework that wants its tools before a session is open. */\n";
    let tool = serde_json::to_string_pretty(&read_result()).unwrap();
    writeln!(text, "export const READ_RESULT: Tool = {tool};").unwrap();
    text += "\n/** The operations of one context. */\nexport abstract class ContextOperations {\n";
    text += "  protected abstract run(operation: string, input: object, options?: CallOptions): Promise<unknown>\n";
    for entry in OPERATIONS.iter().filter(|entry| entry.of_context && entry.name != "open") {
        text += "\n";
        text += &method(entry);
    }
    text + "}\n"
}

#[test]
fn the_types_are_those_of_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/ts/operations.ts");
    let text = generated();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    let found = std::fs::read_to_string(path).unwrap();
    assert!(found == text, "ts/operations.ts is stale: run this test with UPDATE_EXPECT=1");
    for entry in OPERATIONS {
        assert!(text.contains(&format!("export type {}Input =", camel(entry.name, true))), "{}", entry.name);
    }
    assert!(!text.contains("unknown;"), "a field without a type");
}
