//! `/model`: switches to another model.

use std::sync::Arc;

use anyhow::anyhow;
use throughline_agent::{Event, EventSink, SwitchError};
use throughline_commands::{refusal, with_said_limits};
use throughline_connect::{ConnectedModel, ModelChoice, offered_models, provider_prefix};
use throughline_providers::models::ModelRow;
use throughline_text::group_thousands;
use throughline_tools::CancelFlag;
use throughline_tui::{Picker, PickerRow, Show, TurnState};

use super::driver::{Driver, Flow};
use super::screen::Screen;
use super::turn::{cancellable, run_with_input};

/// Shows what happens in a switch that the user asked for, which is no reason for a warning.
#[derive(Debug)]
struct AskedSwitch<'s>(&'s Screen);

impl EventSink for AskedSwitch<'_> {
    fn emit(&self, event: Event) {
        match event {
            Event::Switched { to, .. } => self.0.notice(format!("{to} answers from now on.")),
            event => self.0.emit(event),
        }
    }
}

impl Driver {
    /// Switches to this model, or shows the available ones.
    pub(super) async fn model(&mut self, name: Option<&str>) -> Flow {
        match name {
            Some(name) => {
                let before = self.connected.row.info.origin();
                let (flow, switched) = self.switch(name).await;
                if switched && self.connected.row.info.origin() == before {
                    self.setup.screen.notice(format!("{before} answers already."));
                }
                flow
            }
            None => self.offer_models().await,
        }
    }

    async fn offer_models(&mut self) -> Flow {
        let (background, cancel) = (self.background(), CancelFlag::new());
        let screen = &self.setup.screen;
        screen.notice("Asking the providers for their models…");
        let model = &self.setup.model;
        let offered = async { with_said_limits(offered_models(model).await, model).await };
        let asking = cancellable(offered, &cancel);
        let (offers, pending) = run_with_input(asking, &mut self.input, &background, &cancel).await;
        let now = self.live.as_ref().map(|live| live.session.agent.model().clone());
        let now = now.map(|info| format!("{}/{}", info.provider, info.name));
        match offers.as_deref() {
            None => screen.notice("Stopped."),
            Some([]) => screen.notice("No provider lists its models. Name one: /model PROVIDER/MODEL"),
            Some(offers) => screen.show(Show::Picker(picker(offers, now.as_deref()))),
        }
        self.afterwards(pending)
    }

    /// Switches to this model. If that is stopped, the current model stays. The second value is true if it has switched.
    pub(super) async fn switch(&mut self, name: &str) -> (Flow, bool) {
        let args = self.named(name);
        let (background, cancel) = (self.background(), CancelFlag::new());
        let (setup, live) = (&self.setup, &mut self.live);
        let screen = &setup.screen;
        screen.turn(TurnState::Working);
        let work = async {
            let connected = cancellable(ConnectedModel::connect(&args), &cancel).await;
            let connected = connected.ok_or(SwitchError::Stopped)?.map_err(|error| anyhow!(error.text()))?;
            if let Some(live) = live {
                // A session that is too large for the new window is compacted first.
                screen.turn(TurnState::Compacting);
                let next = connected.next(&live.session.settings, setup.options.run.max_output_tokens);
                let judge = Arc::clone(&next.model);
                live.session.agent.switch_model(next, &AskedSwitch(screen), &cancel).await?;
                live.session.judge_by(judge);
                live.measure(screen);
            }
            anyhow::Ok(connected)
        };
        let (done, pending) = run_with_input(work, &mut self.input, &background, &cancel).await;
        let switched = done.is_ok();
        match done {
            Ok(connected) => {
                let info = &connected.row.info;
                screen.set(|status| status.answers(&info.provider, &info.name));
                let is_new = info.origin() != self.connected.row.info.origin();
                if let Some(note) = connected.row.note.as_ref().filter(|_| is_new) {
                    screen.notice(note.clone());
                }
                self.setup.model = args;
                self.connected = connected;
            }
            Err(error) if matches!(error.downcast_ref(), Some(SwitchError::Stopped)) => {
                let info = &self.connected.row.info;
                screen.notice(format!("Stopped. The model is still {}/{}.", info.provider, info.name));
            }
            Err(error) => screen.problem(refusal(&error)),
        }
        (self.afterwards(pending), switched)
    }

    /// The model by this name. Address, key file and headers are used only for the provider that they were given for.
    pub(super) fn named(&self, name: &str) -> ModelChoice {
        let prefix = provider_prefix(name);
        let current = &self.connected.row.info.provider;
        let wanted = prefix.map_or(current.as_str(), |provider| provider.name());
        let known = match wanted {
            wanted if wanted == current => self.setup.model.clone(),
            wanted if wanted == self.first.provider => self.first.choice.clone(),
            _ => self.first.choice.for_any_provider(),
        };
        // A name without a provider stays with the provider of the key.
        known.with_model(name)
    }
}

fn picker(offers: &[ModelRow], now: Option<&str>) -> Picker {
    let rows = offers.iter().map(|offer| {
        let name = format!("{}/{}", offer.info.provider, offer.info.name);
        let mark = if now == Some(name.as_str()) { " (current)" } else { "" };
        let price =
            offer.dollars_per_million_input.map_or(String::new(), |price| format!("${price:.2}/M in"));
        PickerRow {
            cells: vec![format!("{name}{mark}"), group_thousands(offer.info.window), price],
            id: name,
            ..PickerRow::default()
        }
    });
    Picker {
        id: "model".to_owned(),
        title: "Switch to a model".to_owned(),
        columns: ["MODEL", "WINDOW", "PRICE"].map(str::to_owned).to_vec(),
        rows: rows.collect(),
        ..Picker::default()
    }
}

#[cfg(test)]
mod tests;
