//! An open session of a client.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agent_client_protocol::Error;
use agent_client_protocol::v1::schema::{
    ConfigOptionUpdate, CurrentModeUpdate, SessionConfigOption, SessionModeState, SessionUpdate,
};
use throughline_config::Config;
use throughline_connect::ModelChoice;
use throughline_conversation::SessionId;
use throughline_permission::{Mode, Permissions};
use throughline_session::{Session, SessionModels};
use throughline_text::{cut_end, nearest_name};
use throughline_tools::CancelFlag;
use tokio::sync::MutexGuard as WorkGuard;

use crate::choices::{config_options, modes};
use crate::failure::{REPEATED, input, missing, of_library, refused};
use crate::link::Link;
use crate::sink::SessionSink;

/// An open session. While it lives, no other process writes to it.
pub(crate) struct LiveSession {
    pub(crate) id: SessionId,
    pub(crate) sink: SessionSink,
    permissions: Arc<Permissions>,
    work: tokio::sync::Mutex<Option<Work>>,
    shown: Mutex<Shown>,
}

/// What works in it. A turn has it for itself.
pub(crate) struct Work {
    pub(crate) run: Session,
    pub(crate) models: SessionModels,
    pub(crate) config: Arc<Config>,
}

/// What the client is shown of it.
pub(crate) struct Shown {
    /// Empty: it has none yet.
    pub(crate) title: String,
    /// The model that answers, as `provider/model`.
    pub(crate) model: String,
    /// The models that may be chosen.
    pub(crate) models: Vec<String>,
}

impl LiveSession {
    pub(crate) fn new(sink: SessionSink, work: Work, title: String) -> Self {
        let model = model_name(&work.run);
        Self {
            id: work.run.agent.session().clone(),
            sink,
            permissions: Arc::clone(&work.run.permissions),
            work: tokio::sync::Mutex::new(Some(work)),
            shown: Mutex::new(Shown { title, model, models: Vec::new() }),
        }
    }

    pub(crate) fn link(&self) -> &Link {
        &self.sink.link
    }

    /// Begins a turn, or something else that needs the session for itself.
    ///
    /// # Errors
    /// A turn runs already.
    pub(crate) fn begin(self: &Arc<Self>) -> Result<Turn, Error> {
        let cancel = self.link().begin().ok_or_else(|| {
            refused(format!("session {} runs a turn; wait for its end, or send session/cancel", self.id))
        })?;
        Ok(Turn { session: Arc::clone(self), cancel })
    }

    /// The mode in which it works.
    pub(crate) fn mode(&self) -> Mode {
        self.permissions.mode()
    }

    /// Works in a mode from the start.
    pub(crate) fn continue_in(&self, mode: Mode) {
        self.permissions.set_mode(mode);
    }

    /// The session modes.
    pub(crate) fn modes(&self) -> SessionModeState {
        modes(self.permissions.mode())
    }

    /// The choices of the client with their values.
    pub(crate) fn options(&self) -> Vec<SessionConfigOption> {
        let shown = self.shown();
        config_options(self.permissions.mode(), &shown.model, &shown.models)
    }

    /// Fails if a model is not one of those that are offered.
    pub(crate) fn check_model(&self, name: &str) -> Result<(), Error> {
        let shown = self.shown();
        if shown.model == name || shown.models.iter().any(|model| model == name) {
            return Ok(());
        }
        let name = cut_end(name, REPEATED);
        let near = nearest_name(name, shown.models.iter().map(String::as_str));
        let near = near.map_or(String::new(), |near| format!("; {near} is near"));
        Err(input(format!("there is no model {name:?} among the options{near}")))
    }

    /// Switches to another permission mode. It applies from the next call on, also in a turn that runs.
    pub(crate) fn set_mode(&self, name: &str) -> Result<(), Error> {
        let mode = Mode::named(name).ok_or_else(|| {
            let names = Mode::ALL.map(Mode::name).join(", ");
            input(format!("there is no mode {:?}; there are: {names}", cut_end(name, REPEATED)))
        })?;
        self.permissions.set_mode(mode);
        Ok(())
    }

    /// Tells the client the mode, which it has two ways to show.
    pub(crate) fn send_mode(&self) {
        let mode = self.permissions.mode().name();
        self.link().update(SessionUpdate::CurrentModeUpdate(CurrentModeUpdate::new(mode)));
    }

    /// Tells the client its choices.
    pub(crate) fn send_options(&self) {
        self.link().update(SessionUpdate::ConfigOptionUpdate(ConfigOptionUpdate::new(self.options())));
    }

    /// How its model is reached; `None`: the session is closed.
    pub(crate) async fn model_choice(&self) -> Option<ModelChoice> {
        let work = self.work.lock().await;
        work.as_ref().map(|work| work.models.choice().completed(&work.config))
    }

    /// Its settings; `None`: it is closed.
    pub(crate) async fn config(&self) -> Option<Arc<Config>> {
        self.work.lock().await.as_ref().map(|work| Arc::clone(&work.config))
    }

    /// Tells the client how full the window is.
    pub(crate) async fn send_window(&self) {
        if let Some(work) = self.work.lock().await.as_ref() {
            self.send_figures(&work.run);
        }
    }

    /// Offers these models.
    pub(crate) fn offer(&self, models: &[String]) {
        self.shown().models = models.to_vec();
        self.send_options();
    }

    /// Closes the session: the turn that runs is cancelled and recorded. A new session without a message is removed.
    ///
    /// # Errors
    /// It cannot be removed.
    pub(crate) async fn close(&self) -> Result<(), Error> {
        self.link().cancel();
        let Some(Work { run, .. }) = self.work.lock().await.take() else { return Ok(()) };
        run.close_with(&self.sink).await.map(drop).map_err(|error| of_library(&error))
    }

    pub(crate) fn shown(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A turn of a session. Dropping it ends the turn for the client.
pub(crate) struct Turn {
    pub(crate) session: Arc<LiveSession>,
    pub(crate) cancel: CancelFlag,
}

impl Turn {
    /// What works in the session.
    ///
    /// # Errors
    /// The session was closed.
    pub(crate) async fn work(&self) -> Result<WorkGuard<'_, Option<Work>>, Error> {
        let work = self.session.work.lock().await;
        if work.is_none() {
            let id = self.session.id.as_str();
            return Err(missing(id, format!("session {id} is closed; session/load opens it")));
        }
        Ok(work)
    }

    /// Switches to another model.
    ///
    /// # Errors
    /// It cannot be asked, or the session cannot be made to fit its window. Then the model stays.
    pub(crate) async fn set_model(&self, name: &str) -> Result<(), Error> {
        let mut work = self.work().await?;
        let Some(Work { run, models, config }) = work.as_mut() else { return Ok(()) };
        let switched = run.switch_model(name, models, config, &self.session.sink, &self.cancel).await;
        self.session.shown().model = model_name(run);
        self.session.send_figures(run);
        switched.map_err(|error| of_library(&error))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.session.sink.fail_calls(self.session.link().end());
    }
}

impl LiveSession {
    /// Tells the client how full the window is, and another model if one answers now.
    pub(crate) fn send_figures(&self, run: &Session) {
        let figures = run.agent.budget().window_figures();
        self.sink.send_usage(figures.used.total(), figures.total);
        let model = model_name(run);
        if self.shown().model != model {
            self.shown().model = model;
            self.send_options();
        }
    }
}

/// The model that answers, as `provider/model`.
fn model_name(run: &Session) -> String {
    let info = run.agent.model();
    format!("{}/{}", info.provider, info.name)
}
