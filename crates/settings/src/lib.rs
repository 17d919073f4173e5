//! Layered settings: defaults, the user's, the project's, the environment's and the command line's.
//!
//! Each text is read into a [`Layer`]: a TOML file, a JSON file, variables, options. [`resolve`] puts layers over each
//! other, later ones over earlier ones, and checks what only makes sense together. In the [`Resolved`] settings each value
//! knows its [`Origin`], so that an error, a rule or `config show` can say where it was written. What a project's file
//! says before the user trusts the project takes effect only where it can do no harm; the rest is withheld and listed as [`Held`].
//!
//! One table ([`schema`]) has every key: what it may hold, which variable sets it, whether an untrusted project may set it.
//! [`SettingsText`] changes one key of a TOML text by the same table and leaves its comments and order.
//! An unknown key, a value of the wrong kind and an impossible value are a [`SettingsError`] with the place and the fix;
//! nothing is skipped silently. A key of another agent's configuration sets ours in its own unit.
//!
//! ```
//! use throughline_settings::{Layer, Scope, keys, resolve};
//!
//! let user = Layer::from_toml(Scope::User, "config.toml", "[agent]\npolicy = \"dex\"\n[model]\nretries = 3\n")?;
//! let settings = resolve([user], true)?;
//! assert_eq!(settings.get(keys::POLICY).as_deref(), Some("dex"));
//! assert_eq!(settings.get(keys::RETRIES), Some(3));
//! # Ok::<(), throughline_settings::SettingsError>(())
//! ```
//!
//! Neighbours: `budget`, whose thresholds are values here. The program reads the files, passes their texts and acts on the values.
//!
//! It does NOT know: files, the environment, which projects are trusted, or what a value does. Rules of permissions are
//! plain texts here.

mod alias;
mod edit;
mod error;
mod items;
mod json;
mod key;
mod kind;
mod layer;
mod mcp;
mod node;
mod origin;
mod read;
mod resolve;
mod schema;
mod together;
mod toml_text;

#[cfg(test)]
mod tests;

pub use edit::{SettingsText, setting_named};
pub use error::SettingsError;
pub use items::check_fallback;
pub use key::{Key, keys};
pub use kind::{Secrets, Value};
pub use layer::{Flag, Layer};
pub use mcp::{McpLogin, McpServer, McpTransport};
pub use origin::{Origin, Scope};
pub use resolve::{Held, Holds, Item, Renamed, Resolved, resolve};
pub use schema::{Kind, Spec, Trust, schema};
