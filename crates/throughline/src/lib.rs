//! The assembled agent as a library.

mod config;
mod continuity;
pub mod display;
mod error;
mod folders;
mod handle;
mod instructions;
mod json_file;
mod model;
mod permissions;
mod servers;
mod session;
mod session_id;
mod storage;
mod tools;

pub use config::{Config, ConfigSources, Project, SessionSettings, Trust, TrustFile};
pub use error::{Error, Result};
pub use folders::{config_folder, model_overrides_file, settings_files, workspace};
pub use handle::{SessionHandle, SessionLog, SessionWriter};
pub use instructions::Instructions;
pub use json_file::{JsonFile, lock};
pub use model::{
    Api, ConnectError, ConnectedModel, DiscoveredProvider, KeySource, ModelChoice, ModelTransport, Provider,
    discover, endpoint, fallback_choice, local_ollama, model_table, provider_prefix, shown_address,
};
pub use permissions::{Attendance, RuleFile, permissions};
pub use servers::Servers;
pub use session::{OpenedSession, Opening, SessionStart, TITLE_CHARS, ToolObserver, open};
pub use session_id::{new_session_id, now};
pub use storage::Storage;
pub use throughline_policies::{Estimator, Policy};
pub use tools::{SANDBOX_MODE, ToolSet, unlimited};
