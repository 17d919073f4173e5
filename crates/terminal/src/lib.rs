//! Output of a program for people and other programs: lines on standard output, notices and errors on standard error,
//! tables, JSON, a pager, the user's editor, and a question with yes or no.
//!
//! ```
//! use throughline_terminal::{Style, table};
//!
//! let rows = [["NAME", "TOKENS"], ["system", "1,200"]].map(|row| row.map(str::to_owned).to_vec());
//! assert_eq!(table(&rows), ["NAME    TOKENS", "system   1,200"]);
//! assert_eq!(Style::with_colour(false).bold("sum"), "sum");
//! ```
//!
//! A closed pipe ends the program quietly, as it ends `cat`. Colours are written only to a terminal, and never when
//! `NO_COLOR` is set. The crate knows one thing that is printed, the window's bar.

mod browser;
mod confirm;
pub mod editor;
mod hidden;
mod output;
pub mod pager;
mod secrets;
mod shell;
pub mod window_bar;

pub use browser::open_in_browser;
pub use confirm::{ConfirmError, ask, ask_line, confirm};
pub use hidden::ask_secret;
pub use output::{
    Style, complain, complain_of_output, ignore_lost_output, json, leave, line, note, table, write,
};
pub use secrets::SecretFilter;
