//! What the search engine says when it fails, in the words that help: which file, and what the system said of it.

use tantivy::TantivyError;
use tantivy::directory::error::{OpenReadError, OpenWriteError};

/// The same without what tantivy puts around it for those who build it.
#[must_use]
pub fn tantivy_error_message(error: &TantivyError) -> String {
    match error {
        TantivyError::OpenReadError(OpenReadError::IoError { io_error, filepath })
        | TantivyError::OpenWriteError(OpenWriteError::IoError { io_error, filepath }) => {
            format!("{}: {io_error}", filepath.display())
        }
        TantivyError::IoError(error) => error.to_string(),
        TantivyError::InternalError(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;
    use std::sync::Arc;

    #[test]
    fn the_file_and_the_systems_words_are_what_is_left() {
        let full = || Arc::new(io::Error::from_raw_os_error(28));
        let said = full().to_string();
        let written = OpenWriteError::IoError {
            io_error: full(),
            filepath: "meta.json".into(),
        };
        let told = [
            TantivyError::OpenWriteError(written),
            TantivyError::IoError(full()),
            TantivyError::InternalError(said.clone()),
        ]
        .map(|error| tantivy_error_message(&error));
        assert_eq!(told, [format!("meta.json: {said}"), said.clone(), said]);
    }
}
