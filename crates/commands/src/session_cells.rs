//! What every list of sessions shows of one: its cost and its folder.

use throughline_completion::{Cost, Dollars};
use throughline_config::with_tilde;
use throughline_connect::dollars_text;
use throughline_text::{cut_start, plain};

/// Maximum bytes of a folder.
const FOLDER: usize = 36;

/// A cost in a column: `≥` before a lower bound, `?` if no price is known.
#[must_use]
pub fn cost_cell(cost: &Cost) -> String {
    match cost.dollars() {
        _ if cost.all_requests() == 0 => "-".to_owned(),
        Dollars::Exact(dollars) => dollars_text(dollars),
        Dollars::AtLeast(dollars) => format!("≥{}", dollars_text(dollars)),
        Dollars::Unknown => "?".to_owned(),
    }
}

/// A folder in a column: below the home folder with `~`, and of a long path the end.
#[must_use]
pub fn folder_cell(folder: &str) -> String {
    let short = plain(&with_tilde(folder));
    if short.len() <= FOLDER { short } else { format!("…{}", cut_start(&short, FOLDER)) }
}
