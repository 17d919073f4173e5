//! Reading hook files.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::event::HookEvent;
use crate::hook::{Hook, HookOrigin};
use crate::matcher::Matcher;

/// The longest time that a file may give a hook.
const MAX_SECONDS: f64 = 3_600.0;

/// A file of hooks that cannot be used. Its text names the place and the fix.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {why}")]
pub struct HookFileError {
    /// The file.
    pub file: String,
    /// What is wrong, and what would be right.
    pub why: String,
}

/// The hooks of one file: `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "…"}]}]}}`.
///
/// A settings file of Claude Code has the same object among other keys.
#[derive(Debug, Clone, Default)]
pub struct HookFile {
    /// The hooks in the order of the file.
    pub hooks: Vec<Hook>,
    /// Entries that have no effect, each with the reason.
    pub ignored: Vec<String>,
}

impl HookFile {
    /// Reads a file of hooks. `foreign`: it belongs to another program, so events and kinds of hooks that this program does not
    /// have are ignored and listed; in an own file they are errors.
    ///
    /// # Errors
    /// [`HookFileError`].
    pub fn parse(file: &str, text: &str, origin: HookOrigin, foreign: bool) -> Result<Self, HookFileError> {
        let error = |why: String| HookFileError { file: file.to_owned(), why };
        let root: Value = serde_json::from_str(text).map_err(|fault| error(format!("no JSON: {fault}")))?;
        let events = match root.get("hooks") {
            None if foreign => return Ok(Self::default()),
            None => return Err(error("the key \"hooks\" is missing".to_owned())),
            Some(Value::Object(events)) => events,
            Some(_) => return Err(error("hooks: an object of events is expected".to_owned())),
        };
        let mut reader = Reader { file, origin, foreign, read: Self::default() };
        reader.events(events).map_err(error)?;
        Ok(reader.read)
    }
}

struct Reader<'a> {
    file: &'a str,
    origin: HookOrigin,
    foreign: bool,
    read: HookFile,
}

type Read = Result<(), String>;

impl Reader<'_> {
    fn events(&mut self, events: &Map<String, Value>) -> Read {
        for (name, groups) in events {
            let place = format!("hooks.{name}");
            let Some(event) = HookEvent::named(name) else {
                let names = HookEvent::ALL.map(HookEvent::name).join(", ");
                self.unknown(format!("{place}: there is no such event; there are: {names}"))?;
                continue;
            };
            let groups = list(groups, &place)?;
            for (index, group) in groups.iter().enumerate() {
                self.group(event, group, &format!("{place}[{index}]"))?;
            }
        }
        Ok(())
    }

    fn group(&mut self, event: HookEvent, group: &Value, place: &str) -> Read {
        let text = match group.get("matcher") {
            None | Some(Value::Null) => "",
            Some(Value::String(text)) => text,
            Some(_) => return Err(format!("{place}.matcher: a text is expected")),
        };
        let matcher = Matcher::parse(text).map_err(|why| format!("{place}.matcher: {why}"))?;
        let place = format!("{place}.hooks");
        let hooks = group.get("hooks").ok_or_else(|| format!("{place} is missing"))?;
        for (index, hook) in list(hooks, &place)?.iter().enumerate() {
            self.hook(event, &matcher, hook, &format!("{place}[{index}]"))?;
        }
        Ok(())
    }

    fn hook(&mut self, event: HookEvent, matcher: &Matcher, hook: &Value, place: &str) -> Read {
        let kind = hook.get("type").and_then(Value::as_str).unwrap_or("command");
        if kind != "command" {
            return self
                .unknown(format!("{place}.type: hooks of type {kind:?} are not run; there is: command"));
        }
        let command = hook.get("command").and_then(Value::as_str).unwrap_or_default().trim();
        if command.is_empty() {
            return Err(format!("{place}.command: a command line is expected"));
        }
        if hook.get("async").and_then(Value::as_bool) == Some(true) {
            self.read.ignored.push(format!("{}: {place}.async: hooks are always waited for", self.file));
        }
        let timeout = match hook.get("timeout") {
            None | Some(Value::Null) => Hook::TIMEOUT,
            Some(value) => seconds(value).ok_or_else(|| {
                format!("{place}.timeout: seconds are expected, more than 0 and up to {MAX_SECONDS}")
            })?,
        };
        self.read.hooks.push(Hook {
            event,
            command: command.to_owned(),
            timeout,
            place: self.file.to_owned(),
            origin: self.origin,
            matcher: matcher.clone(),
        });
        Ok(())
    }

    fn unknown(&mut self, why: String) -> Read {
        if !self.foreign {
            return Err(why);
        }
        self.read.ignored.push(format!("{}: {why}", self.file));
        Ok(())
    }
}

fn list<'a>(value: &'a Value, place: &str) -> Result<&'a Vec<Value>, String> {
    value.as_array().ok_or_else(|| format!("{place}: a list is expected"))
}

fn seconds(value: &Value) -> Option<Duration> {
    let seconds = value.as_f64().filter(|seconds| *seconds > 0.0 && *seconds <= MAX_SECONDS)?;
    Some(Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests;
