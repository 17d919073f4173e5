//! How a user gives the agent the key of a provider: the protocol's methods of authentication.

use agent_client_protocol::Result;
use agent_client_protocol::v1::schema::{
    AuthMethod, AuthMethodAgent, AuthMethodTerminal, AuthenticateRequest, AuthenticateResponse,
    ClientCapabilities,
};
use throughline_session::SessionModels;
use throughline_text::cut_end;

use crate::failure::{REPEATED, input, of_library};
use crate::options::AcpOptions;

/// The user stores a key, or sets the variable that the provider's key is in. The agent looks for it again.
const KEY: &str = "key";
/// The client starts this program in a terminal, where it asks for a key.
const LOGIN: &str = "login";

/// The argument that makes this command ask for a key.
const LOGIN_FLAG: &str = "--login";

/// The methods for this client. One that does not start programs in a terminal is not offered that.
pub(crate) fn methods(client: Option<&ClientCapabilities>) -> Vec<AuthMethod> {
    let key = AuthMethodAgent::new(KEY, "A key of a provider").description(
        "Run `throughline login` in a terminal, or start the editor with the key in its environment \
         (ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY). Subscriptions cannot be used."
            .to_owned(),
    );
    let login = AuthMethodTerminal::new(LOGIN, "Log in in a terminal").args(vec![LOGIN_FLAG.to_owned()]);
    let in_terminal = client.is_some_and(|client| client.auth.terminal);
    let login = in_terminal.then_some(AuthMethod::Terminal(login));
    login.into_iter().chain([AuthMethod::Agent(key)]).collect()
}

/// Looks whether a model can be asked now.
///
/// # Errors
/// The method is unknown, or there is still no key: then the error is that authentication is required.
pub(crate) async fn authenticate(
    options: &AcpOptions,
    request: &AuthenticateRequest,
) -> Result<AuthenticateResponse> {
    let method = request.method_id.0.as_ref();
    if method != KEY {
        let method = cut_end(method, REPEATED);
        return Err(input(format!("there is no method {method:?} for `authenticate`; there is: {KEY}")));
    }
    let config = options.sources.load(None).map_err(|error| of_library(&error))?;
    let connected = SessionModels::connect(&options.run, &config, None).await;
    connected.map(|_| AuthenticateResponse::new()).map_err(|error| of_library(&error.into()))
}
