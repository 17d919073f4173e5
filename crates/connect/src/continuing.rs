//! A session keeps its model when it is continued.

use throughline_conversation::{ModelRecord, Origin};
use throughline_text::{shell_option, shell_word};

use crate::choice::{Api, ModelChoice, Provider};
use crate::connect::ConnectedModel;
use crate::error::ConnectError;
use crate::fallback::fallback_choice;

impl ModelChoice {
    /// The same server with another model, as `provider/model` or as the provider names it. Address, key, headers and window
    /// are used only for the provider that they were given for.
    #[must_use]
    pub fn with_model(&self, name: &str) -> Self {
        if self.named_provider().is_some() {
            return fallback_choice(self, name);
        }
        Self { model: Some(name.to_owned()), ..self.clone() }
    }

    /// Returns true if it names a model, or a provider other than that of the recorded model: a session keeps its model when
    /// only the way to its provider is named.
    #[must_use]
    pub fn names_another(&self, recorded: &Origin) -> bool {
        let other = self.named_provider().is_some_and(|provider| provider.name() != recorded.provider);
        self.model.is_some() || other
    }

    /// The options of a command line that reaches the same server, each with a leading space; empty if none is named, or if the model
    /// of the session is another provider's. Headers are left out: they can be secrets.
    #[must_use]
    pub fn server_options(&self, session: &Origin) -> String {
        if self.named_provider().is_none_or(|provider| provider.name() != session.provider) {
            return String::new();
        }
        let option = |name: &str, value: Option<&str>| {
            value.map_or_else(String::new, |value| format!(" {name} {}", shell_word(value)))
        };
        option("--provider", self.provider.map(Provider::name))
            + &option("--base-url", self.base_url.as_deref())
            + &option("--api", self.api.map(Api::name))
            + &shell_option("--key-file", self.key_file.as_deref())
    }

    /// The same with the thinking that a continued session was recorded with, unless `named` says how much or the session did not.
    #[must_use]
    pub fn thinking_as(self, named: &Self, recorded: &ModelRecord) -> Self {
        Self { thinking: named.thinking.or(recorded.thinking).or(self.thinking), ..self }
    }
}

impl ConnectedModel {
    /// Connects to the model of a continued session: the one that answered in it last, unless `named` names another. `own` is
    /// `named`, completed by the settings. The texts say what the user should know.
    ///
    /// # Errors
    /// As for [`ConnectedModel::first`].
    pub async fn of_session(
        own: &ModelChoice,
        named: &ModelChoice,
        recorded: Option<&ModelRecord>,
        fallbacks: &[String],
    ) -> Result<(Self, Vec<String>), ConnectError> {
        let Some(recorded) = recorded else {
            let (connected, instead) = Self::first(own, fallbacks).await?;
            return Ok((connected, instead.into_iter().collect()));
        };
        let origin = recorded.origin.as_ref();
        if named.names_another(origin) {
            let (mut connected, instead) = Self::first(own, fallbacks).await?;
            let same = own.clone().thinking_as(named, recorded);
            if connected.row.info.origin() == *origin && same != *own {
                // The same model, named once more.
                connected = Self::connect(&same).await?;
            }
            let switched = connected.switched_from(origin);
            return Ok((connected, instead.into_iter().chain(switched).collect()));
        }
        let continued = own.with_model(&origin.to_string()).thinking_as(named, recorded);
        let why = match Self::connect(&continued).await {
            Ok(connected) => return Ok((connected, Vec::new())),
            Err(error) => error.text(),
        };
        let (connected, _) = Self::first(own, fallbacks).await?;
        let info = &connected.row.info;
        let note = format!(
            "The model of this session, {origin}, is not available ({why}); {}/{} answers instead.",
            info.provider, info.name
        );
        Ok((connected, vec![note]))
    }

    fn switched_from(&self, recorded: &Origin) -> Option<String> {
        let info = &self.row.info;
        let own = Origin::new(&info.provider, &info.name);
        (own != *recorded)
            .then(|| format!("The model of this session was {recorded}; from now on it is {own}."))
    }
}

#[cfg(test)]
mod tests;
