//! Recorded exchanges, as the files hold them.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use serde_json::Value;

/// An API that the recordings speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Anthropic,
    Chat,
    Responses,
    Gemini,
}

impl Kind {
    /// The names of its files.
    fn files(self) -> &'static [&'static str] {
        match self {
            Self::Anthropic => &["anthropic"],
            Self::Chat => &["chat"],
            Self::Responses => &["responses"],
            Self::Gemini => &["gemini", "gemini-stream"],
        }
    }

    /// The name of the API.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::Chat => "chat",
            Self::Responses => "responses",
            Self::Gemini => "gemini",
        }
    }
}

/// One request and its answer.
#[derive(Debug)]
pub(crate) struct Exchange {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) status: u16,
    /// The host that answered.
    pub(crate) host: String,
    /// The model that was asked for.
    pub(crate) model: String,
    /// The answer as one document.
    pub(crate) document: Option<Value>,
    /// The answer as a stream.
    pub(crate) body: Option<String>,
}

/// The exchanges of an API.
pub(crate) fn read(folder: &Path, kind: Kind) -> Vec<Exchange> {
    kind.files().iter().flat_map(|name| lines(folder, name)).map(|line| exchange(kind, &line)).collect()
}

fn path(folder: &Path, name: &str) -> std::path::PathBuf {
    folder.join(format!("{name}.jsonl.gz"))
}

fn lines(folder: &Path, name: &str) -> impl Iterator<Item = Value> {
    let path = path(folder, name);
    let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = BufReader::new(MultiGzDecoder::new(file)).lines();
    lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap())
}

fn exchange(kind: Kind, line: &Value) -> Exchange {
    let text = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
    let uri = text("uri");
    let rest = uri.split("://").nth(1).unwrap_or_default();
    // Google has the model in the address.
    let in_path = rest.split_once("/models/").and_then(|(_, rest)| rest.split([':', '?', '/']).next());
    let model = line["req"]["model"].as_str().or(in_path);
    Exchange {
        name: text("name"),
        kind,
        status: u16::try_from(line["status"].as_u64().unwrap()).unwrap(),
        host: rest.split('/').next().unwrap_or_default().to_owned(),
        model: model.unwrap_or("some-model").to_owned(),
        document: Some(line["parsed"].clone()).filter(|document| !document.is_null()),
        body: line["body"].as_str().map(str::to_owned),
    }
}
