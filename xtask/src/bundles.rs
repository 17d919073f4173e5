//! Packages of other languages that a suite needs: fetched once by that language's own tool, kept below `target/`.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use crate::quiet::{Run, succeeds};

/// How long an install may take: that of frameworks takes more than ten minutes where the machine has other work.
const LIMIT: Duration = Duration::from_secs(30 * 60);

/// Packages that are installed together, apart from those of the machine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bundle {
    /// The name of its folder.
    pub(crate) name: &'static str,
    /// Who installs it.
    pub(crate) tool: Tool,
    /// Names and exact versions.
    pub(crate) packages: &'static [(&'static str, &'static str)],
    /// Through this variable the suite gets the path of [`Tool::entry`].
    pub(crate) variable: &'static str,
}

/// A language's own installer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tool {
    /// Node's.
    Npm,
    /// The same; a suite is given this file of it.
    NpmProgram(&'static str),
    /// The same. A Node is among the packages, so that of the machine may be older than they need.
    NpmWithNode,
    /// Python's, in a virtual environment.
    Pip,
    /// The same, without what the packages say they need.
    PipAlone,
}

impl Bundle {
    /// Makes sure that the bundle is installed below `folder`, and gives the path for the suite. The error is the
    /// reason for which a suite is skipped.
    pub(crate) fn ensure(&self, folder: &Path) -> Result<PathBuf, String> {
        // What an installer complains about is shown.
        self.ensure_with(folder, &mut |words| succeeds(words, Stdio::inherit(), LIMIT))
    }

    /// The same, with the commands run by the caller.
    fn ensure_with(&self, folder: &Path, run: Run<'_>) -> Result<PathBuf, String> {
        let home = folder.join(self.name);
        if self.is_in(&home) {
            return Ok(home.join(self.tool.entry()));
        }
        // Nothing half-made ever has the final name: an install that was interrupted is made again.
        let part = folder.join(format!("{}.part", self.name));
        for old in [&home, &part] {
            remove(old)?;
        }
        std::fs::create_dir_all(&part)
            .map_err(|error| format!("could not make the folder `{}`: {error}", part.display()))?;
        for command in self.tool.commands(&part, &self.wanted()) {
            let words: Vec<&str> = command.iter().map(String::as_str).collect();
            if !run(&words) {
                return Err(format!(
                    "`{}` did not succeed; it needs a network the first time",
                    words.join(" ")
                ));
            }
        }
        if !self.is_in(&part) {
            return Err(format!(
                "{} not in `{}` after its install",
                self.wanted().join(", "),
                part.display()
            ));
        }
        std::fs::rename(&part, &home)
            .map_err(|error| format!("could not rename `{}`: {error}", part.display()))?;
        Ok(home.join(self.tool.entry()))
    }

    /// The packages as their tool names them.
    fn wanted(&self) -> Vec<String> {
        let between = match self.tool {
            Tool::Npm | Tool::NpmProgram(_) | Tool::NpmWithNode => "@",
            Tool::Pip | Tool::PipAlone => "==",
        };
        self.packages.iter().map(|(name, version)| format!("{name}{between}{version}")).collect()
    }

    /// Returns true if all packages are installed in their versions, with what starts them.
    fn is_in(&self, home: &Path) -> bool {
        // Follows links: the Python that an environment was made with may be gone.
        home.join(self.tool.entry()).exists()
            && self.packages.iter().all(|(name, version)| self.tool.has(home, name, version))
    }
}

impl Tool {
    /// What a suite is given, seen from the folder of the bundle.
    fn entry(self) -> &'static str {
        match self {
            Self::Npm | Self::NpmWithNode => "node_modules/.bin",
            Self::NpmProgram(file) => file,
            Self::Pip | Self::PipAlone => "bin/python",
        }
    }

    /// What installs the packages into an empty folder.
    fn commands(self, folder: &Path, wanted: &[String]) -> Vec<Vec<String>> {
        let folder = folder.display().to_string();
        let own = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        match self {
            Self::Npm | Self::NpmProgram(_) | Self::NpmWithNode => {
                let mut install = own(&["npm", "install", "--prefix", &folder, "--loglevel=error"]);
                // The packages' own scripts are not run, a Node that is too old is an error, and so is, after half
                // a minute and not after several, a missing network.
                install.push("--ignore-scripts".to_owned());
                if self != Self::NpmWithNode {
                    install.push("--engine-strict".to_owned());
                }
                install.push("--fetch-retries=1".to_owned());
                install.extend(own(&["--no-audit", "--no-fund"]));
                install.extend_from_slice(wanted);
                vec![install]
            }
            Self::Pip | Self::PipAlone => {
                let python = format!("{folder}/{}", self.entry());
                let mut install = own(&[&python, "-m", "pip", "install", "--quiet", "--no-input"]);
                if self == Self::PipAlone {
                    install.push("--no-deps".to_owned());
                }
                install.extend_from_slice(wanted);
                vec![own(&["python3", "-m", "venv", &folder]), install]
            }
        }
    }

    /// Returns true if a folder has a package in this version, by the files that every install leaves.
    fn has(self, folder: &Path, name: &str, version: &str) -> bool {
        match self {
            Self::Npm | Self::NpmProgram(_) | Self::NpmWithNode => {
                let manifest = folder.join("node_modules").join(name).join("package.json");
                let manifest = std::fs::read(manifest).unwrap_or_default();
                let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap_or_default();
                manifest.get("version").and_then(serde_json::Value::as_str) == Some(version)
            }
            Self::Pip | Self::PipAlone => {
                let lib = std::fs::read_dir(folder.join("lib")).into_iter().flatten().flatten();
                let facts = format!("site-packages/{}-{version}.dist-info", name.replace('-', "_"));
                lib.map(|python| python.path().join(&facts)).any(|facts| facts.is_dir())
            }
        }
    }
}

fn remove(folder: &Path) -> Result<(), String> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("could not remove the folder `{}`: {error}", folder.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
