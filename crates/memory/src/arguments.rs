//! Reading the arguments of the memory's tools. Models write a list as a text and a number as digits now and then.

use serde_json::Value;

use crate::error::MemoryError;

/// The arguments of one call.
pub(crate) struct ToolArguments<'a> {
    tool: &'static str,
    input: &'a Value,
}

impl<'a> ToolArguments<'a> {
    /// Wraps the input of a call of this tool. Unknown names are rejected: the model meant
    /// something that would not happen.
    pub(crate) fn of(tool: &'static str, input: &'a Value, known: &[&str]) -> Result<Self, MemoryError> {
        let arguments = Self { tool, input };
        let Some(fields) = input.as_object() else {
            return Err(arguments.wrong("they must be an object".to_owned()));
        };
        match fields.keys().find(|name| !known.contains(&name.as_str())) {
            None => Ok(arguments),
            Some(name) => {
                let known = known.join(", ");
                Err(arguments.wrong(format!("there is no argument {name:?}; there are {known}")))
            }
        }
    }

    /// A text that may be left out. White space alone counts as left out.
    pub(crate) fn text(&self, name: &str) -> Result<Option<&'a str>, MemoryError> {
        match self.input.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.trim()).filter(|text| !text.is_empty())),
            Some(_) => Err(self.wrong(format!("{name:?} must be a string"))),
        }
    }

    /// A text that must be there.
    pub(crate) fn required(&self, name: &str) -> Result<&'a str, MemoryError> {
        self.text(name)?.ok_or_else(|| self.wrong(format!("{name:?} must be a string that says something")))
    }

    /// A list of texts; one text is cut at commas.
    pub(crate) fn list(&self, name: &str) -> Result<Vec<&'a str>, MemoryError> {
        let wrong = || self.wrong(format!("{name:?} must be a list of strings"));
        match self.input.get(name) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::String(text)) => {
                Ok(text.split(',').map(str::trim).filter(|one| !one.is_empty()).collect())
            }
            Some(Value::Array(values)) => {
                values.iter().map(|value| value.as_str().ok_or_else(wrong)).collect()
            }
            Some(_) => Err(wrong()),
        }
    }

    /// A whole number from 1 to `most`; a higher one counts as that.
    pub(crate) fn count(&self, name: &str, default: usize, most: usize) -> Result<usize, MemoryError> {
        let number = match self.input.get(name) {
            None | Some(Value::Null) => return Ok(default),
            Some(Value::String(text)) => text.trim().parse().ok(),
            Some(value) => value.as_u64(),
        };
        match number {
            Some(number @ 1..) => Ok(usize::try_from(number).unwrap_or(most).min(most)),
            _ => Err(self.wrong(format!("{name:?} must be a whole number, 1 or more"))),
        }
    }

    fn wrong(&self, problem: String) -> MemoryError {
        MemoryError::Input { tool: self.tool, problem }
    }
}
