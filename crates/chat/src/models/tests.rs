//! The list of models.

use std::fs;

use throughline_connect::{ModelChoice, Provider, model_table};

use super::*;

#[tokio::test]
async fn a_model_in_a_list_has_the_limits_that_its_server_has_said() {
    let folder = tempfile::tempdir().unwrap();
    let said =
        r#"{"models": {"127.0.0.1:9/mystery": {"max_output": {"tokens": 1500, "at": 1700000000000}}}}"#;
    fs::write(folder.path().join("limits.json"), said).unwrap();
    let choice = ModelChoice {
        provider: Some(Provider::Compatible),
        base_url: Some("http://127.0.0.1:9/v1".to_owned()),
        data: Some(folder.path().to_owned()),
        window: Some(32_768),
        ..ModelChoice::default()
    };
    let table = model_table().unwrap();
    let rows = ["mystery", "another"].map(|name| table.find("compatible", name)).to_vec();
    let before = rows[1].info.max_output;
    let most: Vec<u64> =
        with_said_limits(rows, &choice).await.iter().map(|row| row.info.max_output).collect();
    assert_eq!(most, [1_500, before]);
}
