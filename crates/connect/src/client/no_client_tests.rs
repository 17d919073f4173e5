//! A provider without its client.

#[tokio::test]
async fn a_model_without_its_client_names_the_feature() {
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("key");
    std::fs::write(&key, "sk-test-1234567890").unwrap();
    let choice = crate::ModelChoice {
        key_file: Some(key),
        ..crate::ModelChoice::named("anthropic/claude-sonnet-4-5")
    };
    let error = crate::ConnectedModel::connect(&choice).await.unwrap_err().to_string();
    assert!(error.contains("feature `anthropic`"), "{error}");
}
