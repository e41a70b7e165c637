//! The `longhand` program: everything it does is in [`longhand::cli`].

fn main() -> std::process::ExitCode {
    longhand::cli::run()
}
