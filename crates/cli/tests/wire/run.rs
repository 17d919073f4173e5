//! `throughline run` and `throughline models`, as processes, against the mock and against our test server. Ollama's part
//! comes from the test server alone.

#[path = "run/ending.rs"]
mod ending;
#[path = "run/failing.rs"]
mod failing;
#[path = "run/home.rs"]
mod home;
#[path = "run/interrupted.rs"]
mod interrupted;
#[path = "run/models.rs"]
mod models;
#[path = "run/outputs.rs"]
mod outputs;
#[path = "run/service.rs"]
mod service;
