//! Removes a key from a settings file.

use toml_edit::{DocumentMut, Item, Key, RawString, Table, TableLike};

use super::{SettingsText, setting_named};
use crate::error::SettingsError;
use crate::schema::sections;

impl SettingsText<'_> {
    /// The text without a key and the comments on it; `None` if the key is not in it. An unknown key and an
    /// unknown section are removed, too. A section that becomes empty goes with its last key, unless it has a comment.
    ///
    /// # Errors
    /// [`SettingsError`] for an unknown key that is not in the text, and for a text that is not TOML.
    pub fn unset(&self, key: &str) -> Result<Option<String>, SettingsError> {
        let known = setting_named(key);
        if known.is_err() && (key.starts_with("mcp.") || sections().contains(&key)) {
            return known.map(|_| None);
        }
        let mut document = self.document()?;
        let (section, name) = key.split_once('.').unwrap_or(("", key));
        let removed = match document.get_mut(section).filter(|_| !section.is_empty()) {
            Some(item) => match item.as_table_like_mut() {
                Some(table) => table.remove(name),
                None => return Err(self.error(&format!("`{section}` is no section"))),
            },
            None if section.is_empty() => document.remove(name),
            None => None,
        };
        if removed.is_none() {
            return known.map(|_| None);
        }
        remove_empty(&mut document, section);
        Ok(Some(document.to_string()))
    }
}

/// Removes a section without keys and comments.
fn remove_empty(document: &mut DocumentMut, section: &str) {
    let is_empty = document.get(section).and_then(Item::as_table_like).is_some_and(TableLike::is_empty);
    if !is_empty {
        return;
    }
    let has_comment =
        |text: Option<&RawString>| text.and_then(RawString::as_str).is_some_and(|text| text.contains('#'));
    let of_table = document.get(section).and_then(Item::as_table).map(Table::decor);
    let of_key = document.key(section).map(Key::leaf_decor);
    let commented = of_table
        .into_iter()
        .chain(of_key)
        .any(|decor| has_comment(decor.prefix()) || has_comment(decor.suffix()));
    if !commented {
        document.remove(section);
    }
}
