//! Adds an MCP server to a settings file, and removes one.

use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, Value as TomlValue};

use super::{SettingsText, unplaced};
use crate::error::SettingsError;
use crate::kind::Secrets;
use crate::mcp::{McpTransport, has_password};

/// The section of the servers.
const SERVERS: [&str; 2] = ["mcp", "servers"];

impl SettingsText<'_> {
    /// The text with another MCP server, below the others.
    ///
    /// # Errors
    /// [`SettingsError`] for a name that is taken, an address with a password, and a text that is not TOML. Whether the name and
    /// the transport can be used shows when the text is read.
    pub fn add_server(&self, name: &str, transport: &McpTransport) -> Result<String, SettingsError> {
        let key = format!("mcp.servers.{name}");
        if matches!(transport, McpTransport::Http { url, .. } if has_password(url)) {
            let why = "the address has a password; pass it in a header, as a variable: \"Bearer ${TOKEN}\"";
            return Err(unplaced(&key, why.to_owned()));
        }
        let mut document = self.document()?;
        let servers = self.servers(&mut document)?;
        if servers.contains_key(name) {
            return Err(unplaced(&key, "there is a server of this name; remove it first".to_owned()));
        }
        servers.insert(name, Item::Table(table(transport)));
        Ok(document.to_string())
    }

    /// The text without an MCP server; `None` if it is not in it.
    ///
    /// # Errors
    /// [`SettingsError`] for a text that is not TOML.
    pub fn remove_server(&self, name: &str) -> Result<Option<String>, SettingsError> {
        let mut document = self.document()?;
        let removed = self.servers(&mut document)?.remove(name);
        Ok(removed.map(|_| document.to_string()))
    }

    fn servers<'d>(&self, document: &'d mut DocumentMut) -> Result<&'d mut dyn TableLike, SettingsError> {
        let mut table: &mut dyn TableLike = document.as_table_mut();
        for (depth, name) in SERVERS.iter().enumerate() {
            let shown = SERVERS.get(..=depth).unwrap_or_default().join(".");
            let implicit = || {
                let mut table = Table::new();
                table.set_implicit(true);
                Item::Table(table)
            };
            table = table
                .entry(name)
                .or_insert_with(implicit)
                .as_table_like_mut()
                .ok_or_else(|| self.error(&format!("`{shown}` is no section")))?;
        }
        Ok(table)
    }
}

fn table(transport: &McpTransport) -> Table {
    let mut table = Table::new();
    let mut set = |key: &str, value: TomlValue| drop(table.insert(key, Item::Value(value)));
    match transport {
        McpTransport::Stdio { command, args, env, cwd } => {
            set("command", command.into());
            if !args.is_empty() {
                set("args", TomlValue::Array(args.iter().collect::<Array>()));
            }
            named(env).into_iter().for_each(|values| set("env", values));
            cwd.iter().for_each(|folder| set("cwd", folder.into()));
        }
        McpTransport::Http { url, headers, login } => {
            set("url", url.into());
            named(headers).into_iter().for_each(|values| set("headers", values));
            login.client_id.iter().for_each(|id| set("client_id", id.into()));
            login.client_secret.iter().for_each(|secret| set("client_secret", secret.into()));
            if !login.scopes.is_empty() {
                set("scopes", TomlValue::Array(login.scopes.iter().collect::<Array>()));
            }
            login.callback_port.iter().for_each(|port| set("callback_port", i64::from(*port).into()));
        }
    }
    table
}

fn named(values: &Secrets) -> Option<TomlValue> {
    let table: InlineTable = values.iter().collect();
    (!table.is_empty()).then_some(TomlValue::InlineTable(table))
}
