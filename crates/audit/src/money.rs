//! Amounts of money as cells of tables.

/// An amount of dollars: whole cents from a cent on, more digits below.
pub(super) fn dollars(amount: f64) -> String {
    if amount.abs() >= 0.01 || amount == 0.0 { format!("{amount:.2}") } else { format!("{amount:.4}") }
}

/// A part of a whole in per cent; `-` without a whole.
pub(super) fn share(part: f64, whole: f64) -> String {
    if whole > 0.0 { format!("{:.1}", 100.0 * part / whole) } else { "-".to_owned() }
}
