//! Reads the user name and the password of a file service from a file. The first line is the user name, the second the password.

use std::path::Path;

use anyhow::bail;

use crate::cli::http_client::read_secret_file;

/// A user name and a password. The type does not implement `Debug`, so that no log can contain them.
pub(super) struct Credentials {
    pub(super) user: String,
    pub(super) password: String,
}

impl Credentials {
    /// Reads the credentials. Refuses a file that every user of the machine can read.
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let text = read_secret_file(path, "password")?;
        let mut lines = text.lines();
        let (user, password) = (lines.next(), lines.next());
        match (user, password, lines.all(str::is_empty)) {
            (Some(user), Some(password), true) if !user.is_empty() && !password.is_empty() => {
                Ok(Self {
                    user: user.to_owned(),
                    password: password.to_owned(),
                })
            }
            _ => bail!(
                "{}: expected two lines, the user name and the password",
                path.display()
            ),
        }
    }

    /// The body of a login form.
    ///
    /// Source of the field names: B3Partners, brmo, `BAG2MutatiesCommand.java`, which logs in at Mijn Kadaster; read 2026-11-23.
    pub(super) fn to_form(&self) -> String {
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.append_pair("user", &self.user);
        form.append_pair("password", &self.password);
        form.finish()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn read(text: &str, mode: u32) -> anyhow::Result<Credentials> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("kadaster");
        fs::write(&path, text).expect("writes");
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("our own file");
        Credentials::read(&path)
    }

    #[test]
    fn the_first_line_is_the_user_and_the_second_the_password() {
        for text in [
            "jan@example.org\np&ss: word",
            "jan@example.org\r\np&ss: word\r\n\n",
        ] {
            let credentials = read(text, 0o640).expect("two lines");
            let form = credentials.to_form();
            assert_eq!(form, "user=jan%40example.org&password=p%26ss%3A+word");
        }
    }

    #[test]
    fn other_files_are_refused_and_not_quoted_in_the_error() {
        #[track_caller]
        fn case(text: &str, mode: u32, expected: &str) {
            let error = read(text, mode).err().expect("the file is refused");
            let message = format!("{error:#}");
            assert!(message.contains(expected), "{message}");
            assert!(!message.contains("secret"), "{message}");
        }
        case("jan\nsecret\n", 0o644, "chmod 0600");
        for text in ["", "jan", "jan\n", "\nsecret\n", "jan\nsecret\nmore\n"] {
            case(text, 0o600, "expected two lines");
        }
    }
}
