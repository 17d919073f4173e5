//! What the server does, as data.

mod demand;

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;

pub use demand::Demand;

use crate::Answer;
use crate::wire::Protocol;

/// The answers of a server, in order, and what it asks of its clients.
///
/// Each request that asks a model for something (`messages`, `chat/completions`, `responses`, `api/chat`) takes the
/// next answer. One that is refused, for its key, its model or its body, takes none.
#[derive(Debug, Clone, Default)]
pub struct Script {
    pub(crate) answers: VecDeque<Answer>,
    pub(crate) repeat_last: bool,
    pub(crate) key: Option<String>,
    pub(crate) models: Vec<Model>,
    pub(crate) lenient: bool,
    pub(crate) cuts_at: Option<u64>,
    pub(crate) demands: Vec<Demand>,
    /// Shortest prefix that is cached, where prompts are cached.
    pub(crate) caches_from: Option<u64>,
    pub(crate) unscripted: Option<Unscripted>,
}

/// What answers some requests in place of the script.
#[derive(Clone)]
pub(crate) struct Unscripted(Arc<Answering>);

type Answering = dyn Fn(&Value) -> Option<Answer> + Send + Sync;

impl Unscripted {
    /// The answer to a body; `None`: the script has it.
    pub(crate) fn answer(&self, body: &Value) -> Option<Answer> {
        (self.0)(body)
    }
}

impl fmt::Debug for Unscripted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Unscripted")
    }
}

/// A model that the server has.
#[derive(Debug, Clone)]
pub(crate) struct Model {
    pub(crate) name: String,
    /// Tokens of its window.
    pub(crate) window: u64,
}

impl Model {
    /// Returns true if this is its name. At Ollama a name without a tag is the tag `latest`.
    pub(crate) fn is(&self, protocol: Protocol, name: &str) -> bool {
        let plain = |name: &str| name.strip_suffix(":latest").unwrap_or(name).to_owned();
        match protocol {
            Protocol::Ollama => plain(&self.name) == plain(name),
            _ => self.name == name,
        }
    }
}

impl Script {
    /// Without an answer.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// One more answer at the end.
    #[must_use]
    pub fn then(mut self, answer: Answer) -> Self {
        self.answers.push_back(answer);
        self
    }

    /// The last answer is given again and again. Without it the end of the script is answered with 500.
    #[must_use]
    pub fn repeat_last(mut self) -> Self {
        self.repeat_last = true;
        self
    }

    /// Clients must show this key: Anthropic's in `x-api-key` or as a bearer, as newer official clients do, Gemini's in
    /// `x-goog-api-key`, OpenAI's and Code Assist's as a bearer. Ollama knows none.
    #[must_use]
    pub fn key(mut self, key: &str) -> Self {
        self.key = Some(key.to_owned());
        self
    }

    /// A model and its window in tokens, for the routes that list models. When one is named, others are not found;
    /// when none is, any will do.
    #[must_use]
    pub fn model(mut self, name: &str, window: u64) -> Self {
        self.models.push(Model { name: name.to_owned(), window });
        self
    }

    /// Bodies that break a rule are answered all the same. What they break is noted.
    #[must_use]
    pub fn lenient(mut self) -> Self {
        self.lenient = true;
        self
    }

    /// Ollama cuts prompts of more tokens than this at their front and says nothing, as the real one does: all that
    /// shows is the reported count, which is then the half of it and 2. The prompt counts as the bytes of its
    /// messages by four.
    #[must_use]
    pub fn cuts_at(mut self, tokens: u64) -> Self {
        self.cuts_at = Some(tokens);
        self
    }

    /// Prompts are cached, and counted usage says what was read and written. Anthropic's prefixes are cached from `min_tokens`
    /// on, OpenAI's from 1,024. Their time is that of [`Server::advance`](crate::Server::advance).
    #[must_use]
    pub fn prompt_cache(mut self, min_tokens: u64) -> Self {
        self.caches_from = Some(min_tokens);
        self
    }

    /// Requests to whose bodies this gives an answer take none of the script: an agent asks for titles and summaries of its own
    /// accord, and how often is its own matter.
    #[must_use]
    pub fn unscripted(mut self, answer: impl Fn(&Value) -> Option<Answer> + Send + Sync + 'static) -> Self {
        self.unscripted = Some(Unscripted(Arc::new(answer)));
        self
    }

    /// Chat Completions refuses a request that does not give this back.
    #[must_use]
    pub fn demands(mut self, demand: Demand) -> Self {
        self.demands.push(demand);
        self
    }
}
