//! An audit as CSV (RFC 4180): one row for each request.

use crate::request::AuditedRequest;
use crate::session::SessionAudit;
use crate::totals::AuditReport;

/// The header.
const HEAD: &str = "session,format,request,turn,step,asked_at,idle_ms,model,input,cache_read,cache_write,output,\
    input_estimated,output_estimated,priced,after_compaction,usd_new_text,usd_cache_reads,usd_idle_restarts,\
    usd_prefix_changes,usd_compactions,usd_output,usd\r\n";

/// The whole file. Dollars of requests without a known price are empty.
#[must_use]
pub fn csv(report: &AuditReport) -> String {
    let mut out = HEAD.to_owned();
    for session in &report.sessions {
        for (place, step) in session.steps.iter().enumerate() {
            out.push_str(&row(session, place + 1, step).join(","));
            out.push_str("\r\n");
        }
    }
    out
}

fn row(session: &SessionAudit, number: usize, step: &AuditedRequest) -> Vec<String> {
    let usage = step.usage;
    let mut row = vec![
        field(&session.session),
        session.format.to_string(),
        number.to_string(),
        step.turn.to_string(),
        step.step.to_string(),
        step.asked_at.map(throughline_conversation::Millis::rfc3339).unwrap_or_default(),
        step.idle_ms.to_string(),
        field(step.model.as_deref().unwrap_or_default()),
    ];
    row.extend(
        [usage.input, usage.cache_read, usage.cache_write, usage.output].map(|tokens| tokens.to_string()),
    );
    row.extend(
        [step.input_estimated, step.output_estimated, step.priced, step.compacted]
            .map(|flag| flag.to_string()),
    );
    let dollars = |amount: f64| if step.priced { format!("{amount:.6}") } else { String::new() };
    row.extend(step.causes.named().map(|(_, spent)| dollars(spent.dollars)));
    row.push(dollars(step.causes.dollars()));
    row
}

/// A text as a field. A text that a spreadsheet would run as a formula gets a quote in front.
fn field(text: &str) -> String {
    let mark = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    if text.contains([',', '"', '\n', '\r']) {
        return format!("\"{mark}{}\"", text.replace('"', "\"\""));
    }
    format!("{mark}{text}")
}
