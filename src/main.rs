//! The `longhand` program. Its code is in [`longhand::cli`].

use std::io::Write as _;

/// Each page allocates and frees a few blocks of about a megabyte. The system's allocator returns them to the kernel,
/// which must clear them for the next page. This one keeps them for a while.
#[cfg(not(target_env = "msvc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Where the program looks for a display server if the environment names no runtime directory: no such directory has
/// one.
const NO_RUNTIME_DIR: &str = "/var/empty";

fn main() {
    if std::env::var_os("XDG_RUNTIME_DIR").is_none_or(|value| value.is_empty()) {
        set_runtime_dir();
    }
    let exit_code = longhand::cli::run();
    // A failure to write was reported where it was written.
    let _ = std::io::stdout().flush();
    end(exit_code.into())
}

/// Ends the process, though a thread may still draw. An ordinary exit destroys the state of the Vulkan driver's C++
/// libraries. A thread that still draws would then crash the process.
#[cfg(unix)]
fn end(exit_code: i32) -> ! {
    #[expect(unsafe_code, reason = "no safe function ends the process without its exit handlers")]
    // SAFETY: the call takes a number and does not return.
    unsafe {
        libc::_exit(exit_code)
    }
}

/// Ends the process.
#[cfg(not(unix))]
fn end(exit_code: i32) -> ! {
    std::process::exit(exit_code)
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
