//! Changes one key in a settings file.

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use throughline_settings::{Layer, McpTransport, Scope, SettingsError, SettingsText, resolve};

use crate::error::{Attempt as _, ConfigError, Result};
use crate::folders::{settings_files, workspace};
use crate::json_file::lock_open;
use crate::layers::layer;
use crate::project::Project;
use crate::usable;

/// A settings file in TOML that is changed key by key. Comments, order and permissions stay.
#[derive(Debug, Clone)]
pub struct SettingsFile {
    scope: Scope,
    path: PathBuf,
    /// The folder that the file may not lead out of.
    within: Option<PathBuf>,
}

/// A change of a file.
#[derive(Debug, Clone, Copy, Default)]
struct Change<'a> {
    /// The keys that change.
    keys: &'a [&'a str],
    /// A file that could not be used before may be left so.
    corrects: bool,
}

impl SettingsFile {
    /// The user's own: `config.toml` in the config folder.
    ///
    /// # Errors
    /// There is no config folder, because neither `XDG_CONFIG_HOME` nor `HOME` is set.
    pub fn of_user() -> Result<Self> {
        let toml = settings_files().into_iter().find(|file| is_toml(file));
        let path = toml.ok_or_else(|| {
            ConfigError::usage("there is no folder for settings; set HOME or XDG_CONFIG_HOME")
        })?;
        Ok(Self { scope: Scope::User, path, within: None })
    }

    /// That of the project in `folder`, or of the user.
    ///
    /// # Errors
    /// There is no such folder, or no config folder.
    pub fn chosen(is_project: bool, folder: Option<&Path>) -> Result<Self> {
        if !is_project {
            return Self::of_user();
        }
        let project = Project::read(&workspace(folder)?);
        let within = Some(project.root.clone());
        Ok(Self { scope: Scope::Project, path: PathBuf::from(project.config_name()), within })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Sets a key, atomically. A missing file is created.
    ///
    /// # Errors
    /// An unknown key, a value that it cannot have alone or together with the other settings, and a file that cannot be
    /// read or written. Then the file is unchanged.
    pub fn set(&self, key: &str, value: &str) -> Result<()> {
        self.set_all(&[(key, value)])
    }

    /// Sets several keys at once, all or none.
    ///
    /// # Errors
    /// As for [`SettingsFile::set`].
    pub fn set_all(&self, values: &[(&str, &str)]) -> Result<()> {
        let keys: Vec<&str> = values.iter().map(|(key, _)| *key).collect();
        let set = |begin: SettingsText<'_>| -> std::result::Result<_, SettingsError> {
            let mut text = begin.text.to_owned();
            for (key, value) in values {
                text = SettingsText { text: &text, ..begin }.set(key, value)?;
            }
            Ok(Some(text))
        };
        self.change(Change { keys: &keys, corrects: false }, set).map(|_| ())
    }

    /// Removes a key, atomically, also from a file that cannot be used. Returns false if the file does not have it.
    ///
    /// # Errors
    /// As for [`SettingsFile::set`], without those of a file that could not be used before either.
    pub fn unset(&self, key: &str) -> Result<bool> {
        self.change(Change { keys: &[key], corrects: true }, |text| text.unset(key))
    }

    /// Adds an MCP server, atomically.
    ///
    /// # Errors
    /// Its name is taken or cannot be used, or so for [`SettingsFile::set`].
    pub fn add_server(&self, name: &str, transport: &McpTransport) -> Result<()> {
        self.change(Change::default(), |text| text.add_server(name, transport).map(Some)).map(|_| ())
    }

    /// Removes an MCP server, atomically. Returns false if the file does not have it.
    ///
    /// # Errors
    /// As for [`SettingsFile::set`].
    pub fn remove_server(&self, name: &str) -> Result<bool> {
        self.change(Change::default(), |text| text.remove_server(name))
    }

    fn change<E: Into<ConfigError>>(
        &self,
        of: Change<'_>,
        change: impl Fn(SettingsText<'_>) -> std::result::Result<Option<String>, E>,
    ) -> Result<bool> {
        let shown = self.path.display().to_string();
        let changed = |before: &str| -> Result<Option<String>> {
            let text = SettingsText { scope: self.scope, file: &shown, text: before };
            let Some(text) = change(text).map_err(Into::into)? else { return Ok(None) };
            match self.check(&shown, &text, of.keys) {
                Err(_) if of.corrects && self.check(&shown, before, of.keys).is_err() => {}
                checked => checked?,
            }
            Ok(Some(text))
        };
        // Before anything is created: what is refused leaves no folder.
        if changed(&self.read(&self.real()?)?)?.is_none() {
            return Ok(false);
        }
        let unusable = || format!("cannot write {shown}");
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let mode = if self.scope == Scope::User { 0o700 } else { 0o777 };
        fs::DirBuilder::new().recursive(true).mode(mode).create(folder).attempt(unusable)?;
        let _lock = lock_open(File::open(folder).attempt(unusable)?, folder)?;
        let real = self.real()?;
        let Some(text) = changed(&self.read(&real)?)? else { return Ok(false) };
        self.replace(&real, &text)?;
        Ok(true)
    }

    /// The file behind the links of its path.
    fn real(&self) -> Result<PathBuf> {
        let shown = self.path.display();
        let real = match self.path.canonicalize() {
            Ok(real) => real,
            Err(_) if self.path.symlink_metadata().is_err() => self.path.clone(),
            Err(error) => return Err(error).attempt(|| format!("cannot follow {shown}")),
        };
        // The folder of a missing file may be a link.
        let nearest = real.ancestors().find_map(|place| place.canonicalize().ok()).unwrap_or_default();
        if self.within.as_ref().is_some_and(|root| !nearest.starts_with(root)) {
            let text = format!("{shown} leads out of the project; replace the link by a file");
            return Err(ConfigError::usage(text));
        }
        Ok(real)
    }

    fn read(&self, real: &Path) -> Result<String> {
        match fs::metadata(real) {
            Ok(metadata) if !metadata.is_file() => {
                Err(ConfigError::usage(format!("{} is no file; remove it", self.path.display())))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
            _ => fs::read_to_string(real).attempt(|| format!("cannot read {}", self.path.display())),
        }
    }

    /// Fails if the file with this text, in which these keys have changed, could not be used together with the files below it.
    fn check(&self, shown: &str, text: &str, keys: &[&str]) -> Result<()> {
        let below = settings_files().into_iter().filter(|file| file.exists());
        let below = below.filter(|file| self.scope == Scope::Project || !is_toml(file));
        let mut layers = below.map(|file| layer(&file)).collect::<Result<Vec<_>>>()?;
        layers.push(Layer::from_toml(self.scope, shown, text)?);
        let resolved = resolve(layers, true)?;
        usable::check(&resolved, |key| keys.contains(&key))
    }

    fn replace(&self, real: &Path, text: &str) -> Result<()> {
        let unusable = || format!("cannot write {}", self.path.display());
        let folder = real.parent().unwrap_or(Path::new("."));
        let fresh = if self.scope == Scope::User { 0o600 } else { 0o666 };
        // The process's mask applies to a new file, and an old one's permissions stay.
        let old = fs::metadata(real).ok().map(|metadata| metadata.permissions());
        let mut builder = tempfile::Builder::new();
        builder.permissions(fs::Permissions::from_mode(fresh));
        let mut file = builder.tempfile_in(folder).attempt(unusable)?;
        if let Some(old) = old {
            file.as_file().set_permissions(old).attempt(unusable)?;
        }
        file.write_all(text.as_bytes()).and_then(|()| file.as_file().sync_all()).attempt(unusable)?;
        file.persist(real).map_err(|error| error.error).attempt(unusable)?;
        Ok(())
    }
}

fn is_toml(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "toml")
}
