//! Zips within zips, written as one stream: no part of a delivery is ever held whole, in memory or beside it on disk.
//!
//! All levels are deflated and have data descriptors, as in the deliveries of the register itself.

use std::io::{self, Write};
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, DateTime, ZipWriter};

/// A zip under construction.
pub(super) struct Folder<'w> {
    zip: ZipWriter<StreamWriter<&'w mut dyn Write>>,
    options: SimpleFileOptions,
}

impl<'w> Folder<'w> {
    /// A zip whose entries all carry this time.
    pub(super) fn new(out: &'w mut dyn Write, time: DateTime) -> Self {
        // Level 4 makes a country as large as the real one is (3.6 GB). Level 1 writes a third faster and twice as much, level 6 takes a third
        // longer for a tenth less (measured over 200 000 addresses: 343, 255 and 172 MB of XML a second, 130, 71 and 64 MB of zip).
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(4))
            .last_modified_time(time);
        Self {
            zip: ZipWriter::new_stream(out),
            options,
        }
    }

    /// Starts a file; [`Folder::write`] fills it until the next one starts.
    pub(super) fn start_file(&mut self, name: &str) -> io::Result<()> {
        Ok(self.zip.start_file(name, self.options)?)
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.zip.write_all(bytes)
    }

    /// A zip in this zip.
    pub(super) fn folder<T>(
        &mut self,
        name: &str,
        fill: impl FnOnce(&mut Folder<'_>) -> io::Result<T>,
    ) -> io::Result<T> {
        // A zip of a whole country may pass the four gigabytes that its header can say without the longer form.
        self.zip.start_file(name, self.options.large_file(true))?;
        let mut inner = Folder {
            zip: ZipWriter::new_stream(&mut self.zip as &mut dyn Write),
            options: self.options,
        };
        let filled = fill(&mut inner)?;
        inner.close()?;
        Ok(filled)
    }

    pub(super) fn close(self) -> io::Result<()> {
        self.zip.finish()?.into_inner().flush()
    }
}
