//! The manifest of a plugin: `.claude-plugin/plugin.json`, or its entry in a marketplace.

use serde_json::{Map, Value};

use crate::name::{RULE, is_name};

/// The manifest, from the folder of the plugin on.
pub(crate) const MANIFEST: &str = ".claude-plugin/plugin.json";

/// A place of parts that a manifest names, or the parts themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    /// A path as written.
    Path(String),
    /// An object in the manifest.
    Inline(Value),
}

/// What a manifest says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Manifest {
    pub(crate) name: String,
    pub(crate) version: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) commands: Vec<String>,
    pub(crate) agents: Vec<String>,
    pub(crate) skills: Vec<String>,
    pub(crate) output_styles: Vec<String>,
    pub(crate) hooks: Vec<Part>,
    pub(crate) servers: Vec<Part>,
}

impl Manifest {
    /// Reads the text of a manifest. Unknown keys have no effect.
    ///
    /// # Errors
    /// What is wrong and the fix, without the name of the file.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
            .map_err(|fault| format!("no JSON: {fault}; correct it there"))?;
        let Value::Object(fields) = value else { return Err("an object is expected".to_owned()) };
        let name = word(&fields, "name")?.ok_or("the key \"name\" is missing; add it")?;
        if !is_name(&name) {
            return Err(format!("name: {name:?} is no name of a plugin; {RULE}"));
        }
        Ok(Self {
            name,
            version: word(&fields, "version")?,
            description: word(&fields, "description")?,
            author: author(fields.get("author"))?,
            commands: paths(&fields, "commands")?,
            agents: paths(&fields, "agents")?,
            skills: paths(&fields, "skills")?,
            output_styles: paths(&fields, "outputStyles")?,
            hooks: parts(&fields, "hooks")?,
            servers: parts(&fields, "mcpServers")?,
        })
    }
}

/// The text of a key; `None`: it is missing or empty.
///
/// # Errors
/// It has another value.
pub(crate) fn word(fields: &Map<String, Value>, key: &str) -> Result<Option<String>, String> {
    match fields.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty())),
        Some(_) => Err(format!("{key}: a text is expected")),
    }
}

fn author(value: Option<&Value>) -> Result<Option<String>, String> {
    match value {
        Some(Value::Object(fields)) => word(fields, "name"),
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err("author: a text, or an object with a name is expected".to_owned()),
    }
}

fn paths(fields: &Map<String, Value>, key: &str) -> Result<Vec<String>, String> {
    let all = parts(fields, key)?.into_iter().map(|part| match part {
        Part::Path(path) => Ok(path),
        Part::Inline(_) => Err(format!("{key}: a path or a list of paths is expected")),
    });
    all.collect()
}

fn parts(fields: &Map<String, Value>, key: &str) -> Result<Vec<Part>, String> {
    match fields.get(key) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(list)) => list.iter().map(|value| part(value, key)).collect(),
        Some(value) => Ok(vec![part(value, key)?]),
    }
}

fn part(value: &Value, key: &str) -> Result<Part, String> {
    match value {
        Value::String(path) => Ok(Part::Path(path.clone())),
        Value::Object(_) => Ok(Part::Inline(value.clone())),
        _ => Err(format!("{key}: a path, or a list of paths is expected")),
    }
}

#[cfg(test)]
mod tests;
