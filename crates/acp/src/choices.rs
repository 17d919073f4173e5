//! What a client may choose for a session: its mode and its model.

use agent_client_protocol::v1::schema::{
    SessionConfigOption, SessionConfigOptionCategory, SessionConfigSelectOption, SessionMode,
    SessionModeState,
};
use throughline_permission::Mode;

/// The id of the option for the permission mode.
pub(crate) const MODE: &str = "mode";
/// The id of the option for the model.
pub(crate) const MODEL: &str = "model";

/// The permission modes as session modes.
pub(crate) fn modes(current: Mode) -> SessionModeState {
    let modes = Mode::ALL
        .map(|mode| SessionMode::new(mode.name(), mode.name()).description(mode.meaning().to_owned()));
    SessionModeState::new(current.name(), modes.to_vec())
}

/// The same choice as a configuration option, and that of the model.
pub(crate) fn config_options(mode: Mode, model: &str, models: &[String]) -> Vec<SessionConfigOption> {
    let modes = Mode::ALL.map(|mode| {
        SessionConfigSelectOption::new(mode.name(), mode.name()).description(mode.meaning().to_owned())
    });
    let current = (!models.iter().any(|name| name == model)).then_some(model);
    let models = current.into_iter().chain(models.iter().map(String::as_str));
    let models: Vec<_> =
        models.map(|name| SessionConfigSelectOption::new(name.to_owned(), name.to_owned())).collect();
    vec![
        SessionConfigOption::select(MODE, "Permissions", mode.name(), modes.to_vec())
            .category(SessionConfigOptionCategory::Mode)
            .description("What runs without a question".to_owned()),
        SessionConfigOption::select(MODEL, "Model", model.to_owned(), models)
            .category(SessionConfigOptionCategory::Model)
            .description("The model that answers from here on".to_owned()),
    ]
}
