//! One source of settings, read and checked.

use throughline_text::nearest_name;

use crate::error::SettingsError;
use crate::kind::Value;
use crate::mcp::McpServer;
use crate::node::{Entry, Malformed};
use crate::origin::line_and_column;
use crate::origin::{Origin, Scope};
use crate::read::Reader;
use crate::schema::{find, schema, sections};

/// A command-line option that sets a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flag {
    /// The option as typed, for example `--mode`.
    pub name: &'static str,
    /// The key that it sets.
    pub key: &'static str,
    /// Its value.
    pub text: String,
}

/// One source of settings: every value in it is of the right kind.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Layer {
    pub(crate) settings: Vec<Setting>,
    pub(crate) servers: Vec<McpServer>,
    /// Tables and keys of another program's file, with their places.
    pub(crate) ignored: Vec<(String, Origin)>,
}

/// A value and where it was written; each item of a list has its own place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Setting {
    pub(crate) key: &'static str,
    pub(crate) value: Value,
    pub(crate) origin: Origin,
    pub(crate) items: Vec<Origin>,
    /// The former name by which the choice was written.
    pub(crate) former: Option<String>,
}

impl Layer {
    /// Reads a TOML file, whose name is `file` when it is shown.
    ///
    /// # Errors
    /// [`SettingsError`] for the first thing in it that cannot be used.
    pub fn from_toml(scope: Scope, file: &str, text: &str) -> Result<Self, SettingsError> {
        Self::from_entries(scope, file, text, crate::toml_text::parse(text), false)
    }

    /// Reads a JSON file. Keys of the section `agent` may also stand at its top.
    ///
    /// # Errors
    /// [`SettingsError`] for the first thing in it that cannot be used.
    pub fn from_json(scope: Scope, file: &str, text: &str) -> Result<Self, SettingsError> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        Self::from_entries(scope, file, text, crate::json::parse(text), true)
    }

    /// Reads the configuration file of the agent rubichan. Its policy is `rubichan`, and the keys of its table `[agent]` that
    /// are settings here hold. [`Resolved::ignored`](crate::Resolved::ignored) lists the others.
    ///
    /// # Errors
    /// [`SettingsError`] for the first value of those keys that cannot be used, and for a text that is not TOML.
    pub fn from_rubichan(file: &str, text: &str) -> Result<Self, SettingsError> {
        let reader = Reader { scope: Scope::User, file, text };
        reader.rubichan(&entries(&reader, crate::toml_text::parse(text))?)
    }

    fn from_entries(
        scope: Scope,
        file: &str,
        text: &str,
        entries: Result<Vec<Entry>, Malformed>,
        flat: bool,
    ) -> Result<Self, SettingsError> {
        let reader = Reader { scope, file, text };
        let entries = self::entries(&reader, entries)?;
        reader.layer(&entries, flat)
    }

    /// Reads variables of the environment. An empty one counts as unset. A name that begins like a
    /// setting's but matches no key is an error; other names with `THROUGHLINE_` are
    /// [`ignored`](crate::Resolved::ignored).
    ///
    /// # Errors
    /// [`SettingsError`] for the first variable that cannot be used.
    pub fn from_environment(
        variables: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, SettingsError> {
        let known: Vec<(String, &'static str)> =
            schema().iter().filter_map(|spec| Some((spec.variable()?, spec.key))).collect();
        let mut variables: Vec<(String, String)> = variables
            .into_iter()
            .filter(|(name, value)| name.starts_with("THROUGHLINE_") && !value.is_empty())
            .collect();
        variables.sort();
        let (mut settings, mut ignored) = (Vec::new(), Vec::new());
        for (name, value) in variables {
            let origin = Origin::Variable(name.clone());
            if let Some((_, key)) = known.iter().find(|(own, _)| *own == name) {
                settings.push(setting(key, &value, origin)?);
                continue;
            }
            let meant = nearest_name(&name, known.iter().map(|(own, _)| own.as_str()));
            let section =
                |section: &str| name.starts_with(&format!("THROUGHLINE_{}_", section.to_uppercase()));
            if meant.is_some() || sections().into_iter().any(section) {
                let hint = meant.map_or(String::new(), |meant| format!("; did you mean {meant}?"));
                let why = format!("there is no such setting{hint}");
                return Err(SettingsError { origin, key: name, why });
            }
            ignored.push((name, origin));
        }
        Ok(Self { settings, ignored, ..Self::default() })
    }

    /// Takes options of the command line.
    ///
    /// # Errors
    /// [`SettingsError`] for the first option whose value cannot be used.
    pub fn from_flags(flags: impl IntoIterator<Item = Flag>) -> Result<Self, SettingsError> {
        let settings = flags
            .into_iter()
            .map(|flag| setting(flag.key, &flag.text, Origin::Flag(flag.name.to_owned())))
            .collect::<Result<_, _>>()?;
        Ok(Self { settings, ..Self::default() })
    }
}

/// The entries of a file, or the error with its place.
fn entries(reader: &Reader<'_>, entries: Result<Vec<Entry>, Malformed>) -> Result<Vec<Entry>, SettingsError> {
    entries.map_err(|Malformed { at, key, why }| {
        let origin = reader.origin(at);
        if let Some(key) = key {
            return SettingsError { origin, key, why };
        }
        let (line, _) = line_and_column(reader.text, at);
        let content = reader.text.lines().nth(line - 1).unwrap_or_default();
        let key = content.split_once(['=', ':']).map_or(content, |(key, _)| key).trim().to_owned();
        // A line without a key may hold anything, also a secret.
        let key = if content.contains(['=', ':', '[']) { key } else { String::new() };
        SettingsError { origin, key, why }
    })
}

fn setting(key: &'static str, text: &str, origin: Origin) -> Result<Setting, SettingsError> {
    if let Some(name) = find(key).and_then(|spec| spec.renamed(text)) {
        let (value, former) = (Value::Text(name.to_owned()), Some(text.to_owned()));
        return Ok(Setting { key, value, origin, items: Vec::new(), former });
    }
    let value = find(key)
        .ok_or_else(|| "there is no such setting".to_owned())
        .and_then(|spec| spec.kind.of_text(text)?.checked(spec.key));
    match value {
        Ok(value) => {
            let items = match &value {
                Value::List(items) => vec![origin.clone(); items.len()],
                _ => Vec::new(),
            };
            Ok(Setting { key, value, origin, items, former: None })
        }
        Err(why) => Err(SettingsError { origin, key: key.to_owned(), why }),
    }
}
