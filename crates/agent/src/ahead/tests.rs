//! A summary outlives no agent.

use std::future::pending;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

use super::*;

#[tokio::test]
async fn the_summary_of_an_agent_that_is_gone_is_stopped() {
    let (held, dropped) = oneshot::channel::<()>();
    let running = tokio::spawn(async move {
        let _held = held;
        pending::<SummaryEnd>().await
    });
    drop(AheadSummary { running: Some(running) });
    let stopped = timeout(Duration::from_secs(20), dropped).await;
    assert!(stopped.is_ok_and(|end| end.is_err()), "it runs on");
}
