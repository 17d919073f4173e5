//! Reads JSON, and keeps the place of everything in it.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::node::{Content, Entry, Malformed, Node};

/// No setting is nested deeper.
const DEEPEST: usize = 16;

/// The object that a text is.
pub(crate) fn parse(text: &str) -> Result<Vec<Entry>, Malformed> {
    let raw: &RawValue = serde_json::from_str(text).map_err(|error| malformed(text, &error))?;
    let node = node(text, raw, 0)?;
    match node.content {
        Content::Table(entries) => Ok(entries),
        other => Err(Malformed::new(node.at, format!("it is {}; write an object: {{ … }}", other.name()))),
    }
}

/// Where a part of the text begins: raw values are slices of it.
fn place(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

fn node(text: &str, raw: &RawValue, depth: usize) -> Result<Node, Malformed> {
    let part = raw.get();
    let at = place(text, part);
    if depth > DEEPEST {
        return Err(Malformed::new(at, "it is nested too deep"));
    }
    let wrong = |error: serde_json::Error| Malformed::new(at, error.to_string());
    let content = match part.bytes().next() {
        Some(b'"') => Content::Text(serde_json::from_str(part).map_err(wrong)?),
        Some(b'{') => {
            let pairs: Pairs<'_> = serde_json::from_str(part).map_err(wrong)?;
            let mut entries: Vec<Entry> = Vec::new();
            for (key, value) in pairs.0 {
                let at = place(text, key.get());
                let name: String = serde_json::from_str(key.get()).map_err(wrong)?;
                if entries.iter().any(|entry| entry.name == name) {
                    let why = "it is there twice; keep one".to_owned();
                    return Err(Malformed { at, key: Some(name), why });
                }
                entries.push(Entry { name, at, value: node(text, value, depth + 1)? });
            }
            Content::Table(entries)
        }
        Some(b'[') => {
            let items: Items<'_> = serde_json::from_str(part).map_err(wrong)?;
            Content::List(
                items.0.into_iter().map(|item| node(text, item, depth + 1)).collect::<Result<_, _>>()?,
            )
        }
        Some(b't' | b'f') => Content::Switch(part == "true"),
        Some(b'n') => Content::Other("null"),
        _ => match part.parse() {
            Ok(whole) => Content::Whole(whole),
            Err(_) => Content::Real(part.parse().map_err(|_| Malformed::new(at, "it is no number"))?),
        },
    };
    Ok(Node { at, content })
}

fn malformed(text: &str, error: &serde_json::Error) -> Malformed {
    let start: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let at = (start + error.column().saturating_sub(1)).min(text.len());
    // The error ends with its position, which the caller reports by itself.
    let why = error.to_string();
    let why = why.rsplit_once(" at line ").map_or(why.as_str(), |(why, _)| why);
    let why = match why.strip_prefix("EOF while parsing ") {
        Some(what) => format!("the file ends within {what}"),
        None => why.to_owned(),
    };
    Malformed::new(at, why)
}

struct Pairs<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Pairs<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit;
        impl<'de> Visitor<'de> for Visit {
            type Value = Vec<(&'de RawValue, &'de RawValue)>;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(pairs)
            }
        }
        deserializer.deserialize_map(Visit).map(Self)
    }
}

struct Items<'a>(Vec<&'a RawValue>);

impl<'de: 'a, 'a> Deserialize<'de> for Items<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit;
        impl<'de> Visitor<'de> for Visit {
            type Value = Vec<&'de RawValue>;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an array")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(items)
            }
        }
        deserializer.deserialize_seq(Visit).map(Self)
    }
}
