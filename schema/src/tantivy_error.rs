//! Shortens the message of a tantivy error to the file and the error of the system.

use tantivy::TantivyError;
use tantivy::directory::error::{OpenReadError, OpenWriteError};

/// The message of an error, without the text that tantivy adds around it.
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
    fn the_message_is_the_file_and_the_system_error() {
        let full = || Arc::new(io::Error::from_raw_os_error(28));
        let system_error = full().to_string();
        let written = OpenWriteError::IoError {
            io_error: full(),
            filepath: "meta.json".into(),
        };
        let messages = [
            TantivyError::OpenWriteError(written),
            TantivyError::IoError(full()),
            TantivyError::InternalError(system_error.clone()),
        ]
        .map(|error| tantivy_error_message(&error));
        assert_eq!(
            messages,
            [
                format!("meta.json: {system_error}"),
                system_error.clone(),
                system_error
            ]
        );
    }
}
