//! What is taken away, and what stays.

use crate::sync::BucketFile;

use super::*;

impl Place {
    async fn keeping(&self, keep: usize) -> PublishOutcome {
        let to = BucketPublisher {
            keep: NonZeroUsize::new(keep).expect("not 0"),
            ..self.to_bucket()
        };
        to.run(&self.data, &NoProgress).await.expect("published")
    }

    fn names(&self) -> BTreeSet<String> {
        let entries = fs::read_dir(self.files()).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        names.map(|name| name.into_string().expect("hex")).collect()
    }
}

#[tokio::test]
async fn old_publications_go_and_their_files_once_they_are_old() {
    let place = Place::new();
    place.keeping(2).await;
    let mut last = [place.served(), place.served()];
    for stand in ["2021-09-16", "2021-09-17"] {
        last = [last[1].clone(), place.serves(stand)];
        place.keeping(2).await;
    }
    assert_eq!(place.publications().await, [2, 3]);
    let kept: BTreeSet<String> = last.iter().flat_map(names_of).collect();
    assert!(place.names().len() > kept.len(), "nothing is old yet");

    age(&place.files(), DAY + HOUR);
    let told = place.keeping(2).await;
    assert!(!told.is_new, "the janitor works in any case");
    assert!(told.removed_files > 0);
    assert_eq!(place.names(), kept);
    assert_eq!(place.keeping(2).await.removed_files, 0);
}

#[tokio::test]
async fn what_a_publication_of_another_layout_names_stays() {
    let place = Place::new();
    place.publish().await.expect("it is free");
    let before = place.served();
    place.serves("2021-09-16");
    place.publish().await.expect("it is later");
    let version = |number: u32| format!("\"layoutVersion\": {number}");
    let layout = postduif_schema::LAYOUT_VERSION;
    place.edit(1, |text| text.replace(&version(layout), &version(1000)));
    age(&place.files(), 2 * DAY);
    let told = place.publish().await.expect("it is there");
    assert_eq!((told.removed_files, told.warnings.len()), (0, 0));
    place.has(&before).await;

    // Nothing is taken away when nobody knows what a publication names.
    place.edit(1, |text| text.replace("\"files\"", "\"fields\""));
    let told = place.publish().await.expect("it is there");
    assert_eq!((told.removed_files, told.warnings.len()), (0, 1));
    place.has(&before).await;
    let told = place.keeping(1).await;
    assert_eq!(told.removed_publications, [first()]);
    place.has(&before).await;
    place.keeping(1).await;
    assert_eq!(place.names(), names_of(&place.served()));
}

/// Who reads it, or is about to name its files again, has until then.
#[tokio::test]
async fn what_a_publication_named_stays_until_the_run_after_its_own_end() {
    let place = Place::new();
    place.publish().await.expect("it is free");
    let before = place.served();
    place.serves("2021-09-16");
    place.publish().await.expect("it is later");
    age(&place.files(), 2 * DAY);
    let told = place.keeping(1).await;
    assert_eq!(told.removed_publications, [first()]);
    assert_eq!(told.removed_files, 0);
    place.has(&before).await;
    assert!(place.keeping(1).await.removed_files > 0);
    assert_eq!(place.names(), names_of(&place.served()));
}

#[tokio::test]
async fn what_uploads_left_unfinished_goes_once_it_is_old() {
    let place = Place::new();
    place.publish().await.expect("it is free");
    let name = &place.served().files[0].sha256;
    let left = |number: u32| place.files().join(format!("{name}#{number}"));
    for number in [1, 12] {
        fs::write(left(number), "half").expect("writes");
    }
    fs::write(place.files().join("README#"), "not ours").expect("writes");
    place.publish().await.expect("it is there");
    assert!(left(1).exists(), "somebody may be writing it");
    age(&place.files(), 2 * DAY);
    fs::write(left(12), "half").expect("writes");
    place.publish().await.expect("it is there");
    assert!(!left(1).exists());
    assert!(left(12).exists());
    assert!(place.files().join("README#").exists());
}

/// As if this machine's clock were two days ahead of the bucket's.
#[tokio::test]
async fn a_clock_that_is_ahead_takes_nothing_from_who_is_publishing() {
    let place = Place::new();
    place.publish().await.expect("it is free");
    let on_its_way =
        ["0".repeat(64), format!("{}#1", "1".repeat(64))].map(|name| place.files().join(name));
    for path in &on_its_way {
        fs::write(path, "half").expect("writes");
    }
    let manifests = place.files().with_file_name("manifests");
    for folder in [place.files(), manifests] {
        age(&folder, 2 * DAY);
    }
    let told = place.publish().await.expect("it is there");
    assert_eq!(told.removed_files, 0);
    assert!(on_its_way.iter().all(|path| path.exists()));

    // The next publication tells how late it is there.
    place.serves("2021-09-16");
    let told = place.publish().await.expect("it is later");
    assert_eq!(told.removed_files, 1);
    assert!(!on_its_way.iter().any(|path| path.exists()));
}

/// A janitor elsewhere could take it away before the publication names it.
#[tokio::test]
async fn an_old_file_that_nothing_names_is_put_anew() {
    let place = Place::new();
    place.publish().await.expect("it is free");
    let bucket = &place.bucket;
    bucket.delete_manifest(first()).await.expect("it is there");
    // An hour on either side, so that it does not matter how long the test takes.
    age(&place.files(), DAY / 2 - HOUR);
    let told = place.publish().await.expect("it is free");
    assert_eq!(told.uploaded_files, 0, "they are young yet");

    bucket.delete_manifest(first()).await.expect("it is there");
    age(&place.files(), DAY / 2 + HOUR);
    let aged = bucket.list_files().await.expect("a list");
    let told = place.publish().await.expect("it is free");
    assert_eq!(told.uploaded_files, names_of(&place.served()).len() as u64);
    let there = bucket.list_files().await.expect("a list");
    let is_younger =
        |(name, old): (&String, &BucketFile)| there[name].last_modified > old.last_modified + HOUR;
    assert!(aged.iter().all(is_younger));
}
