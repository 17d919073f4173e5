//! Layered settings: defaults, the user's, the project's, the environment's and the command line's.
//!
//! Each text is read into a [`Layer`]: a TOML file, a JSON file, variables, options. [`resolve`] puts layers over each
//! other, later ones over earlier ones, and checks what only makes sense together. In the [`Resolved`] settings each value
//! knows its [`Origin`], so that an error, a rule or `config show` can say where it was written. What a project's file
//! says before the user trusts the project takes effect only where it can do no harm; the rest is [`Held`] back, and named.
//!
//! Every key stands in one table ([`schema`]): what it may hold, which variable sets it, whether a project may set it by
//! itself. A key that is not there, a value of a wrong kind and one that is impossible are a [`SettingsError`] with the
//! place and the mend: nobody writes them on purpose, and nothing is skipped.
//!
//! Neighbours: none. `cli` reads the files, gives the texts and acts on the values.
//!
//! It does NOT know: files, the environment, who trusts what, and what a value is for. Rules of permissions are texts here.

mod error;
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

pub use error::SettingsError;
pub use key::{Key, keys};
pub use kind::{Secrets, Value};
pub use layer::{Flag, Layer};
pub use mcp::{McpServer, McpTransport};
pub use origin::{Origin, Scope};
pub use resolve::{Held, Holds, Item, Resolved, resolve};
pub use schema::{Kind, Spec, Trust, schema};
