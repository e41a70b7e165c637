//! The `longhand` program. Its code is in [`longhand::cli`].

/// Each page allocates and frees a few blocks of about a megabyte. The system's allocator returns them to the kernel,
/// which must clear them for the next page. This one keeps them for a while.
#[cfg(not(target_env = "msvc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Where the program looks for a display server if the environment names no runtime directory: no such directory has
/// one.
const NO_RUNTIME_DIR: &str = "/var/empty";

fn main() -> std::process::ExitCode {
    if std::env::var_os("XDG_RUNTIME_DIR").is_none_or(|value| value.is_empty()) {
        set_runtime_dir();
    }
    longhand::cli::run()
}

/// Keeps Mesa's layer for the choice of devices, which asks for a Wayland server, from writing an error to standard
/// error where there is no desktop.
fn set_runtime_dir() {
    #[expect(unsafe_code, reason = "no safe function sets a variable, and the library that reads it takes no argument")]
    // SAFETY: the process has no other thread yet that could read the environment.
    unsafe {
        std::env::set_var("XDG_RUNTIME_DIR", NO_RUNTIME_DIR);
    }
}
