//! Checks that a published generation stays complete through crashes, damage, concurrent builds, rollback and pruning.

mod rollback;

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use postduif_indexer::{
    BuildError, DataDirWriter, PublishError, Register, register_path, verify_generation,
};
use postduif_schema::{ADDRESSES_DIR, AddressIndex, DataFolder, GenerationName, Manifest};

use crate::chance::{Chance, tries};
use crate::child::{self, Kill, WholeRun, build_command};
use crate::data_dir::{ServedFolder, Template, overwrite};
use crate::delivery::municipal;
use crate::skips::skip;

fn name(text: &str) -> GenerationName {
    text.parse().expect("a name")
}

fn three_generations() -> ServedFolder {
    static BUILT: LazyLock<Template> = LazyLock::new(|| {
        let served = ServedFolder::small_municipality();
        for _ in 0..2 {
            served.build(&municipal().pack()).expect("sound");
        }
        Template::from_folder(&served)
    });
    BUILT.unpack()
}

#[test]
fn pruning_keeps_the_served_generation() {
    let served = three_generations();
    let exclusive = DataDirWriter::lock(&served.data).expect("free");
    exclusive
        .rollback(Some(name("2021-09-15-1")))
        .expect("goes there");
    assert_eq!(exclusive.prune(5).expect("nothing to do"), []);
    assert_eq!(exclusive.prune(1).expect("prunes"), [name("2021-09-15-2")]);
    // The third generation stays as well, because the register belongs to it and the next mutations start from it.
    assert_eq!(exclusive.prune(0).expect("nothing to do"), []);
    assert_eq!(
        served.data.list_generations().expect("readable"),
        [name("2021-09-15-1"), name("2021-09-15-3")]
    );
    served.assert_sound();
}

/// The path of every file of the served generation, including the manifest.
fn files_of(served: &ServedFolder) -> Vec<PathBuf> {
    let folder = served.data.generation_path(served.current());
    let manifest = Manifest::read(&folder).expect("whole");
    let listed = manifest.files.iter().map(|file| folder.join(&file.path));
    listed.chain([folder.join("manifest.json")]).collect()
}

#[test]
fn every_damaged_file_is_found_and_named() {
    let served = ServedFolder::small_municipality();
    let mut chance = Chance::new();
    let files = files_of(&served);
    let on_disk = served
        .files()
        .into_iter()
        .map(PathBuf::from)
        .filter(|path| {
            path.starts_with(served.data.generation_path(served.current())) && path.is_file()
        });
    assert_eq!(
        on_disk.count(),
        files.len(),
        "files that the manifest does not list"
    );
    for path in files {
        let whole = fs::read(&path).expect("readable");
        let check = |content: Option<&[u8]>, case: String| {
            match content {
                Some(content) => overwrite(&path, content),
                None => fs::remove_file(&path).expect("removes"),
            }
            let error = verify_generation(&served.data, served.current())
                .expect_err(&case)
                .to_string();
            assert!(
                error.contains(path.to_str().expect("UTF-8")),
                "{case}: {error}"
            );
        };
        for (damage, content) in damaged(&whole, &mut chance) {
            check(Some(&content), format!("{}, {damage}", path.display()));
        }
        check(
            Some(&whole[..whole.len() - 1]),
            format!("{} cut short", path.display()),
        );
        check(Some(&[]), format!("{} empty", path.display()));
        check(
            Some(&[&whole[..], b" "].concat()),
            format!("{} longer", path.display()),
        );
        check(None, format!("{} gone", path.display()));
        overwrite(&path, &whole);
    }
    served.assert_sound();
}

/// Copies of a file, each with one flipped bit: in the first byte, in the last byte, or in a random byte.
fn damaged(whole: &[u8], chance: &mut Chance) -> Vec<(String, Vec<u8>)> {
    let mut places = vec![0, whole.len() - 1];
    places.extend((0..4).map(|_| chance.below(whole.len())));
    let change = |at: usize| {
        let mut changed = whole.to_vec();
        changed[at] ^= 1 << chance.below(8);
        (format!("byte {at}, seed {}", chance.seed), changed)
    };
    places.into_iter().map(change).collect()
}

#[test]
fn a_damaged_generation_does_not_prevent_the_next_build() {
    let served = ServedFolder::small_municipality();
    for path in files_of(&served) {
        overwrite(&path, b"damaged");
    }
    served.build(&municipal().pack()).expect("sound");
    served.assert_sound();
    assert_eq!(served.current(), name("2021-09-15-2"));
}

#[test]
fn a_build_repairs_a_folder_whose_generation_is_missing() {
    let served = ServedFolder::small_municipality();
    fs::remove_dir_all(served.data.generation_path(served.current())).expect("removes");
    served.build(&municipal().pack()).expect("sound");
    served.assert_sound();
    fs::write(served.data.path().join("CURRENT"), "../elsewhere").expect("writes");
    served.build(&municipal().pack()).expect("sound");
    served.assert_sound();
}

#[test]
fn concurrent_builds_exclude_each_other() {
    let served = ServedFolder::small_municipality();
    let exclusive = DataDirWriter::lock(&served.data).expect("free");
    let error = served.build(&municipal().pack()).expect_err("busy");
    assert!(
        matches!(error, BuildError::Publish(PublishError::Lock(_))) && !error.is_refusal(),
        "{error}"
    );
    let extract = served.delivery(&municipal().pack());
    let other = build_command(&extract, &served.data).output();
    let other = other.expect("starts");
    let (_, outcome) = child::parse_answer(&other.stdout);
    assert!(
        outcome.contains("at work on this folder") && outcome.contains("data"),
        "{outcome}"
    );
    drop(exclusive);
    served.build(&municipal().pack()).expect("free again");
    served.assert_sound();
}

#[test]
fn the_next_build_removes_the_remains_of_a_killed_one() {
    let served = ServedFolder::small_municipality();
    let folder = served
        .data
        .generations_path()
        .join(".building-2021-09-15-2/addresses");
    fs::create_dir_all(&folder).expect("writes");
    fs::write(folder.join("half.fast"), "half").expect("writes");
    fs::write(
        served.data.path().join("register/.building-2021-09-15-2"),
        "half",
    )
    .expect("writes");
    fs::write(served.data.path().join("CURRENT.next"), "2021-0").expect("writes");
    // Folders as left by a service that pulled its generations from a bucket.
    let pulled = [".pulling", ".removing-2021-08-15-1"];
    let pulled = pulled.map(|name| served.data.generations_path().join(name));
    for folder in &pulled {
        fs::create_dir(folder).expect("writes");
        fs::write(folder.join(".part-3"), "half").expect("writes");
    }
    served.build(&municipal().pack()).expect("sound");
    served.assert_sound();
    assert!(!served.data.path().join("CURRENT.next").exists());
    assert!(!pulled.iter().any(|folder| folder.exists()));
}

/// A build that is killed at any moment leaves the complete old or new generation, and the next build succeeds.
#[test]
fn a_killed_build_leaves_the_old_or_the_new_generation() {
    let mut chance = Chance::new();
    let served = ServedFolder::empty();
    let extract = served.delivery(&municipal().pack());
    let empty = ServedFolder::empty();
    let whole = WholeRun::measure(build_command(&extract, &empty.data), "built");
    for number in 0..tries(10) {
        let before = served.data.current_generation().expect("readable");
        // The first kill comes before the build does anything, the last kill after its end, the others at random moments.
        let kill = match number {
            0 => Kill::at(1),
            1 => Kill::at_the_end(&whole),
            _ => Kill::at_random(&mut chance, &whole),
        };
        let said = kill.run(build_command(&extract, &served.data));
        let after = served.data.current_generation().expect("readable");
        let case = format!("seed {}, {kill:?}", chance.seed);
        match number {
            0 => assert_eq!(after, None, "{case}"),
            1 => assert_eq!(after, Some(name("2021-09-15-1")), "{case}"),
            _ => assert!(after >= before, "{case}"),
        }
        assert!(after > before || !said.contains("built"), "{case}: {said}");
        if register_path(&served.data).exists() {
            let register = Register::open(&register_path(&served.data)).expect(&case);
            assert!(
                register
                    .reader()
                    .and_then(|register| register.head())
                    .is_ok(),
                "{case}"
            );
        }
        for generation in served.data.list_generations().expect("readable") {
            verify_generation(&served.data, generation).expect(&case);
        }
        if let Some(current) = after {
            let generations = served.data.list_generations().expect("readable");
            assert!(generations.contains(&current), "{case}");
        }
    }
    served.build(&municipal().pack()).expect("sound");
    served.assert_sound();
    assert!(served.content().contains("Stalpertstraat"));
}

#[test]
fn a_build_with_far_fewer_addresses_needs_a_flag() {
    let served = ServedFolder::small_municipality();
    let content = served.content();
    let fewer = municipal().edit("VBO15092021-", |xml| {
        xml.replace("in gebruik", "ingetrokken")
    });
    let fewer = fewer.edit("LIG15092021-", |xml| {
        xml.replace("aangewezen", "ingetrokken")
    });
    let error = served.build(&fewer.pack()).expect_err("fewer");
    let text = error.to_string();
    let expected = "1 addresses, but the served generation 2021-09-15-1 has 5; nothing is published. If this is right, \
                    build again with --accept-fewer";
    assert!(text == expected && error.is_refusal(), "{text}");
    served.assert_sound();
    assert_eq!(served.content(), content);
    let mut build = crate::data_dir::build(served.delivery(&fewer.pack()));
    build.accept_fewer = true;
    build
        .run(&served.data, &postduif_schema::NoProgress)
        .expect("asked for");
    served.assert_sound();
    assert_eq!(served.current(), name("2021-09-15-2"));
}

#[test]
fn the_error_names_a_data_folder_that_cannot_be_created() {
    let served = ServedFolder::small_municipality();
    let file = served.delivery(&municipal().pack());
    let data = DataFolder::new(file.join("data"));
    let built = crate::data_dir::build(file).run(&data, &postduif_schema::NoProgress);
    let error = built.expect_err("a file is no folder");
    assert!(
        error.to_string().contains("delivery.zip/data") && !error.is_refusal(),
        "{error}"
    );
}

#[test]
fn a_generation_opens_on_a_read_only_file_system() {
    let served = ServedFolder::small_municipality();
    let folder = served
        .data
        .generation_path(served.current())
        .join(ADDRESSES_DIR);
    let set_mode = |mode: u32| {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).expect("is ours");
    };
    set_mode(0o555);
    let bites = fs::write(folder.join("probe"), "").is_err();
    let opened = AddressIndex::open(&folder).map(|index| index.len());
    let content = served.files();
    set_mode(0o755);
    if bites {
        assert_eq!(opened.expect("opens"), 5);
    } else {
        skip(
            "permissions of files do not restrict root",
            "run the tests as another user",
        );
    }
    let locks = content.iter().filter(|path| path.ends_with(".lock"));
    assert_eq!(locks.count(), 0, "{content:?}");
}
