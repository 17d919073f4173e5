//! Plain functions on text that several crates need: truncation between characters, words and stems, sanitizing, names
//! of code, the nearest name, text for a terminal, error chains, fingerprints,
//! bytes as digits, JSON for readers that take lines literally, fences of code, spans of time.
//!
//! ```
//! use throughline_text::{cut_end, group_thousands, nearest_name, sanitized};
//!
//! assert_eq!(cut_end("añb", 2), "a"); // `ñ` has two bytes and is not split
//! assert_eq!(group_thousands(48_231), "48,231");
//! assert_eq!(nearest_name("red_file", ["read_file", "write_file"]), Some("read_file"));
//! assert_eq!(sanitized("pay \u{202e}evila"), "pay evila");
//! ```
//!
//! Nothing here decides anything, and nothing depends on another crate of the workspace, so every crate may use it. It
//! does NOT know messages, tokens or models: those are the words of `conversation`.

mod bearer;
mod display;
mod error_chain;
mod fence;
mod fingerprint;
mod hexadecimal;
mod json_text;
mod names;
mod nearest;
mod number;
mod sanitize;
mod shell;
mod span;
mod truncate;
mod words;

pub use bearer::bearer_token;
pub use display::{headline, is_control, plain};
pub use error_chain::error_chain;
pub use fence::without_fence;
pub use fingerprint::{fingerprint, fingerprints};
pub use hexadecimal::hexadecimal;
pub use json_text::{escaped_json, escaped_unit, one_line_json, whole_characters};
pub use names::{names, path_tail};
pub use nearest::{nearest_name, nearest_names};
pub use number::{counted, group_thousands, scale_part, whole_numbers};
pub use sanitize::{revealed, sanitized};
pub use shell::{shell_option, shell_word};
pub use span::{InvalidSpan, read_span, span_text};
pub use truncate::{cut_end, cut_start, first_chars, first_lines, last_chars, last_lines};
pub use words::{is_unspaced, split_words, stem};
