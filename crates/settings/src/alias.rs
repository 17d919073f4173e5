//! Keys that set others: the names of other agents' configuration files, each with a unit of its own.

use throughline_budget::Threshold;

use crate::error::SettingsError;
use crate::kind::Value;
use crate::layer::Setting;
use crate::schema::{Kind, Spec, find};

/// Per cent of the window at which `handoff` warns and compacts.
const HANDOFF: [f64; 2] = [75.0, 90.0];

/// The settings of one layer by the keys that they set. An alias of several keys comes first: any other key in the layer wins.
///
/// # Errors
/// [`SettingsError`] where two names of one key are in the layer.
pub(crate) fn canonical(settings: Vec<Setting>) -> Result<Vec<Setting>, SettingsError> {
    let sets = |setting: &Setting| find(setting.key).map_or(&[][..], Spec::sets);
    let (presets, others): (Vec<_>, Vec<_>) = settings.into_iter().partition(|one| sets(one).len() > 1);
    let mut all: Vec<Setting> = presets.iter().flat_map(|preset| expanded(preset, sets(preset))).collect();
    let mut written: Vec<(&'static str, &'static str)> = Vec::new();
    for setting in others {
        let name = setting.key;
        let setting = match sets(&setting) {
            [key] => renamed(setting, key),
            _ => setting,
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

/// The setting of the key that an alias sets, with its value in the key's unit.
fn renamed(setting: Setting, key: &'static str) -> Setting {
    let is_threshold = find(key).is_some_and(|spec| spec.kind == Kind::Threshold);
    let value = if is_threshold { threshold(&setting.value) } else { setting.value };
    Setting { key, value, ..setting }
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

/// The thresholds that a name is short for: those of `handoff`, and none for `policy`.
fn expanded(preset: &Setting, keys: &'static [&'static str]) -> Vec<Setting> {
    let is_handoff = matches!(&preset.value, Value::Text(name) if name == "handoff");
    let of = |(key, percent): (&&'static str, f64)| Setting {
        key,
        value: Value::Threshold(Threshold::PercentWindow(percent)),
        ..preset.clone()
    };
    keys.iter().zip(HANDOFF).filter(|_| is_handoff).map(of).collect()
}
