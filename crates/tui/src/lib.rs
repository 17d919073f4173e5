//! The terminal screen of a session: what is shown, and what the keys mean.
//!
//! The screen and the session run side by side and speak through two channels ([`Show`] and [`Act`]). [`run`] holds the
//! real terminal; [`run_plain`] does the same for pipes.
//!
//! Finished output is ordinary output: it scrolls, and it is copied and searched as the terminal does it. Only what
//! still changes (the open end of the answer, running calls, the input, questions, pickers) is written over in place.
//!
//! Lines, styles, cells and the comparison of two pictures are [ratatui](https://ratatui.rs)'s; its codes are crossterm's.
//! The terminal below them is the crate's own, because ratatui's inline viewport has a fixed height, asks the terminal
//! where its cursor is while the keys are being read, and leaves rows behind where the terminal becomes narrower.
//!
//! Inside, everything but the drivers is a value: `screen` takes keys and what the session tells and gives lines and
//! acts, `painter` turns two pictures into the bytes between them, `ink` is the only form of text that reaches a
//! terminal, and `clean` takes out of it what a terminal would obey.
//!
//! It knows no model, no session and no file: it shows what an agent tells, and asks what a permission needs.

mod approval;
mod calls;
mod choice;
mod clean;
mod diff;
mod ink;
mod input;
mod keyboard;
mod layout;
mod markdown;
mod options;
mod painter;
mod plain;
mod port;
mod program_status;
mod replies;
mod run;
mod screen;
mod status;
mod terminal;

pub use options::{Options, StatusProtocol};
pub use plain::run_plain;
pub use port::{Act, CommandInfo, Earlier, Picker, PickerRow, Show, StatusLine, TurnState};
pub use run::{ScreenError, run};
