//! `/model`: going on with another model.

use anyhow::anyhow;
use clap::ValueEnum as _;
use throughline_conversation::group_thousands;
use throughline_tui::{Picker, PickerRow, Show, TurnState};

use super::driver::Driver;
use crate::connect::{Connected, following, named};
use crate::models::{Offer, offers};
use crate::run::args::{ModelArgs, Provider};

impl Driver {
    /// Goes on with this model, or shows those that there are.
    pub(super) async fn model(&mut self, name: Option<&str>) -> anyhow::Result<()> {
        match name {
            Some(name) => self.switch(name).await,
            None => {
                self.setup.screen.notice("Asking the providers for their models…");
                let offers = offers(&self.setup.args.model).await;
                let now = self.live.as_ref().map(|live| live.agent.model().clone());
                let now = now.map(|info| format!("{}/{}", info.provider, info.name));
                if offers.is_empty() {
                    let text = "No provider has told its models. Name one: /model PROVIDER/MODEL";
                    self.setup.screen.notice(text);
                    return Ok(());
                }
                self.setup.screen.show(Show::Picker(picker(&offers, now.as_deref())));
                Ok(())
            }
        }
    }

    async fn switch(&mut self, name: &str) -> anyhow::Result<()> {
        let args = self.named(name);
        let connected = Connected::to(&args).await.map_err(|error| anyhow!(error.text()))?;
        let screen = self.setup.screen.clone();
        if let Some(live) = &mut self.live {
            // A session that is too large for the new window is compacted first.
            screen.turn(TurnState::Compacting);
            let next = connected.next(&self.setup.choice, self.setup.args.max_tokens);
            live.agent.switch_model(next, &screen).await?;
            live.measure(&screen);
        }
        let info = &connected.row.info;
        screen.set(|board| board.answers(&info.provider, &info.name));
        if let Some(note) = &connected.row.note {
            screen.notice(note.clone());
        }
        self.setup.args.model = args;
        self.connected = connected;
        Ok(())
    }

    /// The model by this name. Address, key file and headers belong to the provider that they were given for: they are used
    /// again when it is.
    fn named(&self, name: &str) -> ModelArgs {
        let prefix = name.split_once('/').and_then(|(prefix, _)| Provider::from_str(prefix, false).ok());
        let current = &self.connected.row.info.provider;
        let wanted = prefix.map_or(current.as_str(), |provider| provider.name());
        let (first, args) = &self.began;
        let known = match wanted {
            wanted if wanted == current => self.setup.args.model.clone(),
            wanted if wanted == first => args.clone(),
            _ => ModelArgs { timeout: args.timeout, ..ModelArgs::default() },
        };
        // What a key was given for is still named, also by a name without its provider.
        if named(&known).is_some() {
            return following(&known, name);
        }
        ModelArgs { model: Some(name.to_owned()), ..known }
    }
}

fn picker(offers: &[Offer], now: Option<&str>) -> Picker {
    let rows = offers.iter().map(|offer| {
        let name = format!("{}/{}", offer.provider, offer.name);
        let mark = if now == Some(name.as_str()) { " (now)" } else { "" };
        let price =
            offer.dollars_per_million_input.map_or(String::new(), |price| format!("{price:.2} $/M in"));
        PickerRow {
            cells: vec![format!("{name}{mark}"), group_thousands(offer.window), price],
            id: name,
            preview: None,
        }
    });
    Picker {
        id: "model".to_owned(),
        title: "Go on with a model".to_owned(),
        columns: ["MODEL", "WINDOW", "PRICE"].map(str::to_owned).to_vec(),
        rows: rows.collect(),
        ..Picker::default()
    }
}
