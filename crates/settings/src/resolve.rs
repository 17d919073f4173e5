//! Layers over each other.

use std::collections::BTreeMap;

use throughline_budget::Threshold;

use crate::alias::canonical;
use crate::error::SettingsError;
use crate::key::Key;
use crate::kind::{Secrets, Value};
use crate::layer::Layer;
use crate::mcp::McpServer;
use crate::origin::Origin;
use crate::schema::{Kind, Spec, Trust, find, schema};
use crate::together::check;

/// A text of a list, and where it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The text.
    pub text: String,
    /// Where it was written.
    pub origin: Origin,
}

/// Something that a project sets and that has no effect, because the user does not trust the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// The key, or `mcp.servers.NAME`.
    pub key: String,
    /// The value, without what may be secret.
    pub shown: String,
    /// Where it was written.
    pub origin: Origin,
    /// What it could do.
    pub why: &'static str,
}

/// A choice that was written by a former name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamed {
    /// The key.
    pub key: &'static str,
    /// The name that was written.
    pub former: String,
    /// The present name.
    pub name: String,
    /// Where it was written.
    pub origin: Origin,
}

/// What holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Resolved {
    values: BTreeMap<&'static str, Found>,
    servers: BTreeMap<String, McpServer>,
    held: Vec<Held>,
    ignored: Vec<(String, Origin)>,
    renamed: Vec<Renamed>,
}

#[derive(Debug, Clone, PartialEq)]
struct Found {
    value: Value,
    origin: Origin,
    items: Vec<Item>,
}

/// Puts layers over each other, the lowest first. Of a project's layer only that holds which can do no harm, unless the
/// user trusts the project.
///
/// # Errors
/// [`SettingsError`] when values that are right alone cannot hold together.
pub fn resolve(layers: impl IntoIterator<Item = Layer>, trusted: bool) -> Result<Resolved, SettingsError> {
    let mut resolved = Resolved::default();
    for layer in layers {
        resolved.add(layer, trusted)?;
    }
    check(&resolved)?;
    Ok(resolved)
}

impl Resolved {
    /// The same with a layer of the user's over it.
    ///
    /// # Errors
    /// [`SettingsError`] when its values cannot hold with those below.
    pub fn with(&self, layer: Layer) -> Result<Self, SettingsError> {
        let mut resolved = self.clone();
        resolved.add(layer, true)?;
        check(&resolved)?;
        Ok(resolved)
    }

    fn add(&mut self, layer: Layer, trusted: bool) -> Result<(), SettingsError> {
        self.ignored.extend(layer.ignored);
        for setting in canonical(layer.settings)? {
            let Some(spec) = find(setting.key) else { continue };
            if !trusted
                && setting.origin.is_project()
                && let Some(why) = self.harm(spec, &setting.value)
            {
                let (key, shown) = (spec.key.to_owned(), setting.value.shown());
                self.held.push(Held { key, shown, origin: setting.origin, why });
                continue;
            }
            if let (Some(former), Value::Text(name)) = (setting.former, &setting.value) {
                let (key, name, origin) = (spec.key, name.clone(), setting.origin.clone());
                self.renamed.push(Renamed { key, former, name, origin });
            }
            let found = self.values.entry(spec.key).or_insert_with(|| Found {
                value: setting.value.clone(),
                origin: Origin::Default,
                items: Vec::new(),
            });
            if let Value::List(texts) = &setting.value
                && spec.kind == Kind::List
            {
                let items =
                    texts.iter().zip(setting.items).map(|(text, origin)| Item { text: text.clone(), origin });
                found.items.extend(items);
                found.value = Value::List(found.items.iter().map(|item| item.text.clone()).collect());
            } else {
                found.value = setting.value;
            }
            found.origin = setting.origin;
        }
        for server in layer.servers {
            if !trusted && server.origin.is_project() {
                let (key, shown) = (format!("mcp.servers.{}", server.name), server.transport.shown());
                let why = "it could run a command, or send a key to a server of its choice";
                self.held.push(Held { key, shown, origin: server.origin, why });
                continue;
            }
            self.servers.insert(server.name.clone(), server);
        }
        Ok(())
    }
}

impl Resolved {
    /// What a value of an untrusted project could do; `None`: nothing.
    fn harm(&self, spec: &Spec, value: &Value) -> Option<&'static str> {
        let why = match spec.trust {
            Trust::Free => return None,
            Trust::Needed(why) | Trust::UserOnly(why) => return Some(why),
            Trust::Narrowing(why) => why,
        };
        let wider = match (spec.kind, value) {
            // The choices are ordered by how much they permit; of `allow`, the wider one counts.
            (Kind::Choice(["allow", ..]), Value::Text(text)) => text == "allow",
            (Kind::Choice(names), Value::Text(text)) => {
                let width = |name: &str| names.iter().position(|own| *own == name);
                let below = self.values.get(spec.key).map(|found| &found.value);
                let below = match below {
                    Some(Value::Text(below)) => below,
                    _ if names.contains(&spec.usual) => spec.usual,
                    _ => "ask",
                };
                width(text) > width(below)
            }
            (Kind::Dollars, Value::Dollars(amount)) => {
                let below = self.values.get(spec.key).map(|found| &found.value);
                matches!(below, Some(Value::Dollars(below)) if amount > below)
            }
            (_, Value::Switch(on)) => !on,
            _ => true,
        };
        wider.then_some(why)
    }

    /// What is no setting here, with its place: tables and keys of another program's configuration file, and variables of the
    /// environment.
    #[must_use]
    pub fn ignored(&self) -> &[(String, Origin)] {
        &self.ignored
    }

    /// Choices that were written by former names, in the order of the layers.
    #[must_use]
    pub fn renamed(&self) -> &[Renamed] {
        &self.renamed
    }

    /// The value of a key, when somebody wrote one.
    #[must_use]
    pub fn get<T: Holds>(&self, key: Key<T>) -> Option<T> {
        self.values.get(key.name()).and_then(|found| T::of(&found.value, &found.items))
    }

    /// The value of a key, or the schema's default where it is not set. `None`: the default is not a value, but says where it comes
    /// from.
    #[must_use]
    pub fn in_force<T: Holds>(&self, key: Key<T>) -> Option<T> {
        self.get(key).or_else(|| {
            let spec = find(key.name())?;
            T::of(&spec.kind.of_text(spec.usual).ok()?, &[])
        })
    }

    /// Where the value of a key was written; of a list the last layer that adds to it.
    #[must_use]
    pub fn origin<T>(&self, key: Key<T>) -> Origin {
        self.values.get(key.name()).map_or(Origin::Default, |found| found.origin.clone())
    }

    /// Where the value of a key was written; `None`: nowhere.
    pub(crate) fn written(&self, key: &str) -> Option<Origin> {
        self.values.get(key).map(|found| found.origin.clone())
    }

    /// The texts of a list; empty if it is not set.
    #[must_use]
    pub fn list(&self, key: Key<Vec<Item>>) -> Vec<Item> {
        self.get(key).unwrap_or_default()
    }

    /// The MCP servers, by name.
    pub fn servers(&self) -> impl Iterator<Item = &McpServer> {
        self.servers.values()
    }

    /// What an untrusted project set without effect, in the order in which it was written.
    #[must_use]
    pub fn held(&self) -> &[Held] {
        &self.held
    }

    /// Every key with its value in the syntax of a file, without what may be secret, and where it was set. A key that nothing
    /// sets has its default; other names of a key are left out.
    #[must_use]
    pub fn shown(&self) -> Vec<(&'static str, String, Origin)> {
        let row = |spec: &Spec| match self.values.get(spec.key) {
            Some(found) => (spec.key, found.value.shown(), found.origin.clone()),
            None => (spec.key, spec.usual.to_owned(), Origin::Default),
        };
        schema().iter().filter(|spec| !spec.is_alias()).map(row).collect()
    }
}

/// A type that a key may hold.
pub trait Holds: Sized {
    /// It, from a value.
    fn of(value: &Value, items: &[Item]) -> Option<Self>;
}

impl Holds for String {
    fn of(value: &Value, _: &[Item]) -> Option<Self> {
        if let Value::Text(text) = value { Some(text.clone()) } else { None }
    }
}

impl Holds for u64 {
    fn of(value: &Value, _: &[Item]) -> Option<Self> {
        match value {
            Value::Number(number) | Value::Percent(number) => Some(*number),
            _ => None,
        }
    }
}

impl Holds for f64 {
    fn of(value: &Value, _: &[Item]) -> Option<Self> {
        match value {
            Value::Fraction(number) | Value::Dollars(number) => Some(*number),
            _ => None,
        }
    }
}

impl Holds for Threshold {
    fn of(value: &Value, _: &[Item]) -> Option<Self> {
        if let Value::Threshold(threshold) = value { Some(*threshold) } else { None }
    }
}

impl Holds for bool {
    fn of(value: &Value, _: &[Item]) -> Option<Self> {
        if let Value::Switch(switch) = value { Some(*switch) } else { None }
    }
}

impl Holds for Vec<String> {
    fn of(value: &Value, _: &[Item]) -> Option<Self> {
        if let Value::List(texts) = value { Some(texts.clone()) } else { None }
    }
}

impl Holds for Vec<Item> {
    fn of(_: &Value, items: &[Item]) -> Option<Self> {
        Some(items.to_vec())
    }
}

impl Holds for Secrets {
    fn of(value: &Value, _: &[Item]) -> Option<Self> {
        if let Value::Secrets(secrets) = value { Some(secrets.clone()) } else { None }
    }
}
