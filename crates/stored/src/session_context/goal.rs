//! What a session is about, by the requests of the user alone.

/// A request of at least this many bytes is a task of its own: it replaces the goal.
const SUBSTANTIAL: usize = 400;

/// What a plan begins with that the user hands over.
const PLANS: [&str; 3] = ["implement the following plan", "# plan", "## plan"];

/// The requests of a session by what they are for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Requests {
    /// The newest one that is a task of its own, or else the first.
    pub(super) goal: String,
    /// The first one, where another is the goal.
    pub(super) first: String,
    /// Those between the first and the last, without the goal.
    pub(super) between: Vec<String>,
    /// The last one.
    pub(super) last: String,
}

/// Something that the user has said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UserWords {
    text: String,
    /// It is an answer within a tool, or why a call was refused.
    is_within_tool: bool,
}

impl UserWords {
    /// A message of its own.
    pub(super) fn request(text: String) -> Self {
        Self { text, is_within_tool: false }
    }

    /// Words within a tool, while the model worked on a request.
    pub(super) fn within_tool(text: String) -> Self {
        Self { text, is_within_tool: true }
    }
}

impl Requests {
    /// Of what the user has said, oldest first. The goal and the last one are messages of their own, if there are any.
    pub(super) fn of(said: Vec<UserWords>) -> Self {
        let is_request = |words: &UserWords| !words.is_within_tool;
        let end = said.len().saturating_sub(1);
        let last = said.iter().rposition(is_request).unwrap_or(end);
        let first = said.iter().position(is_request).unwrap_or_default();
        let goal = said.iter().rposition(|words| is_request(words) && is_substantial(&words.text));
        let goal = goal.unwrap_or(first);
        let text = |place: usize| said.get(place).map(|words| words.text.clone()).unwrap_or_default();
        let (goal_text, last_text) = (text(goal), text(last));
        let first_text = if goal == first { String::new() } else { text(first) };
        let between = said.into_iter().enumerate();
        let between = between.filter(|(place, _)| ![first, goal, last].contains(place));
        let between = between.map(|(_, words)| words.text).collect();
        Self { goal: goal_text, first: first_text, between, last: last_text }
    }
}

/// Returns true if a request is a task of its own, and not one of the many short ones on the way to the goal.
fn is_substantial(request: &str) -> bool {
    let start = request.trim_start().to_lowercase();
    request.trim().len() >= SUBSTANTIAL && !start.starts_with("this session is being continued")
        || PLANS.iter().any(|plan| start.starts_with(plan))
}

#[cfg(test)]
mod tests;
