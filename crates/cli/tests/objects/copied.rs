//! `store copy` between places with objects of their own.

use crate::bucket::Bucket;
use crate::ran::assert_says;
use crate::stage::{MARK, Stage};

#[test]
fn a_copy_has_objects_of_its_own_and_survives_its_original() {
    let bucket = Bucket::new();
    let stage = Stage::new(&bucket);
    let (session, reference) = stage.long_turn();
    let home = stage.place.folder.path();
    let (own, two, three) = (home.join(".local/share/throughline"), home.join("two"), home.join("three"));
    let copy = |from: &std::path::Path, to: &std::path::Path, more: &[&str]| {
        let mut args = vec!["store", "copy", from.to_str().unwrap(), to.to_str().unwrap()];
        args.extend(more);
        stage.run(&args).done()
    };
    assert_says(&copy(&own, &two, &[]), &["Copied 1 session ", "and verified them"]);
    assert_eq!(bucket.objects().len(), 2, "the copy has its own");
    assert_says(&copy(&own, &two, &[]), &["Copied 0 sessions", "1 was there already"]);
    copy(&two, &three, &["--to-blobs", "none"]);
    assert_eq!(bucket.objects().len(), 2);
    let folder = format!("file://{}", home.join("folder").display());
    copy(&three, &home.join("four"), &["--to-blobs", &folder]);
    assert_eq!(std::fs::read_dir(home.join("folder")).unwrap().count(), 1);

    stage.delete(&[&session]).done();
    assert_eq!(bucket.objects().len(), 1);
    // Back from the copy, to where it was deleted.
    assert_says(&copy(&two, &own, &[]), &["Copied 1 session "]);
    assert_says(&stage.read(&session, &reference), &[MARK]);
}
