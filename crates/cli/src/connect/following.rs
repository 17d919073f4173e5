//! The models that go on when the first one cannot, and those that stand in for it.

use throughline_agent::NextModel;

use super::found::{named, prefix};
use super::{ConnectError, Connected};
use crate::config::{Choice, Config};
use crate::run::args::{ModelArgs, Provider};
use crate::session::args::SessionArgs;

impl Connected {
    /// Connects to the model that is asked first. Where it is not there, the first of the fallbacks that is stands in for
    /// it; the text says so.
    pub(crate) async fn first(
        config: &Config,
        args: &SessionArgs,
    ) -> Result<(Self, Option<String>), ConnectError> {
        let own = config.model(&args.model);
        let error = match Self::to(&own).await {
            Ok(connected) => return Ok((connected, None)),
            Err(error) if error.another_may_answer() => error,
            Err(error) => return Err(error),
        };
        for name in config.fallback(&args.fallback) {
            // Those that cannot be reached either are told with the fallbacks.
            if let Ok(connected) = Self::to(&following(&own, &name)).await {
                let info = &connected.row.info;
                let note = format!("{}; {}/{} answers instead", error.text(), info.provider, info.name);
                return Ok((connected, Some(note)));
            }
        }
        Err(error)
    }

    /// Connects to the models that go on when this one cannot answer, side by side. Those that cannot be reached are left
    /// out; the texts say so.
    pub(crate) async fn fallbacks(
        &self,
        config: &Config,
        args: &SessionArgs,
        choice: &Choice,
    ) -> (Vec<NextModel>, Vec<String>) {
        let own = config.model(&args.model);
        let connecting = |name: String| {
            let args = following(&own, &name);
            (name, tokio::spawn(async move { Self::to(&args).await }))
        };
        let connecting: Vec<_> = config.fallback(&args.fallback).into_iter().map(connecting).collect();
        let (mut all, mut notes) = (Vec::new(), Vec::new());
        for (name, connecting) in connecting {
            let why = match connecting.await {
                // It may stand in for the first one already.
                Ok(Ok(next)) if next.row.info == self.row.info => continue,
                Ok(Ok(next)) => {
                    all.push(next.next(choice, args.max_tokens));
                    continue;
                }
                Ok(Err(error)) => error.text(),
                Err(error) => error.to_string(),
            };
            notes.push(format!("the fallback {name} is left out: {why}"));
        }
        (all, notes)
    }
}

/// The arguments of a model that follows another one. Address, key, headers and window belong to the provider that
/// they were given for, so that no key goes to a server by mistake: another model of the same one gets them too.
pub(crate) fn following(first: &ModelArgs, name: &str) -> ModelArgs {
    let (own, wanted) = (named(first), prefix(name));
    let model = Some(name.to_owned());
    if wanted.is_some() && wanted != own {
        return ModelArgs { model, timeout: first.timeout, ..ModelArgs::default() };
    }
    // An address that was named alone is sent no key of the environment; so it stays alone.
    let provider = first.provider.or(own.filter(|provider| *provider != Provider::Compatible));
    ModelArgs { model, provider, ..first.clone() }
}

#[cfg(test)]
mod tests;
