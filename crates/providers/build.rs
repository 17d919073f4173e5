//! Converts the table of models to JSON.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

const TABLE: &str = "src/models/models.toml";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={TABLE}");
    println!("cargo::rerun-if-changed=build.rs");
    let table: serde_json::Value =
        toml::from_str(&fs::read_to_string(TABLE)?).map_err(|error| format!("{TABLE}: {error}"))?;
    let folder = env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?;
    fs::write(Path::new(&folder).join("models.json"), table.to_string())?;
    Ok(())
}
