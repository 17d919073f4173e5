//! What the list of sessions can be filtered by, and its order.

use maud::{Markup, html};
use url::form_urlencoded::Serializer;

use crate::answer::Failure;
use crate::params::Params;

/// Orders of the list.
const ORDERS: [(&str, &str); 5] = [
    ("active", "last active"),
    ("cost", "cost"),
    ("tokens", "tokens"),
    ("requests", "requests"),
    ("title", "title"),
];

/// Maximum number of folders that are offered.
const FOLDERS: usize = 8;

/// What the list is asked for.
pub(super) struct Wanted<'p> {
    pub(super) words: Option<&'p str>,
    pub(super) folder: Option<&'p str>,
    pub(super) agent: Option<&'p str>,
    pub(super) order: &'p str,
}

impl<'p> Wanted<'p> {
    pub(super) fn read(params: &'p Params) -> Result<Self, Failure> {
        let order = params.text("sort").unwrap_or("active");
        if !ORDERS.iter().any(|(name, _)| *name == order) {
            let names: Vec<&str> = ORDERS.iter().map(|(name, _)| *name).collect();
            return Err(Failure::input(format!("`sort` must be one of {}", names.join(", "))));
        }
        Ok(Self {
            words: params.text("q"),
            folder: params.text("folder"),
            agent: params.text("agent"),
            order,
        })
    }

    /// The address of the list with one parameter changed; `None` removes it.
    pub(super) fn with(&self, name: &str, value: Option<&str>) -> String {
        let mut query = Serializer::new(String::new());
        let own = [
            ("q", self.words),
            ("folder", self.folder),
            ("agent", self.agent),
            ("sort", Some(self.order).filter(|order| *order != "active")),
        ];
        for (key, present) in own {
            if let Some(value) = if key == name { value } else { present } {
                query.append_pair(key, value);
            }
        }
        match query.finish() {
            empty if empty.is_empty() => "/".to_owned(),
            query => format!("/?{query}"),
        }
    }
}

/// What the list can be filtered by, and its order.
pub(super) fn filters(
    wanted: &Wanted<'_>,
    agents: &[(String, usize)],
    folders: &[(String, usize)],
) -> Markup {
    let chosen = |is: bool| is.then_some("true");
    html! {
        div.filters {
            form action="/" method="get" role="search" {
                input type="search" name="q" value=(wanted.words.unwrap_or_default()) placeholder="Filter by title, id or folder" aria-label="Filter the sessions";
                @for (name, value) in [("folder", wanted.folder), ("agent", wanted.agent)] { @if let Some(value) = value { input type="hidden" name=(name) value=(value); } }
                label { "Order " select name="sort" data-submit="" { @for (name, text) in ORDERS { option value=(name) selected[wanted.order == name] { (text) } } } }
                button.always type="submit" { "Show" }
            }
            @if agents.len() > 1 || wanted.agent.is_some() { nav.facets aria-label="Agents" {
                a href=(wanted.with("agent", None)) aria-current=[chosen(wanted.agent.is_none())] { "all agents" }
                @for (agent, count) in agents { a href=(wanted.with("agent", Some(agent))) aria-current=[chosen(wanted.agent == Some(agent))] { (agent) " " span.sub { (count) } } }
            } }
            @if folders.len() > 1 || wanted.folder.is_some() { nav.facets aria-label="Folders" {
                a href=(wanted.with("folder", None)) aria-current=[chosen(wanted.folder.is_none())] { "all folders" }
                @for (folder, count) in folders.iter().take(FOLDERS) { a href=(wanted.with("folder", Some(folder))) aria-current=[chosen(wanted.folder == Some(folder))] title=(folder) { (short_path(folder)) " " span.sub { (count) } } }
                @if folders.len() > FOLDERS { span.sub { "and " (folders.len() - FOLDERS) " more" } }
            } }
        }
    }
}

/// The last two names of a path.
fn short_path(path: &str) -> String {
    let names: Vec<&str> = path.rsplit('/').filter(|name| !name.is_empty()).take(2).collect();
    names.into_iter().rev().collect::<Vec<_>>().join("/")
}
