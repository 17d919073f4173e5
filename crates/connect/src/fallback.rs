//! The fallbacks of a model: used instead of it at the start, or after it in a session.

use throughline_agent::NextModel;

use crate::choice::{ModelChoice, Provider};
use crate::connect::{ConnectedModel, unknown_prefix};
use crate::discovery::provider_prefix;
use crate::error::ConnectError;
use throughline_config::SessionSettings;

impl ConnectedModel {
    /// Connects to a model, or to the first of its fallbacks that is available if the model is not. The text says which
    /// one answers instead.
    ///
    /// # Errors
    /// The error of the model itself.
    pub async fn first(
        own: &ModelChoice,
        fallbacks: &[String],
    ) -> Result<(Self, Option<String>), ConnectError> {
        let error = match Self::connect(own).await {
            Ok(connected) => return Ok((connected, None)),
            Err(error) if error.allows_fallback() => error,
            Err(error) => return Err(error),
        };
        for name in fallbacks {
            // The caller is notified of those that cannot be reached with the fallbacks of the session.
            if let Ok(connected) = Self::connect(&fallback_choice(own, name)).await {
                let info = &connected.row.info;
                let note = format!("{}; {}/{} answers instead", error.text(), info.provider, info.name);
                return Ok((connected, Some(note)));
            }
        }
        Err(error)
    }

    /// Fails if one of these fallbacks of a model names no provider. Servers of the user's own have slashes in their names.
    ///
    /// # Errors
    /// [`ConnectError::Usage`].
    pub fn check_fallbacks(own: &ModelChoice, fallbacks: &[String]) -> Result<(), ConnectError> {
        let has_own_names = matches!(own.named_provider(), Some(Provider::Compatible | Provider::Ollama));
        let is_unknown = |name: &&String| !has_own_names && provider_prefix(name).is_none();
        let unknown = fallbacks.iter().filter(is_unknown).find_map(|name| unknown_prefix(name));
        unknown.map_or(Ok(()), |why| Err(ConnectError::Usage(format!("a fallback cannot be used: {why}"))))
    }

    /// Connects to the fallbacks of this model, concurrently. Those that cannot be reached are left out; the texts say so.
    pub async fn fallbacks(
        &self,
        own: &ModelChoice,
        fallbacks: &[String],
        settings: &SessionSettings,
        max_output_tokens: Option<u64>,
    ) -> (Vec<NextModel>, Vec<String>) {
        let connecting = |name: String| {
            let choice = fallback_choice(own, &name);
            (name, tokio::spawn(async move { Self::connect(&choice).await }))
        };
        let connecting: Vec<_> = fallbacks.iter().cloned().map(connecting).collect();
        let (mut all, mut notes) = (Vec::new(), Vec::new());
        for (name, connecting) in connecting {
            let why = match connecting.await {
                // It may already answer instead of the first one.
                Ok(Ok(next)) if next.row.info == self.row.info => continue,
                Ok(Ok(next)) => {
                    all.push(next.next(settings, max_output_tokens));
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

/// The choice of a fallback. Address, key, headers and window belong to the provider that they were given for, so that no
/// key goes to a server by mistake: another model of the same provider gets them too.
#[must_use]
pub fn fallback_choice(first: &ModelChoice, name: &str) -> ModelChoice {
    let (own, wanted) = (first.named_provider(), provider_prefix(name));
    let model = Some(name.to_owned());
    if wanted.is_some() && wanted != own {
        return ModelChoice { model, ..first.for_any_provider() };
    }
    // An address that is named alone is sent no key of the environment; so it stays alone.
    let provider = first.provider.or(own.filter(|provider| *provider != Provider::Compatible));
    ModelChoice { model, provider, ..first.clone() }
}

#[cfg(test)]
mod tests;
