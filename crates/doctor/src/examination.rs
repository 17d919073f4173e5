//! The examination: one thing after the other, and what needs an answer from outside at the same time.

use std::path::PathBuf;

use throughline_config::{Config, ConfigSources, Trust};
use throughline_connect::ModelChoice;
use throughline_session::this_program;
use throughline_text::error_chain;

use crate::finding::{Area, Finding};
use crate::{git, models, sandbox, storage, terminal};

/// Which installation is examined.
#[derive(Debug, Clone, Default)]
pub struct ExamineOptions {
    /// The version of the program.
    pub version: String,
    /// The data folder; `None`: the user's own.
    pub data_dir: Option<PathBuf>,
    /// The model as options name it. Settings complete it.
    pub model: ModelChoice,
    /// Leaves out whatever needs a network.
    pub offline: bool,
}

/// Looks at everything. Providers get 10 seconds to answer.
pub async fn examine(options: &ExamineOptions) -> Vec<Finding> {
    let mut found = vec![program(options)];
    let sources = ConfigSources {
        data_dir: options.data_dir.clone(),
        launcher: this_program(),
        ..ConfigSources::default()
    };
    let config = match Config::load(sources) {
        Ok(config) => config,
        Err(error) => {
            found.push(
                Finding::problem(Area::Settings, error_chain(&error))
                    .fix("correct that setting; `throughline config path` lists the files"),
            );
            found.push(git::examine().await);
            found.push(terminal::examine());
            return found;
        }
    };
    found.extend(settings(&config));
    found.extend(hooks(&config));
    found.push(project(&config));
    let model = options.model.completed(&config);
    let (models, stored) =
        tokio::join!(models::examine(&model, &config, options.offline), storage::examine(&config));
    found.extend(models);
    found.extend(sandbox::examine(&config).await);
    found.push(git::examine().await);
    found.extend(stored);
    found.push(terminal::examine());
    found
}

fn program(options: &ExamineOptions) -> Finding {
    let system = rustix::system::uname();
    let text = format!(
        "throughline {}, {} {} {}",
        options.version,
        system.sysname().to_string_lossy(),
        system.release().to_string_lossy(),
        system.machine().to_string_lossy()
    );
    Finding::good(Area::Program, text)
}

fn settings(config: &Config) -> Vec<Finding> {
    let notices = config.notices();
    if notices.is_empty() {
        return vec![Finding::good(Area::Settings, "each can be used and has an effect")];
    }
    notices.into_iter().map(|text| Finding::note(Area::Settings, text)).collect()
}

/// A file of hooks that no session can use.
fn hooks(config: &Config) -> Option<Finding> {
    let error = config.hooks().err()?;
    Some(Finding::problem(Area::Settings, error_chain(&error)).fix("correct that file"))
}

fn project(config: &Config) -> Finding {
    let root = config.project.root.display();
    let ignored = config.ignored().len();
    if config.trust == Trust::Trusted || ignored == 0 {
        return Finding::good(Area::Project, format!("{root}: {}", config.trust.text()));
    }
    let what = if ignored == 1 { "of its settings and files has" } else { "of its settings and files have" };
    Finding::note(Area::Project, format!("{root}: {}; {ignored} {what} no effect", config.trust.text()))
        .fix("read them with `throughline config show`, then run `throughline trust`")
}
