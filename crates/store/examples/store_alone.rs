//! The store on its own: a session on disk that another process reads again. Needs no model and no agent.
//!
//! ```text
//! cargo run -p throughline-store --example store_alone
//! ```

use throughline_continuity::{MessageLog, Part, SessionDirectory as _, SessionInfo, read_all};
use throughline_conversation::{
    ExchangeId, Message, MessageRecord, Millis, Record, RecordBody, Seq, SessionId, Source,
};
use throughline_store::Store;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let database = folder.path().join("sessions.db");
    let session = SessionId::new("example")?;
    let info = SessionInfo {
        id: session.clone(),
        title: "an example".to_owned(),
        workspace: String::new(),
        model: "none".to_owned(),
        created: Millis(0),
    };
    let message = MessageRecord { message: Message::user("hello"), source: Source::User, usage: None };
    let record =
        Record { seq: Seq(1), at: Millis(0), exchange: ExchangeId(1), body: RecordBody::Message(message) };
    {
        let store = Store::open(&database).await?;
        store.sessions().create(&info).await?;
        store.message_log().append(&session, std::slice::from_ref(&record)).await?;
        store.close().await?;
    }
    let store = Store::open(&database).await?;
    let records = read_all(&store.message_log(), &session, Seq(0), Part::All).await?.records;
    assert_eq!(records, [record]);
    println!("{} record(s) of session {session} read back", records.len());
    Ok(())
}
