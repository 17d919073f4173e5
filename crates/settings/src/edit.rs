//! Changes one key of a TOML text and leaves its comments and the order of its keys.

mod servers;
mod unset;

use throughline_budget::Threshold;
use throughline_text::nearest_name;
use toml_edit::{DocumentMut, Item, Table, TableLike, Value as TomlValue};

use crate::error::SettingsError;
use crate::kind::Value;
use crate::layer::Layer;
use crate::mcp::has_password;
use crate::origin::{Origin, Scope};
use crate::schema::{Kind, Spec, find, schema};

/// A settings file in TOML.
#[derive(Debug, Clone, Copy)]
pub struct SettingsText<'a> {
    /// Whose file it is.
    pub scope: Scope,
    /// The file's path, for errors.
    pub file: &'a str,
    /// Its text; empty for a missing file.
    pub text: &'a str,
}

/// The row of a key, as `agent.policy`.
///
/// # Errors
/// [`SettingsError`] for an unknown key, with the nearest known one.
pub fn setting_named(key: &str) -> Result<&'static Spec, SettingsError> {
    if let Some(spec) = find(key) {
        return Ok(spec);
    }
    let keys = || schema().iter().map(|spec| spec.key);
    let same_name = keys().find(|known| known.split_once('.').is_some_and(|(_, name)| name == key));
    let hint = match same_name.or_else(|| nearest_name(key, keys())) {
        _ if key == "mcp" || key.starts_with("mcp.") => {
            "`throughline mcp add` adds a server, and the file has it below [mcp.servers.NAME]".to_owned()
        }
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "`throughline config show` lists all".to_owned(),
    };
    Err(unplaced(key, format!("unknown key; {hint}")))
}

impl SettingsText<'_> {
    /// The text with this value of a key. A list is written as `["one", "two"]`, or as its only item.
    ///
    /// # Errors
    /// [`SettingsError`] for an unknown key, a value that the key may not have, and a text that is not TOML.
    pub fn set(&self, key: &str, value: &str) -> Result<String, SettingsError> {
        let spec = setting_named(key)?;
        if spec.kind == Kind::Secrets || has_password(value) {
            let why = "it may hold a secret, and a command line is recorded; write it into the file yourself";
            return Err(unplaced(key, why.to_owned()));
        }
        let value = spec.kind.of_text(value).and_then(|value| value.checked(spec.key));
        let value = value.map_err(|why| unplaced(key, why))?;
        let mut document = self.document()?;
        if document.get(spec.section()).is_none() {
            // Comments at the end of the text stay above the new section.
            let above = document.trailing().as_str().unwrap_or_default().to_owned();
            let gap = if self.text.trim().is_empty() { "" } else { "\n" };
            let mut table = Table::new();
            table.decor_mut().set_prefix(format!("{above}{gap}"));
            document.set_trailing("");
            document.insert(spec.section(), Item::Table(table));
        }
        let section = self.section(&mut document, spec)?;
        let mut item = in_toml(&value).ok_or_else(|| unplaced(key, spec.kind.form()))?;
        match section.get_mut(spec.name()) {
            Some(old) => {
                if let Some(old) = old.as_value() {
                    *item.decor_mut() = old.decor().clone();
                }
                *old = Item::Value(item);
            }
            None => {
                section.insert(spec.name(), Item::Value(item));
            }
        }
        Ok(document.to_string())
    }

    fn document(&self) -> Result<DocumentMut, SettingsError> {
        self.text.parse().map_err(|error: toml_edit::TomlError| self.error(error.message()))
    }

    fn section<'a>(
        &self,
        document: &'a mut DocumentMut,
        spec: &Spec,
    ) -> Result<&'a mut dyn TableLike, SettingsError> {
        let section = document.get_mut(spec.section()).and_then(Item::as_table_like_mut);
        section.ok_or_else(|| self.error(&format!("`{}` is no section", spec.section())))
    }

    /// The error of the text as a reader of settings finds it, with its place; else this reason.
    fn error(&self, why: &str) -> SettingsError {
        let read = Layer::from_toml(self.scope, self.file, self.text).err();
        read.unwrap_or_else(|| unplaced(self.file, why.to_owned()))
    }
}

/// An error that is in no file.
fn unplaced(key: &str, why: String) -> SettingsError {
    SettingsError { origin: Origin::Default, key: key.to_owned(), why }
}

/// The value in TOML; `None` for a number that TOML cannot hold.
fn in_toml(value: &Value) -> Option<TomlValue> {
    Some(match value {
        Value::Text(text) => text.into(),
        Value::Number(number) | Value::Percent(number) => i64::try_from(*number).ok()?.into(),
        Value::Threshold(Threshold::Tokens(tokens)) => i64::try_from(*tokens).ok()?.into(),
        Value::Threshold(threshold) => threshold.to_string().into(),
        Value::Fraction(number) => (*number).into(),
        Value::Dollars(number) => format!("{number} USD").into(),
        Value::Switch(switch) => (*switch).into(),
        Value::List(items) => items.iter().collect(),
        Value::Secrets(secrets) => secrets.iter().collect(),
    })
}

#[cfg(test)]
mod tests;
