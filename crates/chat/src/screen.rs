//! The session's end of the channel to the screen.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use throughline_agent::{Event, EventSink};
use throughline_tools::OutputSink;
use throughline_tui::{KeyStyle, Show, TurnState};
use tokio::sync::Notify;
use tokio::sync::mpsc::UnboundedSender;

use super::outputs::Outputs;
use super::shown_result::shown_result;
use super::status_model::StatusModel;

/// Sends to the screen and holds the figures of its status line. Cheap to clone; all clones share the figures.
#[derive(Debug, Clone)]
pub(super) struct Screen {
    to: UnboundedSender<Show>,
    status: Arc<Mutex<StatusModel>>,
    /// Notified when the figures have changed.
    changed: Arc<Notify>,
    /// The input has vim's keys.
    vim: Arc<AtomicBool>,
    outputs: Arc<Outputs>,
}

impl Screen {
    pub(super) fn new(to: UnboundedSender<Show>) -> Self {
        Self {
            to,
            status: Arc::default(),
            changed: Arc::default(),
            vim: Arc::default(),
            outputs: Arc::default(),
        }
    }

    /// Sends to the screen. A closed screen ends the session through its acts.
    pub(super) fn show(&self, show: Show) {
        let _ = self.to.send(show);
    }

    pub(super) fn notice(&self, text: impl Into<String>) {
        self.show(Show::Notice(text.into()));
    }

    pub(super) fn problem(&self, text: impl Into<String>) {
        self.show(Show::Problem(text.into()));
    }

    pub(super) fn page(&self, title: &str, text: &str) {
        self.show(Show::Page { title: title.to_owned(), text: text.trim_end().to_owned() });
    }

    pub(super) fn turn(&self, state: TurnState) {
        if state != TurnState::Idle {
            self.status().begin_turn();
        }
        self.show(Show::Turn(state));
    }

    /// Changes the figures and shows them.
    pub(super) fn set(&self, change: impl FnOnce(&mut StatusModel)) {
        let status = {
            let mut status = self.status();
            change(&mut status);
            status.line()
        };
        self.show(Show::Status(status));
        self.changed.notify_one();
    }

    /// Waits until the figures have changed since the last time.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// Returns true if there is no screen any more.
    pub(super) fn is_closed(&self) -> bool {
        self.to.is_closed()
    }

    /// Shows what the command for the status line has printed.
    pub(super) fn set_command(&self, text: Option<String>) {
        let line = {
            let mut status = self.status();
            status.command = text;
            status.line()
        };
        self.show(Show::Status(line));
    }

    /// Sets how the keys of the input work.
    pub(super) fn set_vim(&self, on: bool) {
        self.vim.store(on, Ordering::Relaxed);
        self.show(Show::Keys(if on { KeyStyle::Vim } else { KeyStyle::Usual }));
    }

    /// Switches vim's keys on or off. Returns true if they are on now.
    pub(super) fn toggle_vim(&self) -> bool {
        let on = !self.vim.load(Ordering::Relaxed);
        self.set_vim(on);
        on
    }

    pub(super) fn status(&self) -> MutexGuard<'_, StatusModel> {
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OutputSink for Screen {
    fn output(&self, call_id: &str, part: &[u8]) {
        if let Some((text, waits)) = self.outputs.newest(call_id, part) {
            self.show(Show::ToolOutput { call_id: call_id.to_owned(), text, waits });
        }
    }
}

impl EventSink for Screen {
    fn emit(&self, event: Event) {
        let mut event = event;
        if let Event::ToolFinished { call_id, name, output, is_error, .. } = &mut event {
            self.outputs.ended(call_id);
            *output = shown_result(name, output, *is_error).into_owned();
        }
        let (changed, notice) = {
            let mut status = self.status();
            let changed = status.take(&event).then(|| status.line());
            let notice = match &event {
                Event::Compacted(receipt) => Some(status.notice_of(receipt.clone())),
                _ => None,
            };
            (changed, notice)
        };
        self.show(match notice {
            Some(notice) => Show::Compacted(Box::new(notice)),
            None => Show::Event(event),
        });
        if let Some(status) = changed {
            self.show(Show::Status(status));
            self.changed.notify_one();
        }
    }
}
