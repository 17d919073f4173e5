//! What the `OTEL_*` variables ask for.

use std::time::Duration;

use url::Url;

/// Time for one request to the collector, unless a variable says otherwise.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Why telemetry is off although a variable asks for it. Never holds an address or a header.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TelemetryError {
    /// Another exporter than OTLP.
    #[error("{variable} is {value:?}; write otlp, or none to send nothing")]
    Exporter {
        /// The variable.
        variable: String,
        /// Its value.
        value: String,
    },
    /// Another protocol than protobuf over HTTP.
    #[error(
        "{variable} is {value:?}, and only http/protobuf is supported; the HTTP port of a collector is usually 4318"
    )]
    Protocol {
        /// The variable.
        variable: String,
        /// Its value.
        value: String,
    },
    /// An address that cannot be used.
    #[error("{variable} holds no address; write it as `http://host:4318` or `https://host`")]
    Endpoint {
        /// The variable.
        variable: String,
    },
    /// A time that cannot be read.
    #[error("{variable} is {value:?}; write milliseconds as a number")]
    Timeout {
        /// The variable.
        variable: String,
        /// Its value.
        value: String,
    },
    /// The exporter cannot be built.
    #[error("the exporter of {signal} cannot be built: {why}")]
    Build {
        /// `traces` or `metrics`.
        signal: &'static str,
        /// Why.
        why: String,
    },
}

/// What is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// The time for one request with spans; `None`: none are sent.
    pub(crate) traces: Option<Duration>,
    /// The time for one request with metrics; `None`: none are sent.
    pub(crate) metrics: Option<Duration>,
    /// Spans have the texts of users, models and tools.
    pub(crate) content: bool,
}

impl Wanted {
    /// What these variables ask for; `None`: nothing.
    pub(crate) fn of(variable: &dyn Fn(&str) -> Option<String>) -> Result<Option<Self>, TelemetryError> {
        let variables = Variables(variable);
        if variables.is_true("OTEL_SDK_DISABLED") {
            return Ok(None);
        }
        let (traces, metrics) = (variables.signal("TRACES")?, variables.signal("METRICS")?);
        if traces.is_none() && metrics.is_none() {
            return Ok(None);
        }
        Ok(Some(Self { traces, metrics, content: variables.content() }))
    }
}

/// Reads variables. An empty one counts as not set.
struct Variables<'a>(&'a dyn Fn(&str) -> Option<String>);

impl Variables<'_> {
    fn get(&self, name: &str) -> Option<String> {
        (self.0)(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
    }

    fn is_true(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| value.eq_ignore_ascii_case("true"))
    }

    /// `true`, or one of the words that name spans.
    fn content(&self) -> bool {
        let value = self.get("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT").unwrap_or_default();
        ["true", "span_only", "span_and_event"].iter().any(|word| value.eq_ignore_ascii_case(word))
    }

    /// The variable of one signal that is set, else the one of all signals.
    fn otlp(&self, signal: &str, what: &str) -> Option<(String, String)> {
        let own = format!("OTEL_EXPORTER_OTLP_{signal}_{what}");
        let all = format!("OTEL_EXPORTER_OTLP_{what}");
        [own, all].into_iter().find_map(|name| self.get(&name).map(|value| (name, value)))
    }

    /// The time for one request of a signal that is sent.
    fn signal(&self, signal: &str) -> Result<Option<Duration>, TelemetryError> {
        let endpoint = self.otlp(signal, "ENDPOINT");
        let variable = format!("OTEL_{signal}_EXPORTER");
        let is_wanted = match self.get(&variable).as_deref() {
            None => endpoint.is_some(),
            Some("otlp") => true,
            Some("none") => false,
            Some(value) => return Err(TelemetryError::Exporter { variable, value: value.to_owned() }),
        };
        if !is_wanted {
            return Ok(None);
        }
        if let Some((variable, value)) = self.otlp(signal, "PROTOCOL")
            && value != "http/protobuf"
        {
            return Err(TelemetryError::Protocol { variable, value });
        }
        if let Some((variable, value)) = endpoint
            && !is_address(&value)
        {
            return Err(TelemetryError::Endpoint { variable });
        }
        let Some((variable, value)) = self.otlp(signal, "TIMEOUT") else { return Ok(Some(TIMEOUT)) };
        match value.parse() {
            Ok(ms) => Ok(Some(Duration::from_millis(ms))),
            Err(_) => Err(TelemetryError::Timeout { variable, value }),
        }
    }
}

fn is_address(value: &str) -> bool {
    Url::parse(value).is_ok_and(|url| ["http", "https"].contains(&url.scheme()) && url.has_host())
}

#[cfg(test)]
mod tests;
