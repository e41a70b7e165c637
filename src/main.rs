//! The `longhand` program: everything it does is in [`longhand::cli`].

/// Each page takes a few blocks of about a megabyte and gives them back. The system's allocator returns those to the kernel,
/// which blanks them anew for the next page; this one keeps them for a while.
#[cfg(not(target_env = "msvc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> std::process::ExitCode {
    longhand::cli::run()
}
