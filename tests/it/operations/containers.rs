//! Runs podman with an image store of its own, for tests of the image. The containers have no network and the same restrictions as
//! the examples.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rustix::process::geteuid;
use serde_json::Value;
use tempfile::TempDir;

use crate::process::wait_until;
use crate::scratch;
use crate::tools::{optional_program, program, root, skip_as_not_permitted};

/// The image that [`Engine::build`] makes.
pub(super) const IMAGE: &str = "localhost/postduif-test:latest";

/// Limits for every container. Without these options podman tries to raise the limits above those of the test process, which some
/// machines forbid.
const LIMITS: [&str; 4] = [
    "--ulimit", "nofile=4096:4096", "--ulimit", "nproc=4096:4096",
];

/// A podman installation whose containers are killed and removed on drop.
pub(super) struct Engine {
    folder: TempDir,
}

impl Engine {
    /// Prepares podman. Returns `None`, and records the test as skipped, if the machine has no podman or forbids containers.
    pub(super) fn new() -> Option<Self> {
        for name in ["buildah", "podman", "runc", "curl"] {
            program(name)?;
        }
        let unshare = optional_program("unshare")?;
        let tried = Command::new(unshare)
            .args(["--mount", "--pid", "--net", "--fork", "true"])
            .stderr(Stdio::null())
            .status();
        if !geteuid().is_root() || !tried.is_ok_and(|status| status.success()) {
            skip_as_not_permitted("to start a container");
            return None;
        }
        let folder = scratch::folder();
        let at = folder.path().display();
        let storage = format!(
            "[storage]\ndriver = \"vfs\"\ngraphroot = \"{at}/storage\"\nrunroot = \"{at}/run\"\n"
        );
        let containers = format!(
            "[engine]\nruntime = \"runc\"\ncgroup_manager = \"cgroupfs\"\nevents_logger = \"none\"\nlock_type = \"file\"\n\
             tmp_dir = \"{at}/tmp\"\nstatic_dir = \"{at}/static\"\nvolume_path = \"{at}/volumes\"\n\
             [network]\nnetwork_config_dir = \"{at}/networks\"\n"
        );
        for (name, text) in [("storage.conf", storage), ("containers.conf", containers)] {
            std::fs::write(folder.path().join(name), text).expect("a new file");
        }
        Some(Self { folder })
    }

    /// A folder that is deleted when the engine is dropped.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env(
                "CONTAINERS_STORAGE_CONF",
                self.folder().join("storage.conf"),
            )
            .env("CONTAINERS_CONF", self.folder().join("containers.conf"))
            // Without systemd, podman runs a health check only on request.
            .env("DISABLE_HC_SYSTEMD", "true");
        command
    }

    /// Builds the image with the `postduif` binary of the tests.
    pub(super) fn build(&self) {
        let mut command = self.command(root().join("docker/package"));
        command
            .args([
                "image",
                "--binary",
                env!("CARGO_BIN_EXE_postduif"),
                "--tag",
                IMAGE,
            ])
            .env("SOURCE_DATE_EPOCH", "1767225600");
        let output = command.output().expect("it runs");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{message}");
    }

    pub(super) fn podman(&self, arguments: &[&str]) -> Output {
        let mut command = self.command("podman");
        command.args(arguments).output().expect("it runs")
    }

    /// Runs podman, which must succeed, and returns its output.
    #[track_caller]
    pub(super) fn podman_output(&self, arguments: &[&str]) -> String {
        let output = self.podman(arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {message}");
        String::from_utf8(output.stdout)
            .expect("UTF-8")
            .trim()
            .to_owned()
    }

    /// Podman's description of the image: its configuration and layers.
    pub(super) fn image(&self) -> Value {
        let json = self.podman_output(&["image", "inspect", IMAGE]);
        serde_json::from_str::<Value>(&json).expect("JSON")[0].take()
    }

    /// Mounts the image; returns the folder with its files.
    pub(super) fn files(&self) -> PathBuf {
        self.podman_output(&["image", "mount", IMAGE]).into()
    }

    /// Starts a container of the image with this name, these options of `podman run` and these arguments of postduif.
    #[track_caller]
    pub(super) fn start(&self, name: &str, options: &[&str], arguments: &[&str]) {
        let run = ["run", "--detach", "--name", name, "--network", "none"];
        self.podman_output(&[&run[..], &LIMITS, options, &[IMAGE], arguments].concat());
    }

    /// Runs postduif in a running container.
    pub(super) fn exec(&self, name: &str, arguments: &[&str]) -> Output {
        self.podman(&[&["exec", name], arguments].concat())
    }

    /// Waits until a container's health check passes: `command` if it is given, otherwise the health check of the image.
    pub(super) fn wait_until_healthy(&self, name: &str, command: Option<&[&str]>) {
        wait_until(&format!("{name} is healthy"), || {
            let state = self.podman_output(&["inspect", "--format", "{{.State.Status}}", name]);
            assert_eq!(state, "running", "{}", self.log(name));
            let output = match command {
                Some(command) => self.exec(name, command),
                None => self.podman(&["healthcheck", "run", name]),
            };
            output.status.success()
        });
    }

    /// Everything that a container printed.
    pub(super) fn log(&self, name: &str) -> String {
        let output = self.podman(&["logs", name]);
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    }

    /// The process id, on this machine, of a container's main process.
    pub(super) fn process(&self, name: &str) -> String {
        self.podman_output(&["inspect", "--format", "{{.State.Pid}}", name])
    }

    /// Runs a shell command of this machine in the network namespace of a container.
    pub(super) fn in_network(&self, name: &str, command: &str) -> Output {
        let process = self.process(name);
        let mut nsenter = Command::new("nsenter");
        nsenter.args(["--target", &process, "--net", "sh", "-c", command]);
        nsenter.output().expect("it runs")
    }

    /// Stops a container with `podman stop`; returns the exit code of postduif.
    pub(super) fn stop(&self, name: &str) -> String {
        self.podman_output(&["stop", "--time", "40", name]);
        self.podman_output(&["inspect", "--format", "{{.State.ExitCode}}", name])
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.podman(&["rm", "--force", "--time", "0", "--all", "--volumes"]);
        self.podman(&["image", "unmount", "--all", "--force"]);
    }
}
