//! Keys that set others: the names of other agents' configuration files, each with a unit of its own.

use throughline_budget::Threshold;

use crate::error::SettingsError;
use crate::kind::Value;
use crate::layer::Setting;

const WARN: &str = "agent.warn_at";
const COMPACT: &str = "agent.compact_at";
const BLOCK: &str = "agent.block_at";

/// The alias and what it sets.
const ALIASES: &[(&str, Unit)] = &[
    ("agent.compact_trigger", Unit::Threshold(COMPACT)),
    ("agent.hard_block", Unit::Threshold(BLOCK)),
    ("agent.context_warn_pct", Unit::Threshold(WARN)),
    ("agent.context_compact_pct", Unit::Threshold(COMPACT)),
    ("compaction.threshold", Unit::Threshold(COMPACT)),
    ("agent.context_window_max", Unit::Same("agent.context_budget")),
    ("agent.thresholds", Unit::Preset),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// A fraction of the effective window, per cent of the window, or tokens, by the kind of the alias.
    Threshold(&'static str),
    /// The value of this key.
    Same(&'static str),
    /// A name for two thresholds. Any other key in the same layer wins over it.
    Preset,
}

fn unit(key: &str) -> Option<Unit> {
    ALIASES.iter().find(|(alias, _)| *alias == key).map(|(_, unit)| *unit)
}

/// Returns true if the key has no value of its own.
pub(crate) fn is_alias(key: &str) -> bool {
    unit(key).is_some()
}

/// The settings of one layer by the keys that they set, presets first.
///
/// # Errors
/// [`SettingsError`] where two names of one key are in the layer.
pub(crate) fn canonical(settings: Vec<Setting>) -> Result<Vec<Setting>, SettingsError> {
    let (presets, others): (Vec<_>, Vec<_>) =
        settings.into_iter().partition(|setting| unit(setting.key) == Some(Unit::Preset));
    let mut written: Vec<(&'static str, &'static str)> = Vec::new();
    let mut all: Vec<Setting> = presets.into_iter().flat_map(preset).collect();
    for setting in others {
        let name = setting.key;
        let setting = match unit(name) {
            Some(Unit::Threshold(key)) => Setting { key, value: threshold(&setting.value), ..setting },
            Some(Unit::Same(key)) => Setting { key, ..setting },
            Some(Unit::Preset) | None => setting,
        };
        if let Some((_, other)) = written.iter().find(|(key, other)| *key == setting.key && *other != name) {
            let why = format!("`{other}` is set, too, and both set `{}`: write one of them", setting.key);
            return Err(SettingsError { origin: setting.origin, key: name.to_owned(), why });
        }
        written.push((setting.key, name));
        all.push(setting);
    }
    Ok(all)
}

/// The threshold that a value in the unit of an alias is.
fn threshold(value: &Value) -> Value {
    let threshold = match value {
        Value::Fraction(fraction) => Threshold::fraction(*fraction),
        Value::Number(0) => Threshold::Off,
        Value::Number(tokens) => Threshold::Tokens(*tokens),
        Value::Percent(percent) => Threshold::PercentWindow(*percent as f64),
        other => return other.clone(),
    };
    Value::Threshold(threshold)
}

/// `handoff` warns at 75 % and compacts at 90 % of the window. `policy` sets nothing.
fn preset(setting: Setting) -> Vec<Setting> {
    let is_handoff = matches!(&setting.value, Value::Text(name) if name == "handoff");
    let of = |(key, percent)| {
        let value = Value::Threshold(Threshold::PercentWindow(percent));
        Setting { key, value, ..setting.clone() }
    };
    [(WARN, 75.0), (COMPACT, 90.0)].into_iter().filter(|_| is_handoff).map(of).collect()
}
