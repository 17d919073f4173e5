//! From what a file holds to settings.

use throughline_text::nearest_name;

use crate::error::SettingsError;
use crate::kind::Value;
use crate::layer::{Layer, Setting};
use crate::mcp::server;
use crate::node::{Content, Entry, Node};
use crate::origin::line_and_column;
use crate::origin::{Origin, Scope};
use crate::schema::{Spec, Trust, schema, sections};

/// The keys of rubichan's table `[agent]` that are settings here too.
const RUBICHAN: [&str; 6] = [
    "context_budget",
    "max_output_tokens",
    "compact_trigger",
    "hard_block",
    "result_offload_threshold",
    "tool_deferral_threshold",
];

/// A file that is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader<'a> {
    pub(crate) scope: Scope,
    pub(crate) file: &'a str,
    pub(crate) text: &'a str,
}

impl Reader<'_> {
    pub(crate) fn origin(&self, at: usize) -> Origin {
        let (line, column) = line_and_column(self.text, at);
        Origin::File { scope: self.scope, file: self.file.to_owned(), line, column }
    }

    pub(crate) fn wrong(&self, at: usize, key: &str, why: impl Into<String>) -> SettingsError {
        SettingsError { origin: self.origin(at), key: key.to_owned(), why: why.into() }
    }

    /// A key that is not known here.
    pub(crate) fn unknown(&self, entry: &Entry, what: &str, known: &[&str]) -> SettingsError {
        let hint = match nearest_name(&entry.name, known.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("{what}: {}", known.join(", ")),
        };
        self.wrong(entry.at, &entry.name, format!("unknown key; {hint}"))
    }

    /// All settings. `flat`: keys of the agent may stand at the top.
    pub(crate) fn layer(&self, entries: &[Entry], flat: bool) -> Result<Layer, SettingsError> {
        let mut layer = Layer::default();
        for entry in entries {
            if entry.name == "mcp" {
                self.mcp(entry, &mut layer)?;
            } else if sections().contains(&entry.name.as_str()) {
                for inner in self.table(entry)? {
                    layer.settings.push(self.setting(&entry.name, inner)?);
                }
            } else if flat && agent_keys().contains(&entry.name.as_str()) {
                layer.settings.push(self.setting("agent", entry)?);
            } else {
                let mut known = sections();
                let elsewhere = schema().iter().find(|spec| spec.name() == entry.name);
                if flat {
                    known.extend(agent_keys());
                } else if let Some(spec) = elsewhere {
                    let why = format!("unknown key; write it below [{}]", spec.section());
                    return Err(self.wrong(entry.at, &entry.name, why));
                }
                return Err(self.unknown(entry, "the sections are", &known));
            }
        }
        Ok(layer)
    }

    /// The settings of rubichan's file.
    pub(crate) fn rubichan(&self, entries: &[Entry]) -> Result<Layer, SettingsError> {
        let policy = Setting {
            key: "agent.policy",
            value: Value::Text("rubichan".to_owned()),
            origin: self.origin(0),
            items: Vec::new(),
            former: None,
        };
        let mut layer = Layer { settings: vec![policy], ..Layer::default() };
        for entry in entries {
            if entry.name != "agent" {
                layer.ignored.push((entry.name.clone(), self.origin(entry.at)));
                continue;
            }
            for inner in self.table(entry)? {
                match RUBICHAN.contains(&inner.name.as_str()) {
                    true => layer.settings.push(self.setting("agent", inner)?),
                    false => layer.ignored.push((format!("agent.{}", inner.name), self.origin(inner.at))),
                }
            }
        }
        Ok(layer)
    }

    pub(crate) fn table<'a>(&self, entry: &'a Entry) -> Result<&'a [Entry], SettingsError> {
        match &entry.value.content {
            Content::Table(entries) => Ok(entries),
            other => {
                let why = format!("it is {}; write a section", other.name());
                Err(self.wrong(entry.at, &entry.name, why))
            }
        }
    }

    fn setting(&self, section: &str, entry: &Entry) -> Result<Setting, SettingsError> {
        let own = |spec: &&Spec| spec.section() == section && spec.name() == entry.name;
        let Some(spec) = schema().iter().find(own) else {
            return Err(self.unknown_setting(section, entry));
        };
        if let (Scope::Project, Trust::UserOnly(why)) = (self.scope, spec.trust) {
            let why = format!("write it in your own settings: {why}");
            return Err(self.wrong(entry.at, &entry.name, why));
        }
        let written = match &entry.value.content {
            Content::Text(text) => spec.renamed(text).map(|name| (name, text)),
            _ => None,
        };
        if let Some((name, former)) = written {
            let (value, former) = (Value::Text(name.to_owned()), Some(former.clone()));
            return Ok(Setting {
                key: spec.key,
                value,
                origin: self.origin(entry.at),
                items: Vec::new(),
                former,
            });
        }
        let value = spec.kind.of_node(&entry.value).and_then(|value| value.checked(spec.key));
        let value = value.map_err(|why| self.wrong(entry.value.at, &entry.name, why))?;
        let items = match &entry.value.content {
            Content::List(items) => items.iter().map(|Node { at, .. }| self.origin(*at)).collect(),
            _ => Vec::new(),
        };
        Ok(Setting { key: spec.key, value, origin: self.origin(entry.at), items, former: None })
    }

    /// Names of other agents are near ones, and are not listed.
    fn unknown_setting(&self, section: &str, entry: &Entry) -> SettingsError {
        let own = schema().iter().filter(|spec| spec.section() == section);
        let known: Vec<&str> = own.clone().map(Spec::name).collect();
        if nearest_name(&entry.name, known.iter().copied()).is_some() {
            return self.unknown(entry, "", &known);
        }
        let listed: Vec<&str> = own.filter(|spec| !spec.is_alias()).map(Spec::name).collect();
        self.unknown(entry, &format!("the keys of [{section}] are"), &listed)
    }

    fn mcp(&self, entry: &Entry, layer: &mut Layer) -> Result<(), SettingsError> {
        for inner in self.table(entry)? {
            if inner.name != "servers" {
                return Err(self.unknown(inner, "the keys of [mcp] are", &["servers"]));
            }
            for named in self.table(inner)? {
                layer.servers.push(server(self, named)?);
            }
        }
        Ok(())
    }
}

fn agent_keys() -> Vec<&'static str> {
    schema().iter().filter(|spec| spec.section() == "agent").map(Spec::name).collect()
}
