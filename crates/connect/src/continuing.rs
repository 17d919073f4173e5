//! A session keeps its model when it is continued.

use throughline_conversation::Origin;

use crate::choice::ModelChoice;
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
        recorded: Option<&Origin>,
        fallbacks: &[String],
    ) -> Result<(Self, Vec<String>), ConnectError> {
        let Some(recorded) = recorded else {
            let (connected, instead) = Self::first(own, fallbacks).await?;
            return Ok((connected, instead.into_iter().collect()));
        };
        if named.names_another(recorded) {
            let (connected, instead) = Self::first(own, fallbacks).await?;
            let switched = connected.switched_from(recorded);
            return Ok((connected, instead.into_iter().chain(switched).collect()));
        }
        let why = match Self::connect(&own.with_model(&recorded.to_string())).await {
            Ok(connected) => return Ok((connected, Vec::new())),
            Err(error) => error.text(),
        };
        let (connected, _) = Self::first(own, fallbacks).await?;
        let info = &connected.row.info;
        let note = format!(
            "The model of this session, {recorded}, is not available ({why}); {}/{} answers instead.",
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
