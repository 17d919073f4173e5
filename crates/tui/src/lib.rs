//! The terminal screen of a session: what is shown, and what the keys mean.

mod port;

pub use port::{Act, CommandInfo, Earlier, Picker, PickerRow, Show, StatusLine, TurnState};
