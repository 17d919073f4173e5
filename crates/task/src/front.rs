//! The settings of a task file, in TOML.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;
use throughline_text::read_span;
use toml::Spanned;

use crate::error::TaskError;
use crate::gate::Gate;
use crate::hat::Hat;
use crate::hat::USUAL;
use crate::template::one_line;

/// Iterations at most, unless the file says otherwise.
const ITERATIONS: u64 = 50;
/// Hours of work at most, unless the file says otherwise.
const HOURS: u64 = 4;
/// Minutes that a gate may take, unless the file says otherwise.
const GATE_MINUTES: u64 = 10;

/// The settings, whole and checked.
#[derive(Debug)]
pub(crate) struct Front {
    pub(crate) title: Option<String>,
    pub(crate) hats: Vec<Hat>,
    pub(crate) gates: Vec<Gate>,
    pub(crate) max_iterations: u64,
    pub(crate) max_time: Duration,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    title: Option<Spanned<String>>,
    hats: Option<Spanned<Vec<Spanned<String>>>>,
    #[serde(default)]
    hat: BTreeMap<Spanned<String>, OwnHat>,
    #[serde(default)]
    gates: Vec<Spanned<toml::Value>>,
    max_iterations: Option<Spanned<u64>>,
    max_time: Option<Spanned<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OwnHat {
    prompt: Spanned<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenGate {
    name: Option<String>,
    command: String,
    timeout: Option<String>,
}

/// Reads the settings; the lines carry their numbers in the file.
pub(crate) fn read(lines: &[(usize, &str)]) -> Result<Front, TaskError> {
    let text: String = lines.iter().flat_map(|(_, line)| [line, "\n"]).collect();
    let place = Place { text: &text, first: lines.first().map_or(1, |(number, _)| *number) };
    let written: Written = toml::from_str(&text).map_err(|error| place.syntax(&error))?;
    let title = written.title.map(|title| {
        let shown = one_line(title.get_ref());
        if shown.is_empty() {
            Err(place.at(&title, "the title is empty", "write what the task is called"))
        } else {
            Ok(shown)
        }
    });
    let count = |number: Option<Spanned<u64>>, usual| match number {
        Some(number) if *number.get_ref() == 0 => {
            Err(place.at(&number, "it must not be 0", "write a number from 1 on"))
        }
        number => Ok(number.map_or(usual, Spanned::into_inner)),
    };
    let max_time = match &written.max_time {
        None => Duration::from_secs(HOURS * 3_600),
        Some(text) => place.span(text, text.get_ref())?,
    };
    Ok(Front {
        title: title.transpose()?,
        hats: hats(&place, written.hats, &written.hat)?,
        gates: gates(&place, &written.gates)?,
        max_iterations: count(written.max_iterations, ITERATIONS)?,
        max_time,
    })
}

fn hats(
    place: &Place<'_>,
    names: Option<Spanned<Vec<Spanned<String>>>>,
    own: &BTreeMap<Spanned<String>, OwnHat>,
) -> Result<Vec<Hat>, TaskError> {
    if let Some(empty) = names.as_ref().filter(|names| names.get_ref().is_empty()) {
        return Err(place.at(empty, "there is no hat", "name at least one, or leave the key out"));
    }
    for (name, hat) in own {
        if !Hat::can_be(name.get_ref()) {
            let what = format!("{:?} cannot name a hat", name.get_ref());
            return Err(place.at(name, what, "use letters, digits, `-` and `_`"));
        }
        if hat.prompt.get_ref().trim().is_empty() {
            return Err(place.at(&hat.prompt, "the prompt is empty", "write what the hat asks for"));
        }
    }
    let names: Vec<Spanned<String>> = names.map(Spanned::into_inner).unwrap_or_default();
    let listed = |name: &str| names.iter().any(|listed| listed.get_ref().eq_ignore_ascii_case(name));
    let usual = |name: &str| names.is_empty() && name.eq_ignore_ascii_case(USUAL);
    if let Some((name, _)) = own.iter().find(|(name, _)| !listed(name.get_ref()) && !usual(name.get_ref())) {
        let what = format!("hat {:?} is described and never worn", name.get_ref());
        return Err(place.at(name, what, "name it in `hats`, at its place in the order"));
    }
    let find = |name: &str| {
        let described = own.iter().find(|(own, _)| own.get_ref().eq_ignore_ascii_case(name));
        described
            .map(|(own, hat)| Hat::new(own.get_ref(), hat.prompt.get_ref()))
            .or_else(|| Hat::builtin(&name.to_ascii_lowercase()))
    };
    if names.is_empty() {
        return Ok(find(USUAL).into_iter().collect());
    }
    let mut hats: Vec<Hat> = Vec::new();
    for name in &names {
        let Some(hat) = find(name.get_ref()) else {
            let builtin: Vec<String> = crate::hat::builtin_hats().into_iter().map(|hat| hat.name).collect();
            let fix =
                format!("describe it as `[hat.NAME] prompt = \"…\"`, or use one of {}", builtin.join(", "));
            return Err(place.at(name, format!("there is no hat {:?}", name.get_ref()), fix));
        };
        if hats.iter().any(|other| other.name.eq_ignore_ascii_case(&hat.name)) {
            return Err(place.at(
                name,
                format!("hat {:?} stands there twice", hat.name),
                "name each hat once",
            ));
        }
        hats.push(hat);
    }
    Ok(hats)
}

fn gates(place: &Place<'_>, written: &[Spanned<toml::Value>]) -> Result<Vec<Gate>, TaskError> {
    let mut gates: Vec<Gate> = Vec::new();
    for value in written {
        let gate = match value.get_ref() {
            toml::Value::String(command) => {
                WrittenGate { name: None, command: command.clone(), timeout: None }
            }
            toml::Value::Table(table) => table.clone().try_into().map_err(|error: toml::de::Error| {
                let fix = "write a command, or `{ name = \"…\", command = \"…\", timeout = \"10m\" }`";
                place.at(value, error.message(), fix)
            })?,
            other => {
                let what = format!("a gate is a command or a table, no {}", other.type_str());
                return Err(place.at(value, what, "write the command between quotation marks"));
            }
        };
        let command = gate.command.trim().to_owned();
        let name = one_line(gate.name.as_deref().unwrap_or(&command));
        if command.is_empty() || name.is_empty() {
            return Err(place.at(value, "the gate is empty", "write the command that has to succeed"));
        }
        if gates.iter().any(|other| other.name == name) {
            let fix = "give one of them another `name`, or leave it out";
            return Err(place.at(value, format!("there are two gates {name:?}"), fix));
        }
        let timeout = match gate.timeout {
            None => Duration::from_secs(GATE_MINUTES * 60),
            Some(text) => place.span(value, &text)?,
        };
        gates.push(Gate { name, command, timeout });
    }
    Ok(gates)
}

/// Where in the file something stands.
struct Place<'a> {
    text: &'a str,
    /// Number of the first line of the text.
    first: usize,
}

impl Place<'_> {
    fn line(&self, offset: usize) -> usize {
        let before = self.text.get(..offset).unwrap_or(self.text);
        self.first + before.matches('\n').count()
    }

    fn at<T>(&self, what: &Spanned<T>, says: impl Into<String>, fix: impl Into<String>) -> TaskError {
        TaskError::at(self.line(what.span().start), says, fix)
    }

    fn span<T>(&self, place: &Spanned<T>, text: &str) -> Result<Duration, TaskError> {
        read_span(text).map_err(|why| self.at(place, format!("{text:?} is no time"), why.to_string()))
    }

    fn syntax(&self, error: &toml::de::Error) -> TaskError {
        let line = self.line(error.span().map_or(0, |span| span.start));
        let fix = "the settings are TOML with title, hats, hat.NAME, gates, max_iterations and max_time";
        TaskError::at(line, one_line(error.message()), fix)
    }
}
