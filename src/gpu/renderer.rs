//! The handle to all devices: gives each scene to the device with the least work.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use super::choice::{GpuName, choose};
use super::error::GpuError;
use super::fault::FaultPlan;
use super::kept_device::{DeviceHealth, DeviceStanding, KeptDevice, Policy, Remedy};
use super::owner::{Opening, Undrawn};
use super::survey::offered_adapters;
use crate::clock::Clock;
use crate::raster::Coverage;
use crate::scene::Scene;
use crate::work::{IsWanted, Stopped};

/// How often a scene is drawn at most. Losses in a row happen while a driver restarts; a scene that the device fails on
/// every time is taken for the cause.
const MOST_ATTEMPTS: u32 = 3;
/// How often a scene is drawn at most that makes the device hang.
const MOST_HANGS: u32 = 2;
/// How the devices are chosen and treated.
#[derive(Clone, Debug)]
pub struct DeviceOptions {
    /// Which adapters draw, each on a thread of its own.
    pub gpus: Vec<GpuName>,
    /// How often a software adapter is opened where `auto` finds nothing better. Its threads wait for the slowest of them
    /// at the end of each dispatch: cores that idle there draw for another device.
    pub software_devices: usize,
    /// Longest that one page may take on a device; beyond, it counts as hanging.
    pub timeout: Duration,
    /// Losses of a device within a minute that are borne.
    pub restarts: u32,
    /// What to do beyond.
    pub remedy: Remedy,
    /// What goes wrong on purpose.
    pub faults: FaultPlan,
}

impl Default for DeviceOptions {
    fn default() -> Self {
        let (gpus, timeout) = (vec![GpuName::Auto], Duration::from_secs(60));
        let (remedy, faults) = (Remedy::default(), FaultPlan::default());
        Self { gpus, software_devices: 1, timeout, restarts: 30, remedy, faults }
    }
}

/// A handle to the devices. Shared by all render threads; never call it from an async task.
#[derive(Debug)]
pub struct Renderer {
    /// At least one.
    devices: Vec<Arc<KeptDevice>>,
}

impl Renderer {
    /// Opens the most capable adapters.
    ///
    /// # Errors
    /// When there is no adapter (the text says what to install), no device, or no thread.
    pub fn start() -> Result<Self, GpuError> {
        Self::start_with(DeviceOptions::default(), &Clock::system())
    }

    /// As [`start`](Self::start), with options. Of several devices it is enough if one can be opened; the others are
    /// tried again later.
    ///
    /// # Errors
    /// As [`start`](Self::start), and when an adapter is named that is not there.
    pub fn start_with(options: DeviceOptions, clock: &Clock) -> Result<Self, GpuError> {
        let DeviceOptions { gpus, software_devices, timeout, restarts, remedy, faults } = options;
        let open_devices = Arc::<AtomicUsize>::default();
        let (mut devices, mut failures) = (Vec::new(), Vec::new());
        for (number, choice) in choose(&offered_adapters(), &gpus, software_devices)?.into_iter().enumerate() {
            let opening = Opening { choice, timeout, faults: faults.clone(), clock: clock.clone() };
            let policy = Policy { restarts, remedy };
            let (device, failure) = KeptDevice::open(number, opening, policy, Arc::clone(&open_devices));
            devices.push(Arc::new(device));
            failures.extend(failure);
        }
        let are_all_away = failures.len() == devices.len();
        match failures.into_iter().next() {
            Some(failure) if are_all_away => Err(failure),
            _ => Ok(Self { devices }),
        }
    }

    /// The devices, in the order in which they were named.
    #[must_use]
    pub fn devices(&self) -> Vec<DeviceStanding> {
        self.devices.iter().map(|device| device.standing()).collect()
    }

    /// How the devices are, taken together: as bad as the worst, but given up only where all of them are.
    #[must_use]
    pub fn health(&self) -> DeviceHealth {
        together(self.devices.iter().map(|device| device.standing().health))
    }

    /// Draws a scene on the least loaded device; blocks until its coverage is there. A page without ink needs no device.
    /// A device that fails, hangs or is lost on the way is replaced, from the instance upwards, and the scene drawn once
    /// more, on another device where there is one.
    ///
    /// # Errors
    /// When devices fail on this scene time and again, there is none, or the scene is beyond their limits.
    pub fn render(&self, scene: Scene) -> Result<Coverage, GpuError> {
        self.render_while(scene, &|| true)
    }

    /// As [`render`](Self::render), as long as the coverage is wanted.
    ///
    /// # Errors
    /// As [`render`](Self::render), and [`GpuError::Stopped`] soon after it is not.
    pub fn render_while(&self, scene: Scene, is_wanted: IsWanted<'_>) -> Result<Coverage, GpuError> {
        if scene.drawn_pixels() == 0 {
            return Ok(Coverage::new(scene.size.width, scene.size.height, Vec::new(), Vec::new()));
        }
        let scene = Arc::new(scene);
        let (mut failures, mut hangs) = (0, 0);
        let mut away: Vec<&Arc<KeptDevice>> = Vec::new();
        let mut reason = GpuError::ShutDown;
        while let Some(device) = self.least_loaded(&away) {
            match device.draw(&scene, failures > 0, is_wanted) {
                Ok(coverage) => return Ok(coverage),
                Err(Undrawn::Failed(error @ GpuError::TooLarge { .. })) => return Err(error),
                Err(Undrawn::Failed(error)) => {
                    failures += 1;
                    hangs += u32::from(matches!(error, GpuError::TimedOut(_)));
                    if failures == MOST_ATTEMPTS || hangs == MOST_HANGS {
                        return Err(error);
                    }
                }
                Err(Undrawn::NeverBegun) => {}
                Err(Undrawn::Unwanted) => return Err(GpuError::Stopped(Stopped::Unwanted)),
                Err(Undrawn::Away(error)) => {
                    away.push(device);
                    reason = error;
                }
            }
        }
        Err(reason)
    }

    /// The device with the least to do, but for those that are away; one that is open before one that must be opened,
    /// which is then opened beside.
    fn least_loaded(&self, away: &[&Arc<KeptDevice>]) -> Option<&Arc<KeptDevice>> {
        let others = || self.devices.iter().filter(|device| !away.iter().any(|gone| Arc::ptr_eq(gone, device)));
        let best = others().min_by_key(|device| (!device.is_open(), device.load()))?;
        if best.is_open() {
            others().filter(|device| !device.is_open()).for_each(KeptDevice::open_beside);
        }
        Some(best)
    }
}

/// The health of several devices as one.
fn together(healths: impl Iterator<Item = DeviceHealth>) -> DeviceHealth {
    use DeviceHealth::{Away, FallenBack, GivenUp, Working};
    let healths: Vec<_> = healths.collect();
    let all = |health| healths.iter().all(|one| *one == health);
    let any = |health| healths.contains(&health);
    if all(GivenUp) {
        GivenUp
    } else if any(Away) || any(GivenUp) {
        Away
    } else if any(FallenBack) {
        FallenBack
    } else {
        Working
    }
}

impl Drop for Renderer {
    /// Closes the devices, unless that takes too long.
    fn drop(&mut self) {
        self.devices.iter().for_each(|device| device.close());
    }
}

#[cfg(test)]
mod tests;
