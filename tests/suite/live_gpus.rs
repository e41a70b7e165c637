//! The choice of GPUs of the running program.

use std::process::Command;

#[test]
fn a_gpu_that_is_not_there_is_69_and_those_there_are_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
    command.args(["serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--gpu", "0,radeon"]);
    let output = command.current_dir(folder.path()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(69), "{errors}");
    assert!(errors.contains("there is no GPU \"radeon\"; 0 is "), "{errors}");
}
