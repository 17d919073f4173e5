//! Test support: a notation for transcripts, a counter of one token per word, a request, and samples. Only ever a dev-dependency.
//!
//! The notation, which [`parse`] reads and [`render`] writes:
//!
//! ```text
//! user: fix the bug
//! assistant: let me look
//!   -> c1 read {"path":"a.rs"}
//!   -> c2 read {"path":"b.rs"}
//! results:
//!   c1 = fn main() {}
//!   c2 ! no such file
//! assistant: done
//! ```
//!
//! `\n` inside a text is a newline.
//!
//! ```
//! use throughline_testkit::{parse, render};
//!
//! let text = "user: fix the bug\nassistant: let me look\n  -> c1 read {\"path\":\"a.rs\"}\nresults:\n  c1 = fn main() {}\n";
//! let messages = parse(text);
//! assert_eq!(messages.len(), 3);
//! assert_eq!(render(&messages), text);
//! ```

mod counter;
mod notation;
mod request;
mod samples;

pub use counter::WordCounter;
pub use notation::{parse, records, render, render_view, view};
pub use request::request;
pub use samples::{receipt, with_edit, words};
