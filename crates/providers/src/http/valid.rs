//! The last gate before the network.

use throughline_completion::ModelError;

use throughline_wire::validate::WireFault;

/// Maximum number of faults that a message lists; one cause often breaks many rules.
const LISTED: usize = 3;

/// Lets a body pass that no rule is broken by.
///
/// # Errors
/// [`ModelError::InvalidRequest`] with the first faults; nothing was sent.
pub(crate) fn valid(provider: &str, faults: &[WireFault]) -> Result<(), ModelError> {
    if faults.is_empty() {
        return Ok(());
    }
    let listed: Vec<String> = faults.iter().take(LISTED).map(ToString::to_string).collect();
    let more = match faults.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let message = format!("not sent, since {provider} would refuse it: {}{more}", listed.join("; "));
    Err(ModelError::InvalidRequest { message })
}
