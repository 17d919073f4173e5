//! The files of another repository, fetched into an empty folder.

use std::time::Duration;

use throughline_documents::GitError;

use crate::cli::GitCli;
use crate::environment::fetching;

/// How long a fetch over a network may take.
const FETCH: Duration = Duration::from_secs(180);

impl GitCli {
    /// Makes the folder, which is empty, a working tree of what a repository has at a reference: a branch, a tag or a commit;
    /// `None`: where its HEAD is. Only that commit is fetched. git asks nothing, runs no program of the repository, and fetches no
    /// submodules. Returns the commit.
    ///
    /// # Errors
    /// [`GitError`]: the repository cannot be reached, or has no such reference.
    pub async fn fetch_from(&self, url: &str, reference: Option<&str>) -> Result<String, GitError> {
        let work = async {
            self.fetch(&["init", "--quiet", "--template="]).await?;
            let reference = reference.unwrap_or("HEAD");
            let options = [
                "fetch",
                "--quiet",
                "--no-tags",
                "--no-recurse-submodules",
                "--depth=1",
                "--",
                url,
                reference,
            ];
            self.fetch(&options).await?;
            self.checkout(&["checkout", "--quiet", "--detach", "FETCH_HEAD"]).await?;
            self.line(&["rev-parse", "HEAD"]).await
        };
        self.limited(FETCH, work).await
    }
    /// Runs git with what it needs to reach a server, in a folder that commands do not write: ssh is another program.
    async fn fetch(&self, arguments: &[&str]) -> Result<(), GitError> {
        let mut command = self.command(fetching())?;
        let started = command.args(arguments).spawn();
        self.output_of(started).await.map(drop)
    }
}
