//! Laws of the words: the projection, validity, repair and names.

mod edits;
mod exchanges;
mod log;
mod names;
mod projection;
mod repair;
mod repair_cases;
mod serial;
mod switching;
mod tokens;
mod validity;
