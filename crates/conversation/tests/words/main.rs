//! Laws of the words: the projection, validity, repair, names and texts.

mod edits;
mod exchanges;
mod log;
mod names;
mod projection;
mod quality;
mod repair;
mod repair_cases;
mod sanitizing;
mod serial;
mod switching;
mod texts;
mod tokens;
mod validity;
