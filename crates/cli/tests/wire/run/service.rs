//! The services that the binary can be pointed at, each by its own arguments and variables.

use std::fs;
use std::process::Command;

use throughline_testserver::{Answer, Script, Server};

use super::home::Home;
use crate::protocol::Protocol;

/// The key that our test server asks for.
pub(crate) const KEY: &str = "sk-run-4711-abcdef";

/// A service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Service {
    Anthropic,
    /// OpenAI with its default API.
    Responses,
    Chat,
    /// A server that speaks like OpenAI.
    Compatible,
    Gemini,
    Ollama,
}

impl Service {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::Responses => "responses",
            Self::Chat => "chat",
            Self::Compatible => "compatible",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
        }
    }

    /// Who serves it, as the binary says it.
    pub(crate) fn provider(self) -> &'static str {
        match self {
            Self::Responses | Self::Chat => "openai",
            other => other.name(),
        }
    }

    pub(crate) fn protocol(self) -> Protocol {
        match self {
            Self::Anthropic => Protocol::Anthropic,
            Self::Responses => Protocol::Responses,
            Self::Chat | Self::Compatible => Protocol::Chat,
            Self::Gemini => Protocol::Gemini,
            Self::Ollama => Protocol::Ollama,
        }
    }

    /// Returns true if requests carry a key.
    pub(crate) fn is_keyed(self) -> bool {
        self != Self::Ollama
    }

    /// `throughline run` with this service at an address.
    pub(crate) fn run(self, home: &Home, url: &str, key: &str) -> Command {
        let mut command = home.throughline();
        command.arg("run");
        match self {
            Self::Anthropic => {
                command.env("ANTHROPIC_BASE_URL", url).env("ANTHROPIC_API_KEY", key);
                command.args(["--model", self.protocol().model_name()]);
            }
            Self::Responses | Self::Chat => {
                command.env("OPENAI_BASE_URL", format!("{url}/v1")).env("OPENAI_API_KEY", key);
                command.args(["--model", self.protocol().model_name()]);
                if self == Self::Chat {
                    command.args(["--api", "chat"]);
                }
            }
            Self::Compatible => {
                let file = home.path().join("key");
                fs::write(&file, format!("{key}\n")).unwrap();
                command
                    .args(["--base-url", &format!("{url}/v1"), "--model", "gpt-5", "--key-file"])
                    .arg(file);
            }
            Self::Gemini => {
                command.env("GOOGLE_GEMINI_BASE_URL", url).env("GEMINI_API_KEY", key);
            }
            Self::Ollama => {
                command.env("OLLAMA_HOST", url).args(["--provider", "ollama"]);
            }
        }
        command
    }

    /// Our test server with these answers. It wants the key, if the service has one.
    pub(crate) fn server(self, answers: impl IntoIterator<Item = Answer>) -> Server {
        let name = self.protocol().model_name();
        let script = Script::new().model(name, 128_000);
        let script = if self.is_keyed() { script.key(KEY) } else { script };
        Server::start_at(answers.into_iter().fold(script, Script::then), 0).unwrap()
    }
}

/// The same tests for each service, each in a module of its name.
#[macro_export]
macro_rules! for_each_service {
    ($($test:ident),* $(,)?) => {
        $crate::for_each_service!(@ anthropic Anthropic, $($test),*);
        $crate::for_each_service!(@ responses Responses, $($test),*);
        $crate::for_each_service!(@ chat Chat, $($test),*);
        $crate::for_each_service!(@ compatible Compatible, $($test),*);
        $crate::for_each_service!(@ gemini Gemini, $($test),*);
        $crate::for_each_service!(@ ollama Ollama, $($test),*);
    };
    (@ $module:ident $service:ident, $($test:ident),*) => {
        mod $module {
            $(
                #[test]
                fn $test() {
                    super::$test($crate::run::service::Service::$service);
                }
            )*
        }
    };
}
