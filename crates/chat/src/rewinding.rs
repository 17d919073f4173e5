//! Going back to an earlier turn: Esc twice in an empty input.

use throughline_commands::{
    CommandTarget, FileChoice, PromptCommands, age, file_diff_since, undo_deletes, undo_since,
};
use throughline_conversation::{EntryKind, ExchangeId, GroupStatus, Message, RecordBody, Source, View};
use throughline_groups::Group;
use throughline_stored::{SessionWriter, now};
use throughline_text::{error_chain, headline};
use throughline_tui::{Picker, PickerRow, Show};

use super::background::NO_SESSION;
use super::driver::Driver;

/// The picker of turns.
pub(super) const REWIND: &str = "rewind";
/// The picker of what is restored with them.
pub(super) const REWIND_TO: &str = "rewind-to";

/// The ids of its rows, each before the number of the turn.
const FILES: &str = "files:";
const CONVERSATION: &str = "conversation:";

/// Maximum number of turns that are offered; `/messages` lists all.
const OFFERED: usize = 100;

impl Driver {
    /// Shows the turns, the newest first.
    pub(super) async fn rewind(&mut self) {
        if let Err(error) = self.offer_turns().await {
            self.setup.screen.problem(error_chain(error.as_ref()));
        }
    }

    async fn offer_turns(&self) -> anyhow::Result<()> {
        let screen = &self.setup.screen;
        let Some(live) = &self.live else {
            screen.notice(NO_SESSION);
            return Ok(());
        };
        let target = live.target(&self.setup.data);
        let turns = live_turns(target.handle.groups().await?);
        if turns.is_empty() {
            screen.notice("There is no turn to go back to yet.");
            return Ok(());
        }
        if undo_deletes(&target).await? {
            screen.notice(
                "undo.mode is \"delete\", so going back would delete turns: use /undo for one at a time.",
            );
            return Ok(());
        }
        let records = self.setup.data.records(&live.session.info.id).await?;
        let mut rows = Vec::new();
        for turn in turns.iter().rev().take(OFFERED) {
            let files = match target.handle.turn_files(&records, turn.id).await?.files.len() {
                0 => String::new(),
                1 => "1 file".to_owned(),
                files => format!("{files} files"),
            };
            let typed = first_text(live.session.agent.view(), turn.id, &self.setup.custom);
            let request = typed.as_ref().unwrap_or(&turn.request);
            let cells = vec![headline(request, 120), age(now(), turn.at), files];
            rows.push(PickerRow { id: turn.id.to_string(), cells, ..PickerRow::default() });
        }
        screen.show(Show::Picker(Picker {
            id: REWIND.to_owned(),
            title: "Go back to before a turn".to_owned(),
            columns: ["TURN", "AGE", "CHANGED"].map(str::to_owned).to_vec(),
            rows,
            ..Picker::default()
        }));
        Ok(())
    }

    /// Goes back to before the turn, or asks about its files and those of the later turns first.
    pub(super) async fn rewind_picked(&mut self, row: &str) -> anyhow::Result<()> {
        let turn = ExchangeId(row.parse()?);
        self.stop_agents_since(Some(turn)).await;
        let Some(live) = &self.live else { return Ok(()) };
        let target = live.target(&self.setup.data);
        let diff = file_diff_since(&target, turn).await?;
        if diff.is_empty() {
            return self.go_back(turn, FileChoice::Keep).await;
        }
        let row = |id: &str, text: &str| PickerRow {
            id: format!("{id}{turn}"),
            cells: vec![text.to_owned()],
            ..PickerRow::default()
        };
        let screen = &self.setup.screen;
        screen.page("", diff.trim_end());
        screen.show(Show::Picker(Picker {
            id: REWIND_TO.to_owned(),
            title: format!("Go back to before turn {turn}"),
            rows: vec![row(FILES, "conversation and files"), row(CONVERSATION, "conversation only")],
            ..Picker::default()
        }));
        Ok(())
    }

    /// Goes back with what was chosen.
    pub(super) async fn rewind_to(&mut self, row: &str) -> anyhow::Result<()> {
        let (files, turn) = match (row.strip_prefix(FILES), row.strip_prefix(CONVERSATION)) {
            (Some(turn), _) => (FileChoice::Restore, turn),
            (None, turn) => (FileChoice::Keep, turn.unwrap_or_default()),
        };
        self.go_back(ExchangeId(turn.parse()?), files).await
    }

    /// Undoes this turn and the later ones, and puts its text into the input.
    async fn go_back(&mut self, turn: ExchangeId, files: FileChoice) -> anyhow::Result<()> {
        let screen = &self.setup.screen;
        let Some(live) = &mut self.live else { return Ok(()) };
        let target = live.target(&self.setup.data);
        let text = match first_text(live.session.agent.view(), turn, &self.setup.custom) {
            Some(text) => Some(text),
            None => logged_text(&target, turn, &self.setup.custom).await,
        };
        let mut lines = Vec::new();
        let mut writer = SessionWriter::Agent(&mut live.session.agent, screen);
        if let Err(error) = undo_since(&target, &mut writer, turn, files, &mut lines).await {
            lines.push(format!("Stopped here: {}.", error_chain(error.as_ref())));
        }
        let flag = if files == FileChoice::Restore { " --files" } else { "" };
        lines.push(format!("To revert: /redo{flag}, once for each turn."));
        screen.page("", &lines.join("\n"));
        live.measure(screen);
        if let Some(text) = text {
            screen.show(Show::Draft(text));
        }
        Ok(())
    }
}

fn live_turns(turns: Vec<Group>) -> Vec<Group> {
    turns.into_iter().filter(|turn| turn.status == GroupStatus::Live).collect()
}

/// The same from the log, which has the turns that a compaction covers, too.
async fn logged_text(target: &CommandTarget, turn: ExchangeId, commands: &PromptCommands) -> Option<String> {
    let records = target.handle.storage.records(&target.handle.session).await.ok()?;
    let message =
        records.iter().filter(|record| record.exchange == turn).find_map(|record| match &record.body {
            RecordBody::Message(said) if said.source == Source::User => Some(&said.message),
            _ => None,
        })?;
    typed(message, commands)
}

/// What the user typed at the beginning of a turn, if it is still in view.
fn first_text(view: &View, turn: ExchangeId, commands: &PromptCommands) -> Option<String> {
    let entry = view.entries().iter().find(|one| one.exchange == turn && one.kind == EntryKind::User)?;
    typed(&entry.message, commands)
}

/// What the user typed to say this message.
fn typed(message: &Message, commands: &PromptCommands) -> Option<String> {
    let text = Some(message.request_text()).filter(|text| !text.trim().is_empty())?;
    Some(commands.typed(&text).unwrap_or(text))
}
