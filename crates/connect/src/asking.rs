//! What a server of the user's own is asked before there is a session: the limits of a model, once.

use std::time::Duration;

use throughline_completion::ModelError;
use throughline_providers::ServedWindow;
#[cfg(feature = "anthropic")]
use throughline_providers::anthropic;
use throughline_providers::http::{Endpoint, ReqwestTransport, Timeouts};
use throughline_providers::models::{Known, ModelRow};
#[cfg(feature = "openai")]
use throughline_providers::openai;
use throughline_text::error_chain;

use crate::choice::{ModelChoice, Provider};
use crate::limits_file::{AskedLimits, KnownLimits, LimitsFile};

/// How long all of it may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// Hosts whose models are in the table: they are never asked.
const OFFICIAL: &[&str] = &["api.anthropic.com", "api.openai.com"];

/// Asks the server for the limits of a model, unless that was done before or the user has chosen a window, and stores its answer.
/// A failure leaves everything unchanged; the log has it.
pub(crate) async fn ask_once(
    choice: &ModelChoice,
    provider: Provider,
    endpoint: &Endpoint,
    row: &ModelRow,
    known: &mut KnownLimits,
) {
    let Some((data, server)) = choice.data.as_ref().zip(endpoint.server()) else { return };
    let asks = match provider {
        Provider::Compatible => true,
        Provider::Anthropic | Provider::Openai => {
            !OFFICIAL.contains(&server.host.as_str()) && row.known != Known::Exact
        }
        _ => false,
    };
    if !asks || known.asked.is_some() || choice.window.is_some() || row.window_said {
        return;
    }
    let transport =
        ReqwestTransport::new(Timeouts { connect: PATIENCE, first_byte: PATIENCE, idle: PATIENCE });
    let model = row.info.name.as_str();
    let said = match tokio::time::timeout(PATIENCE, ask(provider, endpoint, &transport, model)).await {
        Ok(Ok(said)) => said.unwrap_or_default(),
        Ok(Err(error)) if is_passing(&error) => return log(model, &error_chain(&error)),
        // It has no such list, and will have none next time.
        Ok(Err(error)) => {
            log(model, &error_chain(&error));
            ServedWindow::default()
        }
        Err(_) => return log(model, &format!("no answer within {} seconds", PATIENCE.as_secs())),
    };
    tracing::info!(model, window = said.window, native = said.native, "the server was asked for the window");
    let asked = AskedLimits::now(said.window, said.native, said.max_output);
    if let Err(error) = LimitsFile::in_folder(data).store_asked(&server, model, &asked) {
        log(model, &error_chain(&error));
    }
    known.asked = Some(asked);
}

/// Asks by the API of the provider.
async fn ask(
    provider: Provider,
    endpoint: &Endpoint,
    transport: &ReqwestTransport,
    model: &str,
) -> Result<Option<ServedWindow>, ModelError> {
    match provider {
        #[cfg(feature = "anthropic")]
        Provider::Anthropic => anthropic::served_window(endpoint, transport, model).await,
        #[cfg(feature = "openai")]
        Provider::Openai | Provider::Compatible => openai::served_window(endpoint, transport, model).await,
        _ => Ok(None),
    }
}

/// Returns true if the same question may be answered later.
fn is_passing(error: &ModelError) -> bool {
    error.is_transient() || matches!(error, ModelError::Unauthorized { .. } | ModelError::Unpaid { .. })
}

fn log(model: &str, why: &str) {
    tracing::info!(model, why, "the server does not say the window of the model");
}
