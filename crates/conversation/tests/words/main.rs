//! Laws of the words: the projection, validity, repair and names.

mod accounts;
mod edits;
mod exchanges;
mod lenient;
mod log;
mod marks;
mod names;
mod parts;
mod pins;
mod projection;
mod repair;
mod repair_cases;
mod serial;
mod switching;
mod tokens;
mod validity;
