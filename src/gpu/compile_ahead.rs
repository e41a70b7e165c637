//! Compiles pipelines on a thread of its own, so that the first page of a kind does not wait for the driver's compiler.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use super::passes::Pass;

/// The thread. Dropping it ends the thread after the pipeline that it compiles.
#[derive(Debug)]
pub(super) struct CompileAhead {
    is_stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl CompileAhead {
    /// Compiles all settings of these passes, the first pass first. If the system gives no thread, each pipeline is
    /// compiled when a page first needs it.
    pub(super) fn start(device: &wgpu::Device, passes: Vec<Pass>) -> Self {
        let is_stopped = Arc::<AtomicBool>::default();
        let (device, stopped) = (device.clone(), Arc::clone(&is_stopped));
        let thread = std::thread::Builder::new().name("pipelines".to_owned()).spawn(move || {
            let is_wanted = || !stopped.load(Ordering::Relaxed);
            for pass in &passes {
                pass.compile_while(&device, &is_wanted);
            }
        });
        Self { is_stopped, thread: thread.ok() }
    }

    /// Whether the thread may still use the device.
    pub(super) fn is_running(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }
}

impl Drop for CompileAhead {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // If it panicked, the device is lost: pages meet the same failure and report it.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::passes::Passes;

    #[test]
    fn all_settings_are_compiled_while_pages_are_drawn() {
        let (device, _queue) = wgpu::Device::noop(&wgpu::DeviceDescriptor::default());
        let passes = {
            let Passes { accumulate, resolve, .. } = Passes::new(&device, 64);
            [accumulate, resolve]
        };
        let mut ahead = CompileAhead::start(&device, passes.to_vec());
        // A page may need a pipeline at the same time.
        passes[1].compile_while(&device, &|| true);
        ahead.thread.take().unwrap().join().unwrap();
        assert_eq!(passes.map(|pass| pass.compiled()), [2, 16]);
    }

    #[test]
    fn nothing_uses_a_device_after_its_compiling_was_ended() {
        let (device, _queue) = wgpu::Device::noop(&wgpu::DeviceDescriptor::default());
        let pass = Passes::new(&device, 64).resolve;
        drop(CompileAhead::start(&device, vec![pass.clone()]));
        assert!(!pass.is_shared(), "the thread still runs");
    }
}
