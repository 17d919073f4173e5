//! A session whose model is the mock of others.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use serde_json::Value;
use throughline_providers::http::{Endpoint, Key};

use crate::aimock::{Aimock, KEY, TEST_ID};
use crate::protocol::{Client, Protocol};
use crate::session::Session;

/// A session, and what the mock notes of it.
#[derive(Debug)]
pub(crate) struct Mocked {
    session: Session,
    mock: Arc<Aimock>,
    test: String,
}

impl Mocked {
    /// A session of its own for the test of this name.
    pub(crate) async fn open(protocol: Protocol, test: &str) -> Self {
        Self::open_with(protocol, test, |_| {}).await
    }

    /// The same with another client.
    pub(crate) async fn open_with(protocol: Protocol, test: &str, change: impl FnOnce(&mut Client)) -> Self {
        let mock = Aimock::running();
        let test = format!("{}-{test}", protocol.name());
        let endpoint = Endpoint::new(&mock.url()).unwrap().with_key(Key::new(KEY));
        let mut client = Client::new(protocol, endpoint.with_header(TEST_ID, Key::new(test.as_str())));
        change(&mut client);
        Self { session: Session::open(client).await, mock, test }
    }

    /// What came in of this session's requests.
    pub(crate) fn journal(&self) -> Vec<Value> {
        self.mock.journal(&self.test)
    }

    /// The statuses that this session's requests were answered with.
    pub(crate) fn statuses(&self) -> Vec<u64> {
        self.journal().iter().map(|entry| entry["response"]["status"].as_u64().unwrap()).collect()
    }

    /// The end of every scenario, see [`Session::assert_usable`].
    pub(crate) async fn assert_usable(self) {
        self.session.assert_usable().await;
    }
}

impl Deref for Mocked {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.session
    }
}

impl DerefMut for Mocked {
    fn deref_mut(&mut self) -> &mut Session {
        &mut self.session
    }
}
