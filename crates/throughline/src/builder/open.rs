//! Opens the session that a builder describes.

use std::sync::Arc;

use throughline_agent::NullSink;
use throughline_config::{Config, ConfigSources, workspace};
use throughline_session::{
    RunOptions, Session, SessionModels, SessionOptions, SystemPrompt, ToolSet, User as _, check_unattended,
    open,
};
use throughline_settings::{Flag, setting_named};
use throughline_stored::{Error, Result, recorded_model};
use throughline_tools::ToolRegistry;

use super::Builder;
use super::front_end::FrontEnd;

impl Builder {
    /// Opens the session.
    ///
    /// # Errors
    /// [`Error::Model`] if no model can be asked; [`Error::Busy`] if another process has the session open; [`Error::Missing`] if the
    /// session that is continued or copied does not exist; [`Error::Settings`] if a setting cannot be used; another one if a tool
    /// has an unusable name, or a limit is 0.
    pub async fn open(self) -> Result<Session> {
        self.check()?;
        let workspace = workspace(self.workspace.as_deref())?;
        let mut flags = self.flags;
        for (key, text) in self.keys {
            flags.push(Flag { name: "Builder::setting", key: setting_named(&key)?.key, text });
        }
        let config = Config::load(ConfigSources {
            file: self.settings_file.as_deref(),
            no_user_files: !self.user_settings,
            workspace: Some(&workspace),
            data_dir: self.storage.folder(),
            assume_trust: false,
            flags,
            launcher: self.launcher.transpose().map_err(|error| Error::Other(error.into()))?,
        })?;
        let storage = self.storage.open(config.storage()).await?;
        let built_in = self.built_in.unwrap_or(ToolSet::None);
        let run = RunOptions { model: self.model, tools: built_in, ..self.run };
        let models = match self.own_model {
            Some(model) => SessionModels::own(model, &run),
            None => {
                let recorded = recorded_model(&storage, &self.start).await?;
                SessionModels::connect(&run, &config, recorded.as_ref()).await?
            }
        };
        let user = FrontEnd {
            approver: self.approver,
            elicitor: self.elicitor,
            events: self.events.unwrap_or_else(|| Arc::new(NullSink)),
        };
        if !user.attendance().is_attended() {
            check_unattended(&config, &workspace, built_in)?;
        }
        let mut notices = models.notices(&config);
        let system_prompt = match self.system_prompt {
            Some(text) => SystemPrompt::Own(text),
            None if built_in == ToolSet::None => SystemPrompt::None,
            None => SystemPrompt::CodingAgent,
        };
        let mut session = open(SessionOptions {
            user: Arc::new(user),
            start: self.start,
            title: self.title,
            more_tools: self.tools,
            system_prompt,
            sections: self.sections,
            settings: self.settings,
            summarizer: self.summarizer,
            memory: self.memory,
            ..SessionOptions::new(Arc::new(config), storage, workspace, models)
        })
        .await?;
        notices.append(&mut session.notices);
        session.notices = notices;
        Ok(session)
    }

    /// Fails if a value can never work. A tool is named in the error before its name becomes a rule.
    fn check(&self) -> Result<()> {
        let mut tools = ToolRegistry::new();
        self.tools.iter().try_for_each(|tool| tools.register(Arc::clone(tool)))?;
        for (method, most) in [
            ("Builder::max_requests", self.run.max_requests),
            ("Builder::max_output_tokens", self.run.max_output_tokens),
        ] {
            if most == Some(0) {
                return Err(Error::usage(format!("{method} is 0: no turn could end")));
            }
        }
        if self.own_model.is_some() && !self.run.fallbacks.is_empty() {
            let why =
                "Builder::fallback has no effect with Builder::model_port: that model has to name its own";
            return Err(Error::usage(why));
        }
        Ok(())
    }
}
