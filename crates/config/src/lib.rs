//! The effective settings of a session, and the user's files that they come from.
//!
//! [`Config::load`] reads the user's files, the project's, the environment and the caller's options, each over the ones
//! before. [`SessionSettings`] makes an agent's settings of them, [`StorageOptions`] says how the data folder is opened, and
//! [`TrustFile`] has the user's decisions about projects.

mod command_files;
mod config;
mod error;
mod folders;
mod hook_texts;
mod hooks;
mod instruction_settings;
mod json_file;
mod key_file;
mod layers;
mod plugin_contents;
mod plugins;
mod project;
mod secret_file;
mod session_settings;
mod setting_rules;
mod settings_file;
mod storage_options;
mod stored_keys;
mod token;
mod trust;
mod usable;
mod user_commands;
mod without_effect;

pub use config::{Config, ConfigSources};
pub use error::ConfigError;
pub use folders::{
    config_folder, model_overrides_file, project_root, session_folders, settings_files, with_tilde,
    without_tilde, workspace,
};
pub use hook_texts::HookText;
pub use instruction_settings::{DEFAULT_STYLE, InstructionSettings};
pub use json_file::{JsonFile, lock};
pub use key_file::new_key_file;
pub use layers::{command_line_variables, has_command_line, set_command_line};
pub use plugin_contents::PluginContents;
pub use plugins::{InstalledPlugin, InstalledPlugins, PluginFile, root_mark, what_runs};
pub use project::{Project, ProjectCommand};
pub use session_settings::SessionSettings;
pub use setting_rules::rules;
pub use settings_file::SettingsFile;
pub use storage_options::{Retention, StorageBlobs, StorageDatabase, StorageKey, StorageOptions};
pub use stored_keys::StoredKeys;
pub use token::{AccessToken, TokenUse, token_files};
pub use trust::{Trust, TrustFile};
pub use user_commands::UserCommand;
