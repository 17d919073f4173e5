//! Reads TOML.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::node::{Content, Entry, Malformed, Node};

/// The table that a text is.
pub(crate) fn parse(text: &str) -> Result<Vec<Entry>, Malformed> {
    let table = DeTable::parse(text).map_err(|error| {
        Malformed::new(error.span().map_or(0, |span| span.start), error.message().replace('\n', "; "))
    })?;
    Ok(entries(table.get_ref()))
}

/// In the order of the text.
fn entries(table: &DeTable<'_>) -> Vec<Entry> {
    let entry = |(name, value): (&Spanned<_>, _)| {
        let name: &Spanned<std::borrow::Cow<'_, str>> = name;
        Entry { name: name.get_ref().to_string(), at: name.span().start, value: node(value) }
    };
    let mut entries: Vec<Entry> = table.iter().map(entry).collect();
    entries.sort_by_key(|entry| entry.at);
    entries
}

fn node(value: &Spanned<DeValue<'_>>) -> Node {
    let content = match value.get_ref() {
        DeValue::String(text) => Content::Text(text.to_string()),
        DeValue::Integer(number) => i128::from_str_radix(number.as_str(), number.radix())
            .map_or(Content::Other("a number that is too large"), Content::Whole),
        DeValue::Float(number) => {
            number.as_str().parse().map_or(Content::Other("a number that is too large"), Content::Real)
        }
        DeValue::Boolean(switch) => Content::Switch(*switch),
        DeValue::Datetime(_) => Content::Other("a date"),
        DeValue::Array(items) => Content::List(items.iter().map(node).collect()),
        DeValue::Table(table) => Content::Table(entries(table)),
    };
    Node { at: value.span().start, content }
}
