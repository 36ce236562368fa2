//! Writes the output of `check` to a file or to standard output.
//!
//! The file gets its name only when it is complete. Until then, the rows are in `NAME.part`, and `NAME.part.json` has the progress
//! that `--resume` needs to continue.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Seek as _, SeekFrom, Write};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow};
use serde::{Deserialize, Serialize};

use super::CheckArgs;
use crate::check::{CheckSummary, CheckedChunk, FileCheckError};
use crate::cli::CommandError;

/// Time between two saves of the progress. A resumed run checks the rows after the last save again.
const SAVE_INTERVAL: Duration = Duration::from_secs(1);

/// Where and how the output is written.
pub(super) struct OutputPlan {
    /// The path of the output; `None` for standard output.
    pub(super) path: Option<PathBuf>,
    pub(super) force: bool,
    pub(super) resume: bool,
    /// A text with the generation and the options of the run. A run is resumed only if this text is the same.
    pub(super) fingerprint: String,
}

/// The progress of a run. It is saved in `NAME.part.json`.
#[derive(Debug, Default, Serialize, Deserialize)]
struct SavedProgress {
    /// A text with the path, the size and the modification time of the input.
    input: String,
    /// The text of [`OutputPlan::fingerprint`].
    fingerprint: String,
    /// How many rows and blank lines after the header have been written to the output.
    rows: u64,
    /// The size of the output in bytes.
    bytes: u64,
    summary: CheckSummary,
}

/// An open output.
pub(super) struct CheckOutput<'a> {
    target: Target<'a>,
    progress: SavedProgress,
    saved_at: Instant,
}

enum Target<'a> {
    /// Standard output, a device or a pipe, with its name for messages.
    Stream {
        output: BufWriter<Box<dyn Write + Send + 'a>>,
        name: String,
    },
    File {
        part: BufWriter<File>,
        path: PathBuf,
    },
}

impl OutputPlan {
    /// Opens the output. Never overwrites the input. Overwrites another existing file only with `--force`.
    pub(super) fn open<'a>(
        &self,
        input: &Path,
        header: &[u8],
        stdout: &'a mut (dyn Write + Send),
    ) -> Result<CheckOutput<'a>, CommandError> {
        let Some(path) = &self.path else {
            return self.open_stream(header, Box::new(stdout), "standard output".to_owned());
        };
        if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            let name = path.display().to_string();
            let device = File::options().write(true).open(path);
            let device = device.with_context(|| name.clone())?;
            return self.open_stream(header, Box::new(device), name);
        }
        let path = &resolve_link(path)?;
        self.refuse_unusable_output(input, path)?;
        let part_path = part_path(path);
        let failed = || format!("{}", part_path.display());
        let mut options = File::options();
        options
            .read(true)
            .write(true)
            .create(true)
            .truncate(!self.resume);
        let mut part = options.open(&part_path).with_context(failed)?;
        let mut progress = SavedProgress {
            input: describe_input(input),
            fingerprint: self.fingerprint.clone(),
            ..SavedProgress::default()
        };
        if self.resume {
            progress = saved_progress(path, &progress, &part)?;
            part.set_len(progress.bytes).with_context(failed)?;
            part.seek(SeekFrom::End(0)).with_context(failed)?;
        } else {
            part.write_all(header).with_context(failed)?;
            progress.bytes = header.len() as u64;
        }
        let output = CheckOutput {
            target: Target::File {
                part: BufWriter::with_capacity(1 << 18, part),
                path: path.clone(),
            },
            progress,
            saved_at: Instant::now(),
        };
        output.save_progress().with_context(failed)?;
        Ok(output)
    }

    /// Opens a stream as the output, and writes the header. Refuses `--resume`, because a stream cannot be continued.
    fn open_stream<'a>(
        &self,
        header: &[u8],
        stream: Box<dyn Write + Send + 'a>,
        name: String,
    ) -> Result<CheckOutput<'a>, CommandError> {
        if self.resume {
            return Err(CommandError::Usage(anyhow!(
                "--resume: {name} cannot be continued; name a file with --output"
            )));
        }
        let mut output = BufWriter::new(stream);
        output.write_all(header).with_context(|| name.clone())?;
        Ok(CheckOutput {
            target: Target::Stream { output, name },
            progress: SavedProgress::default(),
            saved_at: Instant::now(),
        })
    }

    /// The path of the output, if `--resume` is given although the output is already complete.
    pub(super) fn complete_output(&self) -> Option<&Path> {
        let path = self.path.as_deref().filter(|path| path.is_file())?;
        (self.resume && !progress_path(path).exists()).then_some(path)
    }

    fn refuse_unusable_output(&self, input: &Path, path: &Path) -> Result<(), CommandError> {
        let refused = |text: String| Err(CommandError::Refused(anyhow!(text)));
        let shown = path.display();
        for target in [path, &part_path(path), &progress_path(path)] {
            if is_same_file(input, target) {
                return refused(format!(
                    "{shown} is the input; name another file with --output"
                ));
            }
        }
        let has_part = progress_path(path).exists();
        if path.is_dir() {
            return refused(format!("{shown} is a folder; name a file with --output"));
        }
        if path.exists() && !self.force {
            return refused(format!("{shown} exists; --force overwrites it"));
        }
        match (has_part, self.resume) {
            (true, false) if !self.force => refused(format!(
                "{shown} was begun by an interrupted run: --resume continues it, --force starts again"
            )),
            (false, true) => refused(format!("there is no interrupted run of {shown} to resume")),
            _ => Ok(()),
        }
    }
}

/// Reads the progress of an interrupted run. Returns an error if the input, the generation or the options have changed.
fn saved_progress(
    path: &Path,
    current: &SavedProgress,
    part: &File,
) -> Result<SavedProgress, CommandError> {
    let shown = progress_path(path);
    let text = fs::read(&shown).with_context(|| format!("{}", shown.display()))?;
    let refused = |text: &str| {
        CommandError::Refused(anyhow!("{}: {text}; --force starts again", shown.display()))
    };
    let saved: SavedProgress =
        serde_json::from_slice(&text).map_err(|_| refused("the saved progress is damaged"))?;
    if saved.input != current.input {
        return Err(refused(
            "the input is another file or has changed since the run was interrupted",
        ));
    }
    if saved.fingerprint != current.fingerprint {
        return Err(refused(
            "the served generation or the options have changed since the run was interrupted",
        ));
    }
    let length = part
        .metadata()
        .context("reading the size of the output")?
        .len();
    if length < saved.bytes {
        return Err(refused(
            "the output is shorter than when the run was interrupted",
        ));
    }
    Ok(saved)
}

impl CheckOutput<'_> {
    /// Number of rows and blank lines in the output.
    pub(super) fn rows(&self) -> u64 {
        self.progress.rows
    }

    /// The summary of the rows in the output.
    pub(super) fn summary(&self) -> &CheckSummary {
        &self.progress.summary
    }

    /// Writes the next rows.
    pub(super) fn write(&mut self, chunk: CheckedChunk) -> Result<(), FileCheckError> {
        match &mut self.target {
            Target::Stream { output, .. } => output.write_all(&chunk.text),
            Target::File { part, .. } => part.write_all(&chunk.text),
        }
        .map_err(FileCheckError::Write)?;
        self.progress.rows += chunk.rows;
        self.progress.bytes += chunk.text.len() as u64;
        self.progress.summary.merge(chunk.summary);
        if self.saved_at.elapsed() >= SAVE_INTERVAL {
            if let Target::File { part, .. } = &mut self.target {
                part.flush().map_err(FileCheckError::Write)?;
            }
            self.save_progress().map_err(FileCheckError::Write)?;
            self.saved_at = Instant::now();
        }
        Ok(())
    }

    /// Writes the buffered rows, and gives the file its final name.
    pub(super) fn finish(mut self) -> Result<CheckSummary, CommandError> {
        match &mut self.target {
            Target::Stream { output, name } => output.flush().with_context(|| name.clone())?,
            Target::File { part, path } => {
                let shown = part_path(path);
                let failed = || format!("{}", shown.display());
                part.flush().with_context(failed)?;
                part.get_ref().sync_all().with_context(failed)?;
                fs::rename(&shown, &*path).with_context(failed)?;
                fs::remove_file(progress_path(path)).with_context(failed)?;
            }
        }
        Ok(self.progress.summary)
    }

    /// Converts an error, and adds what the user can do.
    pub(super) fn command_error(&self, error: FileCheckError, args: &CheckArgs) -> CommandError {
        let (FileCheckError::Write(cause), rows) = (&error, self.progress.rows) else {
            return args.command_error(error);
        };
        match &self.target {
            Target::Stream { name, .. } if cause.kind() == ErrorKind::BrokenPipe => {
                CommandError::Failed(anyhow!(
                    "{name} was closed after {rows} rows; the other rows were not checked"
                ))
            }
            Target::Stream { name, .. } => CommandError::Failed(anyhow!("{name}: {cause}")),
            Target::File { path, .. } => CommandError::Failed(anyhow!(
                "{}: {cause}; --resume continues after the rows that were written",
                part_path(path).display()
            )),
        }
    }

    /// Writes the progress to a new file and renames the file, so that saved progress is always complete.
    fn save_progress(&self) -> io::Result<()> {
        let Target::File { path, .. } = &self.target else {
            return Ok(());
        };
        let next = path.with_added_extension("part.json.next");
        let text = serde_json::to_vec(&self.progress).map_err(io::Error::from)?;
        fs::write(&next, text)?;
        fs::rename(next, progress_path(path))
    }
}

/// The file to which a link leads, so that the file is replaced and not the link. Other paths stay as they are.
fn resolve_link(path: &Path) -> Result<PathBuf, CommandError> {
    if !path.is_symlink() {
        return Ok(path.to_owned());
    }
    fs::canonicalize(path).map_err(|cause| {
        CommandError::Refused(anyhow!(
            "{} is a link to a file that does not exist ({cause}); name another file with --output",
            path.display()
        ))
    })
}

fn part_path(path: &Path) -> PathBuf {
    path.with_added_extension("part")
}

fn progress_path(path: &Path) -> PathBuf {
    path.with_added_extension("part.json")
}

/// Whether two paths lead to the same file. Compares device and inode, so that a link counts as the file that it leads to.
pub(super) fn is_same_file(one: &Path, other: &Path) -> bool {
    let identity = |path| fs::metadata(path).map(|found| (found.dev(), found.ino()));
    match (identity(one), identity(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Describes the input by its path, size and modification time.
fn describe_input(path: &Path) -> String {
    let known = fs::metadata(path).ok();
    let size = known.as_ref().map(fs::Metadata::len);
    let changed = known.and_then(|known| known.modified().ok());
    format!("{} {size:?} {changed:?}", path.display())
}
