//! Reading hook files.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::event::HookEvent;
use crate::hook::{Hook, HookAction, HookOrigin, HttpTarget};
use crate::matcher::Matcher;
use crate::variable::split_at_variables;

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
        let Some(action) = self.action(event, hook, place)? else { return Ok(()) };
        let is_command = matches!(action, HookAction::Command(_));
        let is_set = |key: &str| hook.get(key).and_then(Value::as_bool) == Some(true);
        if is_set("asyncRewake") {
            self.unknown(format!(
                "{place}.asyncRewake: a hook does not wake the model; write \"async\": true, and its text comes with the next message"
            ))?;
        }
        let is_async = is_set("async") || is_set("asyncRewake");
        if is_async && !is_command {
            self.unknown(format!("{place}.async: only commands run in the background; leave it out"))?;
        }
        if matches!(action, HookAction::Prompt(_)) && hook.get("model").is_some_and(|model| !model.is_null())
        {
            self.unknown(format!("{place}.model: the model of the session judges; leave it out"))?;
        }
        let timeout = match hook.get("timeout") {
            None | Some(Value::Null) if !is_command => Hook::SHORT_TIMEOUT,
            None | Some(Value::Null) => Hook::TIMEOUT,
            Some(value) => seconds(value).ok_or_else(|| {
                format!("{place}.timeout: seconds are expected, more than 0 and up to {MAX_SECONDS}")
            })?,
        };
        self.read.hooks.push(Hook {
            event,
            action,
            timeout,
            is_async: is_async && is_command,
            place: self.file.to_owned(),
            origin: self.origin,
            plugin: None,
            matcher: matcher.clone(),
        });
        Ok(())
    }

    /// What a hook does; `None`: something that is without effect.
    fn action(&mut self, event: HookEvent, hook: &Value, place: &str) -> Result<Option<HookAction>, String> {
        let kind = hook.get("type").and_then(Value::as_str).unwrap_or("command");
        let word = |key: &str| hook.get(key).and_then(Value::as_str).unwrap_or_default().trim().to_owned();
        let action = match kind {
            "command" => HookAction::Command(word("command")),
            "prompt" if !event.can_be_judged() => {
                let events = HookEvent::ALL.into_iter().filter(|event| event.can_be_judged());
                let events = events.map(HookEvent::name).collect::<Vec<_>>().join(", ");
                self.unknown(format!(
                    "{place}.type: nothing is decided at {}, so no model judges it; use a command, or one of {events}",
                    event.name()
                ))?;
                return Ok(None);
            }
            "prompt" => HookAction::Prompt(word("prompt")),
            "http" => HookAction::Http(self.target(hook, word("url"), place)?),
            _ => {
                self.unknown(format!(
                    "{place}.type: hooks of type {kind:?} are not run; there are: command, prompt, http"
                ))?;
                return Ok(None);
            }
        };
        let expected = match &action {
            HookAction::Command(_) => ("command", "a command line"),
            HookAction::Prompt(_) => ("prompt", "a text by which a model judges"),
            HookAction::Http(_) => ("url", "an address that begins with https:// or http://"),
        };
        let is_missing = match &action {
            HookAction::Command(text) | HookAction::Prompt(text) => text.is_empty(),
            HookAction::Http(target) => !is_address(&target.url),
        };
        if is_missing {
            return Err(format!("{place}.{}: {} is expected", expected.0, expected.1));
        }
        Ok(Some(action))
    }

    /// Where an event is sent.
    fn target(&self, hook: &Value, url: String, place: &str) -> Result<HttpTarget, String> {
        let mut headers = Vec::new();
        let written = match hook.get("headers") {
            None | Some(Value::Null) => &Map::new(),
            Some(Value::Object(written)) => written,
            Some(_) => return Err(format!("{place}.headers: an object of texts is expected")),
        };
        let names = hook.get("allowedEnvVars").and_then(Value::as_array).into_iter().flatten();
        let variables: Vec<String> = names.filter_map(Value::as_str).map(str::to_owned).collect();
        for (name, value) in written {
            let place = format!("{place}.headers.{name}");
            let text = value.as_str().ok_or_else(|| format!("{place}: a text is expected"))?;
            let names = split_at_variables(text).into_iter().filter_map(|(_, name)| name);
            for named in names.filter(|_| !self.foreign) {
                if !variables.iter().any(|variable| variable == named) {
                    let why = format!("it has ${named}; name that variable in allowedEnvVars");
                    return Err(format!("{place}: {why}"));
                }
            }
            headers.push((name.clone(), text.to_owned()));
        }
        Ok(HttpTarget { url, headers, variables })
    }

    /// Something that is refused in an own file, and is without effect in one of another program.
    fn unknown(&mut self, why: String) -> Read {
        if !self.foreign {
            return Err(why);
        }
        self.read.ignored.push(format!("{}: {why}", self.file));
        Ok(())
    }
}

fn is_address(url: &str) -> bool {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/') && !rest.contains(char::is_whitespace))
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
