//! What the references in a schema point to.

use std::cell::OnceCell;
use std::collections::HashMap;

use serde_json::Value;

/// The words that refer to another schema.
pub(super) const REFERRING: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

/// A schema whose parts are found by their references.
#[derive(Debug)]
pub(super) struct References<'a> {
    pub(super) whole: &'a Value,
    /// Parts that have a name of their own. They are collected for the first reference that is no path.
    named: OnceCell<HashMap<String, &'a Value>>,
}

impl<'a> References<'a> {
    pub(super) fn new(whole: &'a Value) -> Self {
        Self { whole, named: OnceCell::new() }
    }

    /// What the reference of a schema points to.
    pub(super) fn target(&self, schema: &Value) -> Option<&'a Value> {
        REFERRING.iter().find_map(|word| self.find(schema.get(word)?.as_str()?))
    }

    fn find(&self, reference: &str) -> Option<&'a Value> {
        let (document, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let document = match document {
            "" => self.whole,
            named => self.named().get(named).copied()?,
        };
        match fragment {
            "" => Some(document),
            path if path.starts_with('/') => {
                document.pointer(path).or_else(|| document.pointer(&percent_decoded(path)))
            }
            name => self.named().get(&format!("#{name}")).copied(),
        }
    }

    fn named(&self) -> &HashMap<String, &'a Value> {
        self.named.get_or_init(|| {
            let mut found = HashMap::new();
            let mut left = vec![self.whole];
            while let Some(value) = left.pop() {
                match value {
                    Value::Object(fields) => {
                        let text = |word: &str| fields.get(word).and_then(Value::as_str);
                        for id in ["$id", "id"].into_iter().filter_map(text) {
                            found.entry(id.trim_end_matches('#').to_owned()).or_insert(value);
                        }
                        for anchor in ["$anchor", "$dynamicAnchor"].into_iter().filter_map(text) {
                            found.entry(format!("#{anchor}")).or_insert(value);
                        }
                        left.extend(fields.values().rev());
                    }
                    Value::Array(items) => left.extend(items.iter().rev()),
                    _ => {}
                }
            }
            found
        })
    }
}

fn percent_decoded(path: &str) -> String {
    let mut out = Vec::new();
    let mut rest = path.as_bytes();
    while let [first, after @ ..] = rest {
        let code = after.get(..2).filter(|_| *first == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        let byte = code.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push(byte.unwrap_or(*first));
        rest = after.get(if byte.is_some() { 2 } else { 0 }..).unwrap_or_default();
    }
    String::from_utf8_lossy(&out).into_owned()
}
