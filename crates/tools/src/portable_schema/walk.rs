//! Rewrites a schema and all schemas in it.

use std::collections::{BTreeSet, HashMap, VecDeque};

use serde_json::{Map, Value, json};
use throughline_text::{cut_end, sanitized};

use super::argument_names::ArgumentNames;
use super::keyword::{Kind, kind, plain_value, rewrite_limits, types};
use super::pattern::is_common;
use super::references::References;

/// Schemas in one another. Deeper ones allow everything.
const MAX_DEPTH: usize = 64;

/// The work on a schema.
pub(super) struct Walk<'r, 'a> {
    references: &'r References<'a>,
    /// The names of targets in `$defs`, by their place.
    defs: HashMap<*const Value, String>,
    taken: BTreeSet<String>,
    /// Targets that are not rewritten yet.
    left: VecDeque<(&'a Value, String)>,
    names: ArgumentNames,
}

impl<'r, 'a> Walk<'r, 'a> {
    pub(super) fn new(references: &'r References<'a>) -> Self {
        Self {
            references,
            defs: HashMap::new(),
            taken: BTreeSet::new(),
            left: VecDeque::new(),
            names: ArgumentNames::default(),
        }
    }

    /// The targets of references, and the names that were changed.
    pub(super) fn finish(mut self) -> (Map<String, Value>, ArgumentNames) {
        let mut defs = Map::new();
        while let Some((target, name)) = self.left.pop_front() {
            let rewritten = self.schema(target, 1);
            defs.insert(name, rewritten);
        }
        (defs, self.names)
    }

    fn schema(&mut self, schema: &Value, depth: usize) -> Value {
        match schema {
            Value::Object(fields) if depth <= MAX_DEPTH => Value::Object(self.object(fields, depth)),
            Value::Bool(false) => json!({"not": {}}),
            _ => json!({}),
        }
    }

    /// Rewrites one schema. The order of its keywords stays.
    pub(super) fn object(&mut self, fields: &Map<String, Value>, depth: usize) -> Map<String, Value> {
        let mut out = Map::new();
        let depth = depth + 1;
        for (word, value) in fields {
            let rewritten = match kind(word) {
                Kind::Left => self.rewritten(word, value, depth),
                Kind::Schema => self.single(value, depth),
                Kind::SchemaOrSwitch if value.is_boolean() => Some(value.clone()),
                Kind::SchemaOrSwitch => self.single(value, depth),
                Kind::Schemas => self.list(value, depth),
                Kind::ByPattern => self.by_key(value, depth, |_, key| is_common(key).then(|| key.to_owned())),
                Kind::ByName => self.by_key(value, depth, |walk, key| Some(walk.names.shown(key))),
                plain => plain_value(plain, value),
            };
            if let Some(rewritten) = rewritten {
                out.insert(word.clone(), rewritten);
            }
        }
        if let Some(target) = self.references.target(&Value::Object(fields.clone())) {
            out.insert("$ref".to_owned(), Value::from(self.reference(target)));
        }
        rewrite_limits(fields, &mut out);
        self.rewrite_items(fields, &mut out, depth);
        self.rewrite_required(fields, &mut out);
        self.rewrite_dependencies(fields, &mut out, depth);
        if let Some(extended) = fields.get("extends") {
            let list = if extended.is_array() { extended.clone() } else { json!([extended]) };
            let mut all = out.remove("allOf").and_then(|all| all.as_array().cloned()).unwrap_or_default();
            all.extend(self.list(&list, depth).and_then(|list| list.as_array().cloned()).unwrap_or_default());
            out.insert("allOf".to_owned(), Value::Array(all));
        }
        describe_pattern(fields, &mut out);
        out
    }

    /// Keywords that are rewritten in their place.
    fn rewritten(&mut self, word: &str, value: &Value, depth: usize) -> Option<Value> {
        match word {
            "type" => types(value),
            "properties" => self.properties(value, depth),
            "pattern" => value.as_str().filter(|pattern| is_common(pattern)).map(Value::from),
            _ => None,
        }
    }

    fn single(&mut self, value: &Value, depth: usize) -> Option<Value> {
        (value.is_object() || value.is_boolean()).then(|| self.schema(value, depth))
    }

    fn list(&mut self, value: &Value, depth: usize) -> Option<Value> {
        let list: Vec<Value> = value.as_array()?.iter().map(|one| self.schema(one, depth)).collect();
        (!list.is_empty()).then_some(Value::Array(list))
    }

    fn by_key(
        &mut self,
        value: &Value,
        depth: usize,
        key: impl Fn(&mut Self, &str) -> Option<String>,
    ) -> Option<Value> {
        let mut out = Map::new();
        for (name, schema) in value.as_object()? {
            if let Some(name) = key(self, name) {
                out.insert(name, self.schema(schema, depth));
            }
        }
        (!out.is_empty()).then_some(Value::Object(out))
    }

    fn properties(&mut self, value: &Value, depth: usize) -> Option<Value> {
        let mut out = Map::new();
        for (name, schema) in value.as_object()? {
            let shown = self.names.shown(name);
            let mut schema = self.schema(schema, depth);
            if shown != *name
                && let Value::Object(fields) = &mut schema
            {
                let original = sanitized(cut_end(name, 80)).replace(['\n', '\t'], " ");
                describe(fields, &format!("The argument {original:?}."));
            }
            out.insert(shown, schema);
        }
        Some(Value::Object(out))
    }

    /// The reference to a target, which gets a place in `$defs`.
    fn reference(&mut self, target: &'a Value) -> String {
        if std::ptr::eq(target, self.references.whole) {
            return "#".to_owned();
        }
        if let Some(name) = self.defs.get(&std::ptr::from_ref(target)) {
            return format!("#/$defs/{name}");
        }
        let base = self.def_name(target);
        let name = (1..)
            .map(|n| if n == 1 { base.clone() } else { format!("{base}_{n}") })
            .find(|name| !self.taken.contains(name))
            .unwrap_or(base);
        self.taken.insert(name.clone());
        self.defs.insert(std::ptr::from_ref(target), name.clone());
        self.left.push_back((target, name.clone()));
        format!("#/$defs/{name}")
    }

    /// The name that the schema has for a target, as far as it may stay.
    fn def_name(&self, target: &Value) -> String {
        let named = ["$defs", "definitions"].into_iter().find_map(|word| {
            let defs = self.references.whole.get(word)?.as_object()?;
            defs.iter().find(|(_, schema)| std::ptr::eq(*schema, target)).map(|(name, _)| name.clone())
        });
        let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '-');
        let safe: String = named
            .unwrap_or_else(|| "part".to_owned())
            .chars()
            .map(|letter| if plain(letter) { letter } else { '_' })
            .take(56)
            .collect();
        if safe.is_empty() { "part".to_owned() } else { safe }
    }

    /// Up to 2019-09 a list in `items` describes the first items, and `additionalItems` the others. An array without `items` is
    /// rejected by providers.
    fn rewrite_items(&mut self, fields: &Map<String, Value>, out: &mut Map<String, Value>, depth: usize) {
        let (first, others) = match fields.get("items") {
            Some(list @ Value::Array(_)) => (self.list(list, depth), fields.get("additionalItems")),
            others => (None, others),
        };
        if let Some(first) = first {
            out.insert("prefixItems".to_owned(), first);
        }
        let others = match others {
            Some(switch @ Value::Bool(_)) if out.contains_key("prefixItems") => Some(switch.clone()),
            Some(schema) => self.single(schema, depth),
            None => None,
        };
        let is_array = match out.get("type") {
            Some(Value::Array(several)) => several.iter().any(|one| one == "array"),
            one => one.is_some_and(|one| one == "array"),
        };
        if let Some(items) = others.or_else(|| is_array.then(|| json!({}))) {
            out.insert("items".to_owned(), items);
        }
    }

    /// Names in `required` are those that the model sees. In draft 3 the property itself says that it is required.
    fn rewrite_required(&mut self, fields: &Map<String, Value>, out: &mut Map<String, Value>) {
        let mut names: Vec<String> = Vec::new();
        let listed = fields.get("required").and_then(Value::as_array).into_iter().flatten();
        let properties = fields.get("properties").and_then(Value::as_object).into_iter().flatten();
        let own = properties.filter(|(_, schema)| schema.get("required") == Some(&Value::Bool(true)));
        let listed = listed.filter_map(Value::as_str).map(str::to_owned);
        for name in listed.chain(own.map(|(name, _)| name.clone())) {
            names.push(self.names.shown(&name));
        }
        let mut seen = BTreeSet::new();
        names.retain(|name| seen.insert(name.clone()));
        if !names.is_empty() {
            out.insert("required".to_owned(), json!(names));
        }
    }

    /// Up to draft 7 `dependencies` holds both kinds of them.
    fn rewrite_dependencies(
        &mut self,
        fields: &Map<String, Value>,
        out: &mut Map<String, Value>,
        depth: usize,
    ) {
        let mut required = Map::new();
        let mut schemas = Map::new();
        for word in ["dependentRequired", "dependencies"] {
            for (name, needs) in fields.get(word).and_then(Value::as_object).into_iter().flatten() {
                let name = self.names.shown(name);
                let listed: Vec<&str> = match needs {
                    Value::String(one) => vec![one],
                    Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
                    _ => {
                        schemas.insert(name, self.schema(needs, depth));
                        continue;
                    }
                };
                let listed: BTreeSet<String> = listed.into_iter().map(|one| self.names.shown(one)).collect();
                required.insert(name, json!(listed));
            }
        }
        if !required.is_empty() {
            out.insert("dependentRequired".to_owned(), Value::Object(required));
        }
        if !schemas.is_empty()
            && let Value::Object(all) = out.entry("dependentSchemas").or_insert_with(|| json!({}))
        {
            all.extend(schemas);
        }
    }
}

/// Says the pattern in the description if it could not stay.
fn describe_pattern(fields: &Map<String, Value>, out: &mut Map<String, Value>) {
    if let Some(pattern) =
        fields.get("pattern").and_then(Value::as_str).filter(|_| !out.contains_key("pattern"))
    {
        let pattern = sanitized(cut_end(pattern, 400)).replace(['\n', '\t'], " ");
        describe(out, &format!("Pattern: {pattern}"));
    }
}

/// Puts a sentence before the description.
fn describe(fields: &mut Map<String, Value>, text: &str) {
    let text = match fields.get("description").and_then(Value::as_str) {
        Some(before) if !before.is_empty() => format!("{text} {before}"),
        _ => text.to_owned(),
    };
    fields.insert("description".to_owned(), Value::from(text));
}
