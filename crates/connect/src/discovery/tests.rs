//! Which stored key is sent to whom.

use throughline_config::StoredKeys;

use super::{KeySource, discover};
use crate::choice::{ModelChoice, Provider};

fn with_keys(names: &[&str]) -> (tempfile::TempDir, ModelChoice) {
    let folder = tempfile::tempdir().unwrap();
    let keys = StoredKeys::in_folder(folder.path());
    names.iter().for_each(|name| drop(keys.store(name, "sk-stored").unwrap()));
    let choice = ModelChoice { keys: Some(keys), ..ModelChoice::default() };
    (folder, choice)
}

#[tokio::test]
async fn a_stored_key_goes_to_its_own_server_only() {
    let (_folder, choice) = with_keys(&["server-127.0.0.1-8000"]);
    let at = |base_url: &str| ModelChoice { base_url: Some(base_url.to_owned()), ..choice.clone() };
    for (base_url, source) in [
        ("http://127.0.0.1:8000/v1", KeySource::Stored),
        ("http://127.0.0.1:8000", KeySource::Stored),
        ("http://127.0.0.1:8001/v1", KeySource::None),
        ("http://127.0.0.2:8000/v1", KeySource::None),
    ] {
        let found = discover(&at(base_url)).await.unwrap();
        assert_eq!((found.provider, found.source), (Provider::Compatible, source), "{base_url}");
        assert_eq!(found.key.is_some(), source == KeySource::Stored);
    }
}
