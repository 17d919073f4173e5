//! The hooks of a session: of the user, of a project that is trusted, and of plugins.

use throughline_hooks::{Hook, HookOrigin};
use throughline_plugins::{Plugin, ROOT_VARIABLE};
use throughline_settings::keys;
use throughline_text::error_chain;

use crate::config::Config;
use crate::error::Result;
use crate::hook_texts::HookText;
use crate::trust::Trust;

impl Config {
    /// The user's hooks, those of a trusted project and those of plugins, and what the user should know of entries without an effect.
    ///
    /// # Errors
    /// A file of hooks that cannot be used, with its place. One of Claude Code or of a plugin that cannot be used is a notice.
    pub fn hooks(&self) -> Result<(Vec<Hook>, Vec<String>)> {
        let (mut hooks, mut notices) = (Vec::new(), Vec::new());
        let choice = self.resolved.get(keys::CLAUDE_HOOKS).unwrap_or_else(|| "project".to_owned());
        let user = self.user_hooks.iter().map(|text| (text, HookOrigin::User));
        let trusted = self.trust == Trust::Trusted;
        let project = self.project.hooks.iter().filter(|_| trusted).map(|text| (text, HookOrigin::Project));
        for (text, origin) in user.chain(project) {
            let wanted = match (text.foreign, origin) {
                (false, _) => true,
                (true, HookOrigin::Project) => choice != "off",
                (true, HookOrigin::User) => choice == "all",
            };
            if !wanted {
                continue;
            }
            match text.parsed(origin) {
                Ok(file) => {
                    hooks.extend(file.hooks);
                    notices.extend(file.ignored.into_iter().map(|why| format!("without effect in {why}")));
                }
                Err(error) if text.foreign => notices.push(format!("not used: {}", error_chain(&error))),
                Err(error) => return Err(error),
            }
        }
        for plugin in self.plugins.used() {
            let (more, ignored) = plugin_hooks(plugin);
            hooks.extend(more);
            notices.extend(ignored);
        }
        Ok((hooks, notices))
    }
}

/// The hooks of a plugin, and what of them has no effect.
pub(crate) fn plugin_hooks(plugin: &Plugin) -> (Vec<Hook>, Vec<String>) {
    let (mut hooks, mut notices) = (Vec::new(), Vec::new());
    for file in &plugin.hooks {
        match HookText::of_plugin(file).parsed(HookOrigin::User) {
            Ok(read) => {
                hooks.extend(read.hooks.into_iter().map(|hook| hook.of_plugin(&plugin.root, ROOT_VARIABLE)));
                notices.extend(read.ignored.into_iter().map(|why| format!("without effect in {why}")));
            }
            Err(error) => notices.push(format!("not used: {}", error_chain(&error))),
        }
    }
    (hooks, notices)
}
