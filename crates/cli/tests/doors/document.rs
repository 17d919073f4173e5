//! The OpenAPI document in the hands of others: a linter, and a generator of clients whose client works.
//!
//! Needs `THROUGHLINE_REDOCLY` and `THROUGHLINE_OPENAPI_PYTHON`, which `cargo xtask integration doors` fetches. Without one its
//! test says so and is skipped.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use tempfile::TempDir;

use crate::served::Served;

fn program(variable: &str, part: &str) -> Option<PathBuf> {
    let found = std::env::var_os(variable).map(PathBuf::from).filter(|path| path.exists());
    if found.is_none() {
        println!("skipped: doors: {variable} names no {part}");
    }
    found
}

/// A server, and the folder with its document in it.
fn documented() -> (Served, TempDir) {
    let served = Served::begin(Arc::new(TempDir::new().unwrap()), &[]);
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("openapi.json"), served.get("/api/openapi.json").body).unwrap();
    (served, folder)
}

fn said(ran: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr))
}

#[test]
fn a_linter_finds_nothing_in_the_document() {
    let Some(bin) = program("THROUGHLINE_REDOCLY", "linter") else { return };
    let (_served, folder) = documented();
    let mut lint = Command::new(bin.join("redocly"));
    let ran = lint.args(["lint", "openapi.json"]).current_dir(folder.path()).output().unwrap();
    let said = said(&ran);
    assert!(ran.status.success() && said.contains("Your API description is valid"), "{said}");
    assert!(!said.contains("You have"), "it counts its warnings so: {said}");
}

/// The generator and its formatter are in the same folder.
fn generate(python: &Path, folder: &Path) -> String {
    // A log of records and the figures for Prometheus are texts for a client.
    let texts = "content_type_overrides:\n  application/jsonl: text/plain\n  application/openmetrics-text: text/plain\n";
    std::fs::write(folder.join("generator.yml"), texts).unwrap();
    let bin = python.parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let ran = Command::new(python)
        .args([
            "-m",
            "openapi_python_client",
            "generate",
            "--path",
            "openapi.json",
            "--config",
            "generator.yml",
            "--fail-on-warning",
        ])
        .current_dir(folder)
        .env("PATH", path)
        .output()
        .unwrap();
    let said = said(&ran);
    assert!(ran.status.success(), "{said}");
    said
}

#[test]
fn a_generated_client_runs_a_turn() {
    let Some(python) = program("THROUGHLINE_OPENAPI_PYTHON", "generator of clients") else { return };
    let (served, folder) = documented();
    let generated = generate(&python, folder.path());
    assert!(!generated.to_lowercase().contains("warning"), "{generated}");
    let (address, token) = served.url.split_once("/?token=").unwrap();
    let ran = Command::new(&python)
        .args(["-c", include_str!("turn.py"), address, token])
        .current_dir(folder.path().join("throughline-client"))
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", said(&ran));
    assert_eq!(
        said(&ran).trim(),
        "anthropic body of claude-sonnet-4-5; finished: A comma.; refused: nothing_to_answer"
    );
}
