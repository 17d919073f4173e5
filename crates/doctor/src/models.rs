//! The model that a session would use, and the providers that are configured.

use throughline_config::Config;
use throughline_connect::{
    ConnectError, ConnectedModel, ModelChoice, Provider, ProviderStatus, model_table, provider_statuses,
};
use throughline_text::{counted, error_chain, group_thousands, plain};

use crate::finding::{Area, Finding};
use crate::search;

/// `offline`: the model is not looked for, because that may ask a server.
pub(crate) async fn examine(choice: &ModelChoice, config: &Config, offline: bool) -> Vec<Finding> {
    if offline {
        let model = match model_table() {
            Ok(_) => Finding::note(Area::Model, "not looked at, because no server may be asked"),
            Err(error) => Finding::problem(Area::Model, plain(&error_chain(&error))),
        };
        return vec![model, search::examine(config, None)];
    }
    let (connected, asked) = tokio::join!(ConnectedModel::connect(choice), provider_statuses(choice));
    let search = search::examine(config, connected.as_ref().ok());
    let mut found = vec![model(connected), search];
    found.extend(asked.iter().filter(|one| one.key != "-" || one.models.is_ok()).map(provider));
    found
}

fn model(connected: Result<ConnectedModel, ConnectError>) -> Finding {
    match connected {
        Ok(connected) => {
            let info = &connected.row.info;
            let (window, output) = (group_thousands(info.window), group_thousands(info.max_output));
            let text = format!(
                "{}/{}: a window of {window} tokens, at most {output} of output",
                info.provider,
                plain(&info.name)
            );
            match &connected.row.note {
                Some(note) => Finding::note(Area::Model, format!("{text}; {}", plain(note))),
                None => Finding::good(Area::Model, text),
            }
        }
        Err(error) => {
            let text = plain(&error.text());
            match error {
                ConnectError::NoProvider { .. } => Finding::problem(Area::Model, text).fix(no_model()),
                ConnectError::Ollama(_) | ConnectError::Models(_) => {
                    Finding::problem(Area::Model, text).fix("start the server with `ollama serve`")
                }
                _ => Finding::problem(Area::Model, text),
            }
        }
    }
}

/// What a user without a model can do.
fn no_model() -> String {
    let variables: Vec<&str> = Provider::WITH_KEYS.into_iter().filter_map(Provider::key_variable).collect();
    format!(
        "run `throughline login`, set {}, or start a local model with `ollama serve`",
        variables.join(", ")
    )
}

fn provider(one: &ProviderStatus) -> Finding {
    let name = one.provider.name();
    let from = match one.key {
        "-" => String::new(),
        key => format!(", key of {key}"),
    };
    let address = plain(&one.address);
    match &one.models {
        Ok(models) => {
            let models = counted(models.len() as u64, "model");
            Finding::good(Area::Provider, format!("{name} at {address}{from}: {models}"))
        }
        // Some servers have no list of models and answer all the same.
        Err(why) => Finding::note(Area::Provider, format!("{name} at {address}{from}: {}", plain(why)))
            .fix("check the key, the address and the network"),
    }
}
