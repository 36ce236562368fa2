//! Writes zips within zips as one stream, so that no part of a delivery is held completely in memory or in a temporary file.
//!
//! All levels are deflated and have data descriptors, as in real deliveries of the register.

use std::io::{self, Write};
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, DateTime, ZipWriter};

/// A zip being written.
pub(crate) struct NestedZip<'w> {
    zip: ZipWriter<StreamWriter<&'w mut dyn Write>>,
    options: SimpleFileOptions,
}

impl<'w> NestedZip<'w> {
    /// Starts a zip. All entries of the zip get the time `time`.
    pub(crate) fn new(out: &'w mut dyn Write, time: DateTime) -> Self {
        // With level 4, the zip of a country is as large as the real one (3.6 GB). Level 1 takes a third less time, but its zip is
        // nearly twice as large. Level 6 takes half as much time again, for a zip that is a tenth smaller. With 200 000 addresses,
        // levels 1, 4 and 6 wrote 343, 255 and 172 MB of XML per second, and the zips had 130, 71 and 64 MB.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(4))
            .last_modified_time(time);
        Self {
            zip: ZipWriter::new_stream(out),
            options,
        }
    }

    /// Starts a file. [`NestedZip::write`] appends to it until the next file starts.
    pub(crate) fn start_file(&mut self, name: &str) -> io::Result<()> {
        Ok(self.zip.start_file(name, self.options)?)
    }

    /// Appends to the current file.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.zip.write_all(bytes)
    }

    /// Writes a zip as an entry of this zip.
    pub(crate) fn nested_zip<T>(
        &mut self,
        name: &str,
        fill: impl FnOnce(&mut NestedZip<'_>) -> io::Result<T>,
    ) -> io::Result<T> {
        // The zip of a whole country may exceed four gigabytes, the maximum for the short form of its header.
        self.zip.start_file(name, self.options.large_file(true))?;
        let mut inner = NestedZip {
            zip: ZipWriter::new_stream(&mut self.zip as &mut dyn Write),
            options: self.options,
        };
        let filled = fill(&mut inner)?;
        inner.close()?;
        Ok(filled)
    }

    /// Writes the central directory, and thereby ends the zip.
    pub(crate) fn close(self) -> io::Result<()> {
        self.zip.finish()?.into_inner().flush()
    }
}
