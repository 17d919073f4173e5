//! Converts the table of models to JSON, and the tokens of `o200k_base` to the form that the counter reads.

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
    #[cfg(feature = "tokens")]
    fs::write(Path::new(&folder).join("o200k.tokens"), tokens()?)?;
    Ok(())
}

/// The tokens by rank, each as its length and its bytes.
#[cfg(feature = "tokens")]
fn tokens() -> Result<Vec<u8>, Box<dyn Error>> {
    /// After these come the special tokens.
    const TOKENS: u32 = 199_998;
    let encoding = tiktoken_rs::o200k_base()?;
    let mut all = Vec::new();
    for rank in 0..TOKENS {
        let bytes = encoding.decode_bytes(&[rank])?;
        all.push(u8::try_from(bytes.len())?);
        all.extend(bytes);
    }
    Ok(all)
}
