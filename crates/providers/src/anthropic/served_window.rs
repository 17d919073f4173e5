//! What a gateway that speaks Anthropic's Messages API says of the window of a model.

use throughline_completion::ModelError;
use url::Url;

use super::client::{PROVIDER, headers, wire_name};
use crate::http::{Endpoint, Transport};
use crate::served_window::{Asked, ServedWindow};

/// Asks for the limits of a model: for the model itself, as Anthropic's Models API describes it, then for the list of models, where
/// servers that have other APIs, too, describe it in the form of OpenAI's. `None`: the server does not describe the model.
///
/// # Errors
/// As for a request, of the list.
pub async fn served_window(
    endpoint: &Endpoint,
    transport: &dyn Transport,
    model: &str,
) -> Result<Option<ServedWindow>, ModelError> {
    let model = wire_name(model);
    let list = endpoint.url("/v1", "/models");
    let one = address(&list, model);
    let asked = Asked { provider: PROVIDER, endpoint, transport, headers: headers(endpoint), list };
    if let Some(one) = one {
        // A server that cannot answer this answers, or fails, when it is asked for the list.
        let described = asked.get(one).await.unwrap_or_default();
        let found = ServedWindow::of_anthropic(&described);
        if found.window.is_some() {
            return Ok(Some(found));
        }
    }
    asked.listed(model).await
}

/// The address of a model below that of the list. The name is one segment of it.
fn address(list: &str, model: &str) -> Option<String> {
    let mut url = Url::parse(list).ok()?;
    url.path_segments_mut().ok()?.push(model);
    Some(url.into())
}
