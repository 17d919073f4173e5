//! The terminal screen of a session: what it shows, and what its keys do.
//!
//! The screen and the session run concurrently and communicate through two channels, [`Show`] and [`Act`]. [`run`] owns the
//! terminal until the session ends.
//!
//! Finished output is ordinary terminal output: it scrolls, and the terminal copies and searches it. Only what still changes
//! (the open end of the answer, running calls, the input, questions, pickers) is redrawn in place.
//!
//! Lines, styles, cells and the comparison of two frames come from [ratatui](https://ratatui.rs), escape codes from
//! crossterm. The terminal layer below is the crate's own, because ratatui's inline viewport has a fixed height, queries the
//! cursor position while keys are being read, and leaves rows behind when the terminal becomes narrower.
//!
//! Everything except the driver is a value. `screen` takes keys and what the session sends, hands them to its parts, and
//! returns lines and acts: `transcript` is the output of the session, `turn` the state of the turn, `composer` the input and its
//! queue, `overlay` pickers and questions, `status` the last row. `painter` turns two frames into the bytes between them;
//! `line` is the only form of text that reaches the terminal; and `clean` removes or marks everything in it that a terminal
//! would interpret.
//!
//! ```no_run
//! use throughline_tui::{Act, Options, Show, TurnState, run};
//! use tokio::sync::mpsc::unbounded_channel;
//!
//! # async fn example() -> Result<(), throughline_tui::ScreenError> {
//! let (show, shows) = unbounded_channel();
//! let (act, mut acts) = unbounded_channel();
//! let session = async move {
//!     while let Some(act) = acts.recv().await {
//!         match act {
//!             Act::Submit(text) => {
//!                 let _ = show.send(Show::Notice(format!("you wrote {text:?}")));
//!                 let _ = show.send(Show::Turn(TurnState::Idle));
//!             }
//!             Act::Quit => drop(show.send(Show::End)),
//!             _ => {}
//!         }
//!     }
//! };
//! let (unsent, ()) = tokio::join!(run(shows, act, Options::of_environment()), session);
//! for message in unsent? {
//!     println!("not sent: {message}");
//! }
//! # Ok(())
//! # }
//! ```
//!
//! It knows no model, no session and no file: it shows what an agent reports, and asks what a permission needs.

mod ascii;
mod attention;
mod calls;
mod checklist;
mod clean;
mod columns;
mod composer;
mod diff;
mod editor;
mod excerpt;
mod ground_query;
mod keyboard;
mod layout;
mod line;
mod live;
mod markdown;
mod options;
mod overlay;
mod painter;
mod palette;
mod port;
mod program_status;
mod replies;
mod run;
mod screen;
mod status;
mod terminal;
mod transcript;
mod turn;
mod vim;

pub use attention::Attention;
pub use calls::elapsed;
pub use excerpt::ResultExcerpt;
pub use options::{ColourDepth, Options, StatusProtocol, Theme};
pub use port::{
    Act, CommandInfo, CompactionNotice, Earlier, EditExcerpt, KeyStyle, Picker, PickerRow, Show, StatusLine,
    TurnCost, TurnState,
};
pub use run::{ScreenError, run};
pub use status::{PRICE_UNKNOWN, StatusPart, dollars_in_line};
pub use transcript::expanded;
