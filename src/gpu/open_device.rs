//! Opens an adapter as a device, submits to it and waits for it. A device that has failed is not called again: see
//! `readback_pool`.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use super::adapter::{AdapterChoice, AdapterDescription, PciAddress, describe};
use super::error::GpuError;
use super::pass_times;

/// An open device, its queue, and its first error.
pub(super) struct OpenDevice {
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    pub(super) description: AdapterDescription,
    /// Fewest lanes of a workgroup that keep the device busy.
    pub(super) subgroup: u32,
    complaint: Arc<Mutex<Option<String>>>,
}

impl OpenDevice {
    /// Opens an adapter, from a new instance upwards, with all its limits. If it has the CPU's memory, the CPU may read
    /// what passes write. If `times_passes` and the adapter can, it has timestamps.
    pub(super) fn open(choice: &AdapterChoice, times_passes: bool) -> Result<Self, GpuError> {
        Self::open_with(choice, |description| wanted_features(description, times_passes))
    }

    /// As [`open`](Self::open), with the features that `wanted` gives, as far as they are there. It may change the
    /// description, so that a software adapter is taken for another one.
    pub(super) fn open_with(
        choice: &AdapterChoice,
        wanted: impl FnOnce(&mut AdapterDescription) -> wgpu::Features,
    ) -> Result<Self, GpuError> {
        let adapter = find(choice)?;
        let info = adapter.get_info();
        let mut description = describe(&info);
        let wanted = wanted(&mut description);
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("longhand"),
            required_features: adapter.features() & wanted,
            required_limits: adapter.limits(),
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|error| GpuError::NoDevice(error.to_string()))?;
        let complaint = Arc::new(Mutex::new(None));
        listen(&device, &complaint);
        let subgroup = fewest_lanes(&info);
        Ok(Self { device, queue, description, subgroup, complaint })
    }

    /// Whether the adapter needs no hardware.
    pub(super) fn is_software(&self) -> bool {
        self.description.is_software()
    }

    /// Submits commands.
    ///
    /// # Errors
    /// When the device has failed. wgpu is not called then: it would free memory that pages are read from.
    #[expect(clippy::disallowed_methods, reason = "the device is checked")]
    pub(super) fn submit(
        &self,
        commands: impl IntoIterator<Item = wgpu::CommandBuffer>,
    ) -> Result<wgpu::SubmissionIndex, GpuError> {
        self.check()?;
        Ok(self.queue.submit(commands))
    }

    /// Waits for a submission, for at most `patience`. Returns whether it is done.
    ///
    /// # Errors
    /// When the device fails or has failed. wgpu is not called then: it would free memory that pages are read from.
    #[expect(clippy::disallowed_methods, reason = "the device is checked")]
    pub(super) fn wait(&self, submission: &wgpu::SubmissionIndex, patience: Duration) -> Result<bool, GpuError> {
        self.check()?;
        let wait = wgpu::PollType::Wait { submission_index: Some(submission.clone()), timeout: Some(patience) };
        match self.device.poll(wait) {
            Ok(_) => self.check().map(|()| true),
            Err(wgpu::PollError::Timeout) => Ok(false),
            Err(error) => Err(GpuError::Failed(error.to_string())),
        }
    }

    /// Loses the device, like a crash of the driver.
    pub(super) fn lose(&self) {
        complain(&self.complaint, "lost on purpose".to_owned());
        self.device.destroy();
    }

    /// Fails if the device has reported an error since it was opened.
    pub(super) fn check(&self) -> Result<(), GpuError> {
        match &*self.complaint.lock() {
            Some(complaint) => Err(GpuError::Failed(complaint.clone())),
            None => Ok(()),
        }
    }
}

/// The features of an adapter that are used.
pub(super) fn wanted_features(description: &AdapterDescription, times_passes: bool) -> wgpu::Features {
    let in_place = wgpu::Features::MAPPABLE_PRIMARY_BUFFERS;
    let mut wanted = wgpu::Features::empty();
    wanted.set(in_place, description.shares_memory());
    wanted.set(pass_times::FEATURES, times_passes);
    wanted
}

/// Every adapter of every backend, in the system's order, from a new instance upwards.
pub(super) fn every_adapter() -> Vec<wgpu::Adapter> {
    pollster::block_on(instance().enumerate_adapters(wgpu::Backends::all()))
}

fn instance() -> wgpu::Instance {
    wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env())
}

/// The chosen adapter. Places shift when a device comes or goes, so the slot and the name count first.
fn find(choice: &AdapterChoice) -> Result<wgpu::Adapter, GpuError> {
    let AdapterChoice::This { place, name, pci } = choice else {
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            force_fallback_adapter: *choice == AdapterChoice::Software,
            ..Default::default()
        };
        return pollster::block_on(instance().request_adapter(&options)).map_err(|error| {
            tracing::debug!(%error, "no adapter");
            GpuError::NoAdapter("the system offers none".to_owned())
        });
    };
    let mut adapters = every_adapter();
    let is_meant = |adapter: &wgpu::Adapter| {
        let info = adapter.get_info();
        info.name == *name && (pci.is_none() || PciAddress::parse(&info.device_pci_bus_id) == *pci)
    };
    let at_place = adapters.get(*place).is_some_and(is_meant).then_some(*place);
    let found = at_place.or_else(|| adapters.iter().position(is_meant));
    found.map(|found| adapters.swap_remove(found)).ok_or_else(|| GpuError::NoAdapter(format!("{name} is not there")))
}

/// Lanes of a workgroup of hardware.
const HARDWARE_LANES: u32 = 64;

/// Fewest lanes of a workgroup that keep a device busy: those that a processor runs in lockstep. Hardware may report as
/// few as 4 (Metal) or 8, but needs whole wavefronts of up to 64.
fn fewest_lanes(info: &wgpu::AdapterInfo) -> u32 {
    if info.device_type == wgpu::DeviceType::Cpu { info.subgroup_min_size } else { HARDWARE_LANES }
}

/// Keeps the first error, because later ones follow from it.
fn complain(complaint: &Mutex<Option<String>>, text: String) {
    complaint.lock().get_or_insert(text);
}

/// Keeps the errors of the device.
fn listen(device: &wgpu::Device, complaint: &Arc<Mutex<Option<String>>>) {
    let slot = Arc::clone(complaint);
    device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| complain(&slot, error.to_string())));
    let slot = Arc::clone(complaint);
    device.set_device_lost_callback(move |reason, message| {
        complain(&slot, format!("device lost ({reason:?}): {message}"));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hardware_gets_whole_workgroups_whatever_subgroup_it_reports() {
        let mut info = wgpu::AdapterInfo::new(wgpu::DeviceType::Cpu, wgpu::Backend::Vulkan);
        info.subgroup_min_size = 8;
        assert_eq!(fewest_lanes(&info), 8);
        for kind in [
            wgpu::DeviceType::DiscreteGpu,
            wgpu::DeviceType::IntegratedGpu,
            wgpu::DeviceType::VirtualGpu,
            wgpu::DeviceType::Other,
        ] {
            for reported in [4, 8, 32, 64] {
                (info.device_type, info.subgroup_min_size) = (kind, reported);
                assert_eq!(fewest_lanes(&info), 64, "{kind:?} reports {reported}");
            }
        }
    }

    #[cfg(feature = "faults")]
    #[test]
    #[expect(clippy::disallowed_methods, reason = "no page is read")]
    fn nothing_is_asked_of_a_lost_device_which_would_free_the_memory_of_pages() {
        use std::sync::atomic::{AtomicBool, Ordering};

        let open = OpenDevice::open(&AdapterChoice::Software, false).unwrap();
        let freed = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&freed);
        // wgpu calls this when it frees all memory.
        open.device.set_device_lost_callback(move |_, _| flag.store(true, Ordering::Relaxed));
        let submission = open.submit([]).unwrap();
        // With work under way, wgpu would not free it yet, and a call that should not happen would not be seen.
        assert_eq!(open.wait(&submission, Duration::from_secs(60)), Ok(true));
        open.lose();
        let refused = [open.submit([]).err(), open.wait(&submission, Duration::from_secs(1)).err()];
        assert!(refused.iter().all(|error| matches!(error, Some(GpuError::Failed(_)))), "{refused:?}");
        assert!(!freed.load(Ordering::Relaxed));
        let _ = open.device.poll(wgpu::PollType::Poll);
        assert!(freed.load(Ordering::Relaxed), "wgpu no longer frees memory when it is called");
    }
}
