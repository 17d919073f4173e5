//! Parsing and printing thresholds, as text and in configuration files.

use std::fmt;
use std::str::FromStr;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::threshold::Threshold;

/// A text that does not parse as a threshold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ThresholdError {
    /// It has none of the known forms.
    #[error(
        "invalid threshold {0:?}: expected one of \"95%effective\", \"90%window\", \"200000\" (tokens used), \"-20000\" (tokens left), \"off\""
    )]
    Form(String),
    /// A percentage without the window that it refers to.
    #[error(
        "threshold {0:?} does not say of what: write \"{0}effective\" (window minus reserved output) or \"{0}window\""
    )]
    OfWhat(String),
    /// The percentage is out of range.
    #[error("threshold {0:?}: a percentage must be above 0 and at most 100")]
    Percentage(String),
    /// It would always be reached.
    #[error("threshold {0:?} would always be reached; write \"off\" to switch it off")]
    Zero(String),
}

impl FromStr for Threshold {
    type Err = ThresholdError;

    fn from_str(text: &str) -> Result<Self, ThresholdError> {
        let text = text.trim();
        let form = || ThresholdError::Form(text.to_owned());
        if text == "off" {
            return Ok(Self::Off);
        }
        if let Some((number, of)) = text.split_once('%') {
            // The float parser also accepts "inf", "NaN" and exponents, which are mistakes here.
            if !number.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
                return Err(form());
            }
            let percent: f64 = number.parse().map_err(|_| form())?;
            let threshold = match of.trim() {
                "effective" | "" => Self::PercentEffective(percent),
                "window" => Self::PercentWindow(percent),
                _ => return Err(form()),
            };
            if !threshold.has_valid_percentage() {
                return Err(ThresholdError::Percentage(text.to_owned()));
            }
            return if of.trim().is_empty() {
                Err(ThresholdError::OfWhat(text.to_owned()))
            } else {
                Ok(threshold)
            };
        }
        let (digits, left) = text.strip_prefix('-').map_or((text, false), |digits| (digits, true));
        if !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(form());
        }
        match (digits.parse().map_err(|_| form())?, left) {
            (tokens, true) => Ok(Self::Remaining(tokens)),
            (0, false) => Err(ThresholdError::Zero(text.to_owned())),
            (tokens, false) => Ok(Self::Tokens(tokens)),
        }
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PercentEffective(percent) => write!(f, "{percent}%effective"),
            Self::PercentWindow(percent) => write!(f, "{percent}%window"),
            Self::Tokens(tokens) => write!(f, "{tokens}"),
            Self::Remaining(left) => write!(f, "-{left}"),
            Self::Off => f.write_str("off"),
        }
    }
}

impl Serialize for Threshold {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Tokens(tokens) => serializer.serialize_u64(*tokens),
            other => serializer.collect_str(other),
        }
    }
}

impl<'de> Deserialize<'de> for Threshold {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextOrInteger)
    }
}

struct TextOrInteger;

impl Visitor<'_> for TextOrInteger {
    type Value = Threshold;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a threshold: a number of tokens, or a text such as \"95%effective\" or \"off\"")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Threshold, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_u64<E: Error>(self, tokens: u64) -> Result<Threshold, E> {
        self.visit_str(&tokens.to_string())
    }

    fn visit_i64<E: Error>(self, tokens: i64) -> Result<Threshold, E> {
        self.visit_str(&tokens.to_string())
    }
}
