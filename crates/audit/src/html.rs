//! An audit as a page: one file with inline charts, without scripts and without anything from elsewhere.

mod causes;
mod policies;
mod text;
mod windows;

use throughline_text::group_thousands;

use self::text::escaped;
use super::money::dollars;
use super::table;
use crate::totals::AuditReport;

/// The beginning of the page, with its security policy.
const HEAD: &str = include_str!("html/head.html");

/// Colours in both schemes, and the layout.
const STYLE: &str = include_str!("html/style.css");

/// The whole page.
#[must_use]
pub fn html(report: &AuditReport) -> String {
    let totals = &report.totals;
    let mut page =
        format!("{HEAD}<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>Where the money went</h1>\n");
    let all = match totals.has_no_price() {
        true => format!("{} tokens", group_thousands(totals.usage.prompt() + totals.usage.output)),
        false => format!("${}", dollars(totals.dollars)),
    };
    page.push_str(&format!(
        "<p class=\"lead\"><strong>{all}</strong> for {requests} requests in {count} sessions.</p>\n\
         <p class=\"advice\">{advice}</p>\n",
        count = report.sessions.len(),
        requests = totals.requests,
        advice = escaped(&table::notes::recommendation(report)),
    ));
    section(&mut page, "Cost by cause", &causes::chart(report));
    section(&mut page, "Window over time", &windows::charts(report));
    section(&mut page, "Policies: cost against regret", &policies::chart(report));
    let unit = table::unit(report);
    let (tools, items, reads) = (
        format!("Tools, in {unit}"),
        format!("Largest items, in {unit}"),
        format!("Files read again, in {unit}"),
    );
    let tables = [
        ("Causes", table::causes(report)),
        ("Policies, in dollars of input", table::policies::policies(report)),
        ("Sessions, in dollars", table::sessions(report)),
        (tools.as_str(), table::tools(report)),
        (items.as_str(), table::items(report)),
        (reads.as_str(), table::reads(report)),
        ("Recorded compactions", table::policies::compactions(report)),
        ("Session ids", table::notes::names(report)),
    ];
    for (title, rows) in tables {
        section(&mut page, title, &text::table(&rows));
    }
    page.push_str("<footer>\n");
    let notes = table::notes::notes(report);
    for note in std::iter::once(table::notes::COLUMNS).chain(notes.iter().map(String::as_str)) {
        page.push_str(&format!("<p>{}</p>\n", escaped(note)));
    }
    page.push_str("</footer>\n</body>\n</html>\n");
    page
}

/// Adds a part under its title, if there is something in it.
fn section(page: &mut String, title: &str, content: &str) {
    if !content.is_empty() {
        page.push_str(&format!("<section>\n<h2>{}</h2>\n{content}</section>\n", escaped(title)));
    }
}
