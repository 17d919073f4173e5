//! An answer through a whole turn of the binary, and the request after it.

use serde_json::Value;
use throughline_conversation::Usage;
use throughline_testserver::{Answer, Script};

use crate::decoded::differences;
use crate::exchange::{Exchange, Kind};
use crate::facts::Facts;
use crate::place::{Place, serve};
use crate::ran::{Ran, run};
use crate::{document, stream};

/// What every answer but the recorded one reports.
const LATER: Usage = Usage { input: 1, cache_read: 0, cache_write: 0, output: 1, searches: 0 };

/// What became of an answer.
#[derive(Debug)]
pub(crate) struct Turn {
    /// What the answer holds; `None` if it is no answer.
    sent: Option<Facts>,
    /// What the provider says in an error.
    fault: Option<String>,
    ran: Ran,
    /// The result that the binary printed.
    printed: Value,
    /// Rules that the next request breaks, by our own validators.
    faults: Vec<String>,
    /// The body of the next request.
    pub(crate) next: Option<Value>,
}

impl Turn {
    /// Runs a turn that gets this answer, and another one behind it.
    pub(crate) fn of(exchange: &Exchange) -> Self {
        let kind = exchange.kind;
        let streamed = exchange.body.as_ref().map(|body| document::of(kind, body));
        let document = streamed.unwrap_or_else(|| exchange.document.clone());
        let sent = document.as_ref().and_then(|document| Facts::of(kind, document));
        let answer = match (&exchange.document, &exchange.body) {
            (Some(document), _) if exchange.status >= 400 || sent.is_none() => {
                Answer::status(exchange.status, document.clone())
            }
            (Some(document), _) => Answer::raw("text/event-stream", stream::of(kind, document).into_bytes()),
            (None, body) => {
                let body = body.clone().unwrap_or_default();
                let is_stream = body.lines().any(|line| line.starts_with("data:"));
                Answer::raw(if is_stream { "text/event-stream" } else { "text/plain" }, body.into_bytes())
            }
        };
        let fault = document.and_then(|document| document["error"]["message"].as_str().map(str::to_owned));
        let script =
            Script::new().then(answer).then(Answer::text("Then.").usage(LATER)).repeat_last().lenient();
        let (place, server) = (Place::new(), serve(script));
        let ask = |prompt: &[&str]| {
            let provider = match (kind, exchange.host.as_str()) {
                (Kind::Anthropic, _) => "anthropic",
                (Kind::Responses, "api.openai.com") => "openai",
                (Kind::Gemini, _) => "gemini",
                _ => "compatible",
            };
            let api: &[&str] = match kind {
                Kind::Anthropic | Kind::Gemini => &[],
                Kind::Chat => &["--api", "chat"],
                Kind::Responses => &["--api", "responses"],
            };
            let args = [api, &["-o", "json", "--mode", "plan"], prompt].concat();
            let mut command = place.asks(&server, (provider, &exchange.model), &args);
            run(command.env("THROUGHLINE_MODEL_RETRIES", "1"))
        };
        let ran = ask(&["Go."]);
        let printed = ran.out.lines().last().and_then(|line| serde_json::from_str(line).ok());
        if server.prompted().len() < 2 {
            ask(&["-c", "Next."]);
        }
        let next = server.prompted().get(1).cloned();
        let faults = next.as_ref().map(|next| next.faults.clone()).unwrap_or_default();
        let printed = printed.unwrap_or(Value::Null);
        Self { sent, fault, ran, printed, faults, next: next.map(|next| next.body) }
    }

    /// How what the user sees, and what goes back to the model, differ from what was sent.
    pub(crate) fn deviations(&self, exchange: &Exchange) -> Vec<String> {
        let shown = format!("{} {}", self.printed["error"], self.ran.err);
        if let Some(fault) = &self.fault {
            let words: String = fault.chars().take(60).collect();
            let passed = self.printed["outcome"] == "done";
            return if passed || shown.replace("\\\"", "\"").contains(&words) {
                Vec::new()
            } else {
                vec![format!("the error is not shown: {fault}; shown: {shown}")]
            };
        }
        let Some(sent) = &self.sent else {
            let silent = self.printed["error"].is_null() && self.ran.err.is_empty();
            let found =
                if silent { "no answer, and nothing is shown" } else { "no answer: an error is shown" };
            return vec![found.to_owned()];
        };
        let mut found: Vec<String> =
            self.faults.iter().map(|fault| format!("next request: {fault}")).collect();
        let outcome = match sent {
            Facts { refused: true, .. } => "refused",
            Facts { cut: true, .. } => "cut_off",
            _ => "done",
        };
        if self.printed["outcome"] != outcome {
            found.push(format!("ended as {}: {shown}", self.printed["outcome"]));
        }
        found.extend(self.shown(sent));
        let Some(next) = &self.next else {
            found.push("no next request".to_owned());
            return found;
        };
        let back = Facts::sent_back(exchange.kind, next);
        // Neither is a part of a request.
        let sent = &sent.returnable();
        let back = Facts { refused: sent.refused, cut: sent.cut, usage: sent.usage, ..back };
        let differences = differences(sent, &back, "sent back");
        let alone = sent.text.trim().is_empty() && sent.calls.is_empty() && sent.items.is_empty();
        if alone && !differences.is_empty() {
            found.push("reasoning alone: it does not go back".to_owned());
            return found;
        }
        found.extend(match sent.refused && !differences.is_empty() {
            true => vec!["refused turn: it does not go back".to_owned()],
            false => differences,
        });
        found
    }

    /// How what is printed differs from what was sent.
    fn shown(&self, sent: &Facts) -> Option<String> {
        let text = self.printed["text"].as_str().unwrap_or_default();
        if self.printed["requests"] == 1 && text.trim() != sent.text.trim() && !sent.text.trim().is_empty() {
            return Some(format!("shown: sent {:?}, printed {text:?}", sent.text));
        }
        if text.trim().is_empty() && !sent.items.is_empty() {
            return Some("shown: nothing of an answer of items alone".to_owned());
        }
        let later = self.printed["requests"].as_u64().unwrap_or(1).saturating_sub(1);
        let usage = sent.usage?;
        let all = Usage { input: usage.input + later, output: usage.output + later, ..usage };
        let printed: Usage = serde_json::from_value(self.printed["usage"].clone()).unwrap_or_default();
        (printed != all).then(|| format!("usage: sent {all:?}, printed {printed:?}"))
    }
}
