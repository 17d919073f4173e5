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

impl Requests {
    /// Of the requests, oldest first.
    pub(super) fn of(mut requests: Vec<String>) -> Self {
        let Some(last) = requests.last().cloned() else { return Self::default() };
        let at = requests.iter().rposition(|text| is_substantial(text)).unwrap_or_default();
        let first = requests.first().filter(|_| at > 0).cloned().unwrap_or_default();
        let goal = requests.get(at).cloned().unwrap_or_default();
        requests.pop();
        let between = requests.into_iter().enumerate().skip(1).filter(|(place, _)| *place != at);
        Self { goal, first, between: between.map(|(_, text)| text).collect(), last }
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
