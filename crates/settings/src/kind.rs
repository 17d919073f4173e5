//! What a setting may hold.

use std::collections::BTreeMap;
use std::fmt;

use throughline_budget::{Threshold, ThresholdError};
use throughline_text::{InvalidSpan, nearest_name, read_span};

use crate::items::check_text;
use crate::mcp::shown_url;
use crate::node::{Content, Node};
use crate::schema::Kind;

/// A value. Its `Debug` output is [`Value::shown`], as a text may be secret.
#[derive(Clone, PartialEq)]
pub enum Value {
    /// A text, also one of several choices.
    Text(String),
    /// A whole number.
    Number(u64),
    /// A fraction.
    Fraction(f64),
    /// Per cent.
    Percent(u64),
    /// A threshold of the window.
    Threshold(Threshold),
    /// An amount of US dollars.
    Dollars(f64),
    /// On or off.
    Switch(bool),
    /// Several texts.
    List(Vec<String>),
    /// Names with values that may be secret.
    Secrets(Secrets),
}

/// Names with values that may be secret: its `Debug` output has the names only.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Secrets(BTreeMap<String, String>);

impl Secrets {
    pub(crate) fn new(values: BTreeMap<String, String>) -> Self {
        Self(values)
    }

    /// The names and the values, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

impl FromIterator<(String, String)> for Secrets {
    fn from_iter<T: IntoIterator<Item = (String, String)>>(values: T) -> Self {
        Self(values.into_iter().collect())
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_set().entries(self.0.keys()).finish()
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.shown())
    }
}

impl Kind {
    /// The value that a node of a file is; items of a list are checked by the caller, who knows their places.
    pub(crate) fn of_node(self, node: &Node) -> Result<Value, String> {
        let wrong = || format!("it is {}; {}", node.content.name(), self.form());
        match (self, &node.content) {
            (
                Self::Text | Self::Choice(_) | Self::Span | Self::Dollars | Self::Threshold,
                Content::Text(text),
            ) => self.of_text(text),
            (Self::Threshold, Content::Whole(number)) => self.of_text(&number.to_string()),
            (Self::Dollars, Content::Real(number)) => self.of_dollars(*number),
            (Self::Dollars, Content::Whole(number)) => self.of_dollars(*number as f64),
            (Self::Switch, Content::Switch(switch)) => Ok(Value::Switch(*switch)),
            (Self::Fraction, Content::Real(number)) => self.of_fraction(*number),
            (Self::Fraction, Content::Whole(1)) => self.of_fraction(1.0),
            (Self::Count { .. } | Self::Percent | Self::Fraction, Content::Whole(number)) => {
                match u64::try_from(*number) {
                    Ok(number) if self != Self::Fraction => self.of_number(number),
                    _ => Err(self.form()),
                }
            }
            (Self::List, Content::List(items)) => {
                let text = |item: &Node| match &item.content {
                    Content::Text(text) => Ok(text.clone()),
                    other => Err(format!("the list holds {}; {}", other.name(), self.form())),
                };
                items.iter().map(text).collect::<Result<_, _>>().map(Value::List)
            }
            (Self::Choices(_), Content::List(items)) => {
                let text = |item: &Node| match &item.content {
                    Content::Text(text) => self.of_choice(text),
                    other => Err(format!("the list holds {}; {}", other.name(), self.form())),
                };
                items.iter().map(text).collect::<Result<_, _>>().map(Value::List)
            }
            (Self::Secrets, Content::Table(entries)) => {
                let pair = |entry: &crate::node::Entry| match &entry.value.content {
                    Content::Text(text) => Ok((entry.name.clone(), text.clone())),
                    other => Err(format!("{:?} is {}; {}", entry.name, other.name(), self.form())),
                };
                let pairs = entries.iter().map(pair).collect::<Result<_, _>>()?;
                Ok(Value::Secrets(Secrets::new(pairs)))
            }
            _ => Err(wrong()),
        }
    }

    /// The value that the text of a variable or of an option is.
    pub(crate) fn of_text(self, text: &str) -> Result<Value, String> {
        match self {
            Self::Text if text.trim().is_empty() => {
                Err("it is empty; write a text, or leave it out".to_owned())
            }
            Self::Text => Ok(Value::Text(text.to_owned())),
            Self::Choice(_) => self.of_choice(text).map(Value::Text),
            Self::Span => match read_span(text) {
                Ok(_) => Ok(Value::Text(text.to_owned())),
                Err(why) => Err(why.to_string()),
            },
            Self::Count { .. } | Self::Percent => text
                .trim()
                .replace('_', "")
                .parse()
                .map_err(|_| self.form())
                .and_then(|number| self.of_number(number)),
            Self::Fraction => {
                text.trim().parse().map_err(|_| self.form()).and_then(|number| self.of_fraction(number))
            }
            Self::Threshold => {
                text.parse().map(Value::Threshold).map_err(|error: ThresholdError| error.to_string())
            }
            Self::Dollars => {
                let amount = text.trim().trim_start_matches('$').trim_end_matches("USD").trim();
                amount.parse().map_err(|_| self.form()).and_then(|number| self.of_dollars(number))
            }
            Self::Switch => match text.trim() {
                "true" | "1" => Ok(Value::Switch(true)),
                "false" | "0" => Ok(Value::Switch(false)),
                _ => Err(self.form()),
            },
            Self::List | Self::Choices(_) if text.trim_start().starts_with('[') => {
                let entries = crate::toml_text::parse(&format!("list = {}", text.trim()))
                    .map_err(|malformed| format!("{}; {}", malformed.why, self.form()))?;
                match entries.as_slice() {
                    [entry] => self.of_node(&entry.value),
                    _ => Err(self.form()),
                }
            }
            Self::List => Ok(Value::List(vec![text.to_owned()])),
            Self::Choices(_) => self.of_choice(text).map(|name| Value::List(vec![name])),
            Self::Secrets => Err("it can be set in a file only".to_owned()),
        }
    }

    /// A name, if it is one of the choices.
    fn of_choice(self, text: &str) -> Result<String, String> {
        let (Self::Choice(names) | Self::Choices(names)) = self else { return Err(self.form()) };
        if names.contains(&text) {
            return Ok(text.to_owned());
        }
        let meant = nearest_name(text, names.iter().copied());
        let hint = meant.map_or(String::new(), |name| format!("; did you mean {name:?}?"));
        Err(format!("{text:?} is not one of {}{hint}", names.join(", ")))
    }

    fn of_number(self, number: u64) -> Result<Value, String> {
        match self {
            Self::Count { least, most } if (least..=most).contains(&number) => Ok(Value::Number(number)),
            Self::Percent if (1..=100).contains(&number) => Ok(Value::Percent(number)),
            _ => Err(self.form()),
        }
    }

    fn of_fraction(self, number: f64) -> Result<Value, String> {
        if number > 0.0 && number <= 1.0 { Ok(Value::Fraction(number)) } else { Err(self.form()) }
    }

    fn of_dollars(self, number: f64) -> Result<Value, String> {
        if number > 0.0 && number.is_finite() { Ok(Value::Dollars(number)) } else { Err(self.form()) }
    }

    /// What would be right.
    pub(crate) fn form(self) -> String {
        match self {
            Self::Text => "write a text in quotes".to_owned(),
            Self::Choice(names) => format!("write one of {}", names.join(", ")),
            Self::Count { least: 0, most: u64::MAX } => "write a whole number, 0 or above".to_owned(),
            Self::Count { least: 1, most: u64::MAX } => "write a number above 0".to_owned(),
            Self::Count { least, most: u64::MAX } => format!("write a whole number, {least} or above"),
            Self::Count { least, most } => format!("write a whole number, {least} to {most}"),
            Self::Span => InvalidSpan.to_string(),
            Self::Fraction => "write a fraction above 0 and at most 1, for example 0.95".to_owned(),
            Self::Dollars => "write an amount of US dollars above 0, for example \"5 USD\"".to_owned(),
            Self::Threshold => {
                "write a threshold, for example \"95%effective\", \"90%window\", 80000 or \"off\"".to_owned()
            }
            Self::Percent => "write per cent of the window, 1 to 100".to_owned(),
            Self::Switch => "write true or false".to_owned(),
            Self::List => "write a list of texts, for example [\"one\", \"two\"]".to_owned(),
            Self::Choices(names) => format!("write a list of some of {}", names.join(", ")),
            Self::Secrets => "write a table of texts, for example { name = \"value\" }".to_owned(),
        }
    }
}

impl Value {
    /// The value, if its key may hold each text of it.
    ///
    /// # Errors
    /// What is wrong with the first text that the key cannot hold, and what would be right.
    pub(crate) fn checked(self, key: &str) -> Result<Self, String> {
        if let Self::List(texts) = &self {
            texts.iter().try_for_each(|text| check_text(key, text))?;
        }
        Ok(self)
    }

    /// The value in the syntax of a file, without what may be secret.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            // An address may hold a password or a key.
            Self::Text(text) if text.contains("://") => format!("{:?}", shown_url(text)),
            Self::Text(text) => format!("{text:?}"),
            Self::Number(number) | Self::Percent(number) => number.to_string(),
            Self::Threshold(Threshold::Tokens(tokens)) => tokens.to_string(),
            Self::Threshold(threshold) => format!("\"{threshold}\""),
            Self::Fraction(number) => number.to_string(),
            Self::Dollars(number) => format!("\"{number} USD\""),
            Self::Switch(switch) => switch.to_string(),
            Self::List(items) => format!("{items:?}"),
            Self::Secrets(secrets) => {
                let names: Vec<String> = secrets.names().map(|name| format!("{name} = …")).collect();
                format!("{{ {} }}", names.join(", "))
            }
        }
    }
}
