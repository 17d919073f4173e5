//! Places of marketplaces as a user writes them.

use super::*;
use crate::stage::Stage;

fn git(url: &str, reference: Option<&str>) -> MarketplaceOrigin {
    MarketplaceOrigin::Git { url: url.to_owned(), reference: reference.map(str::to_owned) }
}

#[test]
fn a_folder_an_address_and_a_short_name_differ() {
    let stage = Stage::of(&[("list/a", ""), ("bare/HEAD", "x"), ("bare/objects/a", "")]);
    let [list, bare] = ["list", "bare"].map(|name| stage.root().join(name));
    let parsed = |text: &str| MarketplaceOrigin::parse(text).unwrap();
    assert_eq!(parsed(list.to_str().unwrap()), MarketplaceOrigin::Folder(list));
    assert_eq!(parsed(bare.to_str().unwrap()), git(bare.to_str().unwrap(), None));
    assert_eq!(parsed("who/what"), git("https://github.com/who/what.git", None));
    assert_eq!(parsed("who/what#v1"), git("https://github.com/who/what.git", Some("v1")));
    assert_eq!(parsed("https://git.example/a.git#main"), git("https://git.example/a.git", Some("main")));
    assert_eq!(parsed("git@git.example:a/b.git"), git("git@git.example:a/b.git", None));
    assert_eq!(parsed("git@git.example:a/b.git#x").to_string(), "git@git.example:a/b.git#x");
}

#[test]
fn what_git_must_not_be_given_is_refused() {
    for text in
        ["nothing", "./missing", "ext::sh -c x", "--upload-pack=x", "https://me:secret@host/x", "../a/b"]
    {
        let said = MarketplaceOrigin::parse(text).unwrap_err();
        assert!(
            matches!(said, PluginError::Usage(_)) && !said.to_string().contains("secret"),
            "{text}: {said}"
        );
    }
}
