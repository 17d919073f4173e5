//! Token counters.
fn main() {}
