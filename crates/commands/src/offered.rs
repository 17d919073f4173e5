//! The models that providers offer, with the limits that a session has with them.

use throughline_connect::{ConnectedModel, LimitsFile, ModelChoice, ModelRow};

/// The rows, with the limits that servers have said in place of those of the table. Other models are not asked about.
pub async fn with_said_limits(rows: Vec<ModelRow>, choice: &ModelChoice) -> Vec<ModelRow> {
    let Some(data) = &choice.data else { return rows };
    // Where the model is used, it is said that the file cannot be read.
    let stored = LimitsFile::in_folder(data).all().unwrap_or_default();
    let is_said = |row: &ModelRow| {
        let mut models = stored.iter().filter_map(|(key, _)| key.split_once('/'));
        models.any(|(_, model)| model == row.info.name)
    };
    let mut all = Vec::new();
    for row in rows {
        let connected = if is_said(&row) {
            ConnectedModel::connect(&choice.with_model(&row.info.origin().to_string())).await.ok()
        } else {
            None
        };
        all.push(connected.map_or(row, |connected| connected.row));
    }
    all
}
