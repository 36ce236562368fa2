//! Creates data folders for tests and checks their content.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use postduif_indexer::{
    AdresseerbaarObject, ApplyError, ApplyOutcome, ApplyReport, Build, BuildError, BuildReport,
    DeliveryApplier, Nummeraanduiding, OpenbareRuimte, Pand, Register, ReverseLink, Woonplaats,
    register_path, verify_generation,
};
use postduif_schema::NoProgress;
use postduif_schema::{
    ADDRESSES_DIR, Address, AddressIndex, AddressKind, BagId, DataFolder, GenerationName,
    NummeraanduidingKind,
};

use crate::addresses::village;
use crate::apply::made::mutations;
use crate::delivery::{municipal, national};
use crate::generation::publish;
use crate::scratch;

/// A data folder, deleted on drop.
pub(crate) struct ServedFolder {
    folder: tempfile::TempDir,
    pub(crate) data: DataFolder,
}

/// Overwrites a published file in place, which only a failing disk would do.
pub(crate) fn overwrite(path: &Path, content: &[u8]) {
    use std::os::unix::fs::PermissionsExt as _;
    let writable = std::fs::Permissions::from_mode(0o644);
    // The file may not exist any more.
    std::fs::set_permissions(path, writable).ok();
    std::fs::write(path, content).expect("writes");
}

impl ServedFolder {
    /// An empty data folder.
    pub(crate) fn empty() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let data = DataFolder::new(folder.path().join("data"));
        Self { folder, data }
    }

    /// A data folder that serves a generation of this delivery.
    pub(crate) fn generation_of(delivery: &[u8]) -> Self {
        let served = Self::empty();
        served.build(delivery).expect("a sound delivery");
        served
    }

    /// Copies a data folder that serves [`municipal`]. All tests share the build of this folder.
    pub(crate) fn small_municipality() -> Self {
        static BUILT: LazyLock<Template> = LazyLock::new(|| {
            Template::from_folder(&ServedFolder::generation_of(&municipal().pack()))
        });
        BUILT.unpack()
    }

    /// Copies a data folder that serves [`national`]. All tests share the build of this folder.
    pub(crate) fn small_country() -> Self {
        static BUILT: LazyLock<Template> = LazyLock::new(|| {
            Template::from_folder(&ServedFolder::generation_of(&national().pack()))
        });
        BUILT.unpack()
    }

    /// Writes a delivery to a file and returns its path.
    pub(crate) fn delivery(&self, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join("delivery.zip");
        std::fs::write(&path, bytes).expect("writes");
        path
    }

    pub(crate) fn build(&self, delivery: &[u8]) -> Result<BuildReport, BuildError> {
        build(self.delivery(delivery)).run(&self.data, &NoProgress)
    }

    pub(crate) fn apply(&self, delivery: &Path) -> Result<ApplyOutcome, ApplyError> {
        DeliveryApplier::default().run(delivery, &self.data, &NoProgress)
    }

    /// Applies a delivery and checks that it is not a repeat.
    #[track_caller]
    pub(crate) fn apply_as_new(&self, delivery: &Path) -> ApplyReport {
        match self.apply(delivery).expect("a sound delivery") {
            ApplyOutcome::Published(report) => *report,
            ApplyOutcome::Repeat { stand, .. } => panic!("a repeat at {stand}"),
        }
    }

    /// Applies a delivery that has these groups of mutations and the period `from` to `to`.
    #[track_caller]
    pub(crate) fn apply_groups(&self, [from, to]: [&str; 2], groups: &[String]) -> ApplyReport {
        self.apply_as_new(&self.delivery(&mutations(from, to, groups).pack()))
    }

    pub(crate) fn current(&self) -> GenerationName {
        self.data
            .current_generation()
            .expect("readable")
            .expect("something is served")
    }

    /// The content of the index and the register for every address, as text.
    pub(crate) fn content(&self) -> String {
        let folder = self.data.generation_path(self.current());
        let index = AddressIndex::open(&folder.join(ADDRESSES_DIR)).expect("opens");
        let register = Register::open(&register_path(&self.data)).expect("opens");
        let register = register.reader().expect("reads");
        let mut content = format!(
            "{:?}{:?}{:?}{:?}",
            register.head().expect("reads").area,
            register.relations().expect("reads"),
            register.read_all::<Woonplaats>().expect("reads"),
            register.read_all::<OpenbareRuimte>().expect("reads")
        );
        for address in index.iter() {
            let address = address.expect("reads");
            write!(content, "\n{address:?}").expect("a String takes it");
            if address.kind == AddressKind::Postbus {
                continue;
            }
            let id = BagId::<NummeraanduidingKind>::from_number(address.id.get());
            let id = id.expect("a nummeraanduiding");
            let objects = register.linked_ids(ReverseLink::ObjectsOfNummeraanduiding, id);
            for object in objects.expect("reads") {
                let object = register.versions::<AdresseerbaarObject>(object);
                let object = object.expect("reads");
                assert!(!object.is_empty(), "{id} is an address of an object");
                let panden = object.iter().flat_map(|version| &version.state.panden);
                let panden: Vec<_> = panden
                    .map(|&pand| register.versions::<Pand>(pand).expect("reads"))
                    .collect();
                write!(content, "{object:?}{panden:?}").expect("a String takes it");
            }
            let versions = register.versions::<Nummeraanduiding>(id);
            write!(content, "{versions:?}").expect("a String takes it");
        }
        content
    }

    /// A copy of this data folder.
    pub(crate) fn copy(&self) -> Self {
        let copy = Self::empty();
        copy_folder(self.data.path(), copy.data.path());
        copy
    }

    /// Every served address, sorted by id.
    pub(crate) fn addresses(&self) -> Vec<Address> {
        let folder = self.data.generation_path(self.current());
        let index = AddressIndex::open(&folder.join(ADDRESSES_DIR)).expect("opens");
        let mut addresses: Vec<Address> = index.iter().collect::<Result<_, _>>().expect("reads");
        addresses.sort_by_key(|address| address.id);
        addresses
    }

    /// Returns the lines of the content, sorted, so that the result does not depend on the stored order. The first line stays
    /// first. It has the area and the tables of the register, such as the towns.
    pub(crate) fn sorted_content(&self) -> Vec<String> {
        let content = self.content();
        let mut lines: Vec<String> = content.lines().map(str::to_owned).collect();
        lines[1..].sort();
        lines
    }

    /// Checks that the served generation is undamaged and that no unfinished files exist.
    #[track_caller]
    pub(crate) fn assert_sound(&self) {
        verify_generation(&self.data, self.current()).expect("the served generation is undamaged");
        let unfinished = self
            .files()
            .into_iter()
            .find(|path| path.contains(".building-"));
        assert_eq!(unfinished, None);
    }

    /// Every file and folder in the data folder and in the folder around it, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut files = Vec::new();
        list(self.folder.path(), &mut files);
        files.sort();
        files
    }
}

/// A data folder in memory, so that many tests can start from one build.
pub(crate) struct Template(Vec<(PathBuf, Content)>);

enum Content {
    Folder,
    File(Vec<u8>),
}

impl Template {
    pub(crate) fn from_folder(served: &ServedFolder) -> Self {
        let folder = served.folder.path();
        let read = |path: String| {
            let path = PathBuf::from(path);
            let content = match path.is_dir() {
                true => Content::Folder,
                false => Content::File(std::fs::read(&path).expect("readable")),
            };
            let relative = path.strip_prefix(folder).expect("it is inside");
            (relative.to_owned(), content)
        };
        Self(served.files().into_iter().map(read).collect())
    }

    /// Writes a new data folder with this content.
    pub(crate) fn unpack(&self) -> ServedFolder {
        let served = ServedFolder::empty();
        // The paths are sorted, so a folder comes before its content.
        for (path, content) in &self.0 {
            let path = served.folder.path().join(path);
            match content {
                Content::Folder => std::fs::create_dir(path),
                Content::File(bytes) => std::fs::write(path, bytes),
            }
            .expect("writes");
        }
        served
    }
}

/// A temporary data folder that serves the village, without accounts.
pub(crate) fn village_folder() -> tempfile::TempDir {
    let folder = scratch::folder();
    publish(&DataFolder::new(folder.path()), "2026-01-01-1", &village());
    folder
}

/// A build with the default tables.
pub(crate) fn build(extract: PathBuf) -> Build {
    Build::new(extract)
}

/// Copies a data folder. Hard-links the files of generations, as the indexer does, if both folders are on the same file system.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("writes");
    for entry in std::fs::read_dir(from).expect("readable") {
        let entry = entry.expect("readable");
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy_folder(&path, &copy);
            continue;
        }
        let is_published = path
            .components()
            .any(|part| part.as_os_str() == "generations");
        let linked = is_published && std::fs::hard_link(&path, &copy).is_ok();
        if !linked {
            std::fs::copy(&path, &copy).expect("writes");
        }
    }
}

fn list(folder: &Path, into: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("readable") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            list(&path, into);
        }
        into.push(path.to_string_lossy().into_owned());
    }
}
