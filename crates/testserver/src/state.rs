//! What all connections share: the rest of the script, and the requests so far.

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use throughline_conversation::Usage;

use crate::http::Head;
use crate::prompt_cache::PromptCache;
use crate::script::Model;
use crate::wire::Protocol;
use crate::{Answer, Demand, Received, Script};

#[derive(Debug)]
pub(crate) struct State {
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    script: Script,
    received: Vec<Received>,
    numbers: u64,
    cache: Option<PromptCache>,
}

/// What the script asks of every request.
#[derive(Debug, Clone)]
pub(crate) struct Terms {
    pub(crate) key: Option<String>,
    pub(crate) models: Vec<Model>,
    pub(crate) lenient: bool,
    pub(crate) cuts_at: Option<u64>,
    pub(crate) demands: Vec<Demand>,
}

impl Terms {
    /// Returns true if there is such a model: any, when the script names none.
    pub(crate) fn knows(&self, protocol: Protocol, name: &str) -> bool {
        self.models.is_empty() || self.models.iter().any(|model| model.is(protocol, name))
    }
}

impl State {
    pub(crate) fn new(script: Script) -> Self {
        let cache = script.caches_from.map(PromptCache::new);
        Self { inner: Mutex::new(Inner { script, received: Vec::new(), numbers: 0, cache }) }
    }

    /// A panic of a thread that held the lock leaves the values whole: each change is one step.
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn terms(&self) -> Terms {
        let script = &self.inner().script;
        Terms {
            key: script.key.clone(),
            models: script.models.clone(),
            lenient: script.lenient,
            cuts_at: script.cuts_at,
            demands: script.demands.clone(),
        }
    }

    pub(crate) fn push(&self, answer: Answer) {
        self.inner().script.answers.push_back(answer);
    }

    /// The next answer to a body; `None` at the end of the script.
    pub(crate) fn next(&self, body: &Value) -> Option<Answer> {
        // The lock is not held meanwhile: it is a function of a test.
        let unscripted = self.inner().script.unscripted.clone();
        if let Some(answer) = unscripted.and_then(|unscripted| unscripted.answer(body)) {
            return Some(answer);
        }
        let script = &mut self.inner().script;
        if script.repeat_last && script.answers.len() == 1 {
            return script.answers.front().cloned();
        }
        script.answers.pop_front()
    }

    /// Reads and stores prefixes of a prompt; `None`: nothing is cached.
    pub(crate) fn cached(&self, protocol: Protocol, body: &Value) -> Option<Usage> {
        self.inner().cache.as_mut()?.serve(protocol, body)
    }

    /// Tokens of a prompt, counted like its cached part; `None`: nothing is cached.
    pub(crate) fn counted(&self, protocol: Protocol, body: &Value) -> Option<u64> {
        self.inner().cache.as_ref().and_then(|_| PromptCache::count(protocol, body))
    }

    /// Time passes for the cache.
    pub(crate) fn advance(&self, millis: u64) {
        if let Some(cache) = &mut self.inner().cache {
            cache.advance(millis);
        }
    }

    /// A number for the ids of a reply, counted from 1.
    pub(crate) fn number(&self) -> u64 {
        let mut inner = self.inner();
        inner.numbers += 1;
        inner.numbers
    }

    /// Notes a request; its place in the list.
    pub(crate) fn note(&self, head: &Head, number: u64, body: Value, faults: Vec<String>) -> usize {
        let mut inner = self.inner();
        inner.received.push(Received {
            method: head.method.clone(),
            path: head.path.clone(),
            query: head.query.clone(),
            headers: head.headers.clone(),
            body,
            hung_up: false,
            number,
            faults,
        });
        inner.received.len() - 1
    }

    /// The body of the request with this number.
    pub(crate) fn body_of(&self, number: u64) -> Option<Value> {
        let inner = self.inner();
        inner.received.iter().find(|one| one.number == number).map(|one| one.body.clone())
    }

    pub(crate) fn hung_up(&self, index: usize) {
        if let Some(received) = self.inner().received.get_mut(index) {
            received.hung_up = true;
        }
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.inner().received.clone()
    }
}
