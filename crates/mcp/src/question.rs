//! Asks a user what a server wants to know.

use rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction};
use serde_json::Value;
use throughline_tools::{Elicitation, ElicitationAnswer, ElicitationRequest, Elicitor, Form};

use crate::limits;

/// Asks, and returns the answer for the server.
///
/// # Errors
/// Why the question cannot be shown, for the server.
pub(crate) async fn elicit(
    server: &str,
    elicitor: &dyn Elicitor,
    params: ElicitRequestParams,
) -> Result<ElicitResult, String> {
    let size = serde_json::to_string(&params).map_err(|error| error.to_string())?.len();
    if size > limits::QUESTION {
        let (size, most) = (size / 1024, limits::QUESTION / 1024);
        return Err(format!("the question has {size} KiB, the limit is {most} KiB"));
    }
    let (message, request) = match params {
        ElicitRequestParams::FormElicitationParams { message, requested_schema, .. } => {
            let schema = serde_json::to_value(requested_schema).map_err(|error| error.to_string())?;
            (message, ElicitationRequest::Form(Form::parse(&schema)?))
        }
        ElicitRequestParams::UrlElicitationParams { message, url, .. } => {
            let address =
                reqwest::Url::parse(&url).map_err(|error| format!("the url is invalid: {error}"))?;
            if !matches!(address.scheme(), "http" | "https") {
                return Err("the url must begin with http:// or https://".to_owned());
            }
            // The form that a browser goes to: no look-alike letters, no control characters.
            (message, ElicitationRequest::Page { url: address.into() })
        }
        _ => return Err("this kind of elicitation is not known".to_owned()),
    };
    let is_form = matches!(request, ElicitationRequest::Form(_));
    let asked = Elicitation { server: server.to_owned(), message, request };
    Ok(match elicitor.elicit(&asked).await {
        ElicitationAnswer::Accept(values) if is_form => {
            ElicitResult::new(ElicitationAction::Accept).with_content(Value::Object(values))
        }
        ElicitationAnswer::Accept(_) => ElicitResult::new(ElicitationAction::Accept),
        ElicitationAnswer::Decline => ElicitResult::new(ElicitationAction::Decline),
        ElicitationAnswer::Cancel => ElicitResult::new(ElicitationAction::Cancel),
    })
}
