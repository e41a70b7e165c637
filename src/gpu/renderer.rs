//! The handle to all devices.
//!
//! Input: a scene. Output: its coverage. Gives each scene to the device with the least work, and draws it again if the
//! device fails. Opening devices is the task of `supervised_device`.

use std::sync::Arc;

use super::adapter::AdapterChoice;
use super::adapters::offered_adapters;
use super::choice::choose;
use super::device_limits::DeviceLimits;
use super::device_thread::DrawError;
use super::error::GpuError;
use super::opening::{DeviceOptions, Opening};
use super::supervised_device::{BegunDrawing, DeviceHealth, DeviceStatus, SupervisedDevice};
use crate::clock::Clock;
use crate::raster::Coverage;
use crate::scene::Scene;
use crate::work::{IsWanted, Stopped};

/// Attempts to draw a scene. Several losses in a row happen while a driver restarts. If every attempt fails, the scene
/// counts as the cause.
const MOST_ATTEMPTS: u32 = 3;
/// Attempts to draw a scene that makes the device hang.
const MOST_HANGS: u32 = 2;

/// A handle to the devices. Shared by all render threads; never call it from an async task.
#[derive(Debug)]
pub struct Renderer {
    /// At least one.
    devices: Vec<SupervisedDevice>,
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
    /// tried again later. If none can, other adapters stand in for all of them, the most capable first.
    ///
    /// # Errors
    /// As [`start`](Self::start), and when a named adapter does not exist.
    pub fn start_with(options: DeviceOptions, clock: &Clock) -> Result<Self, GpuError> {
        let software = options.software_fallback.then_some(options.software_devices);
        let attempts = choose(&offered_adapters(), &options.gpus, software)?;
        let options = Arc::new(options);
        let opening = |number, choice| Opening { number, choice, options: Arc::clone(&options), clock: clock.clone() };
        Self::open_first(attempts, &opening)
    }

    /// Opens the adapters of the first attempt that gives a device.
    fn open_first(
        attempts: Vec<Vec<AdapterChoice>>,
        opening: &dyn Fn(usize, AdapterChoice) -> Opening,
    ) -> Result<Self, GpuError> {
        let mut reason = None;
        for choices in attempts {
            let (mut devices, mut failures) = (Vec::new(), Vec::new());
            for (number, choice) in choices.into_iter().enumerate() {
                let (device, failure) = SupervisedDevice::open(opening(number, choice));
                devices.push(device);
                failures.extend(failure);
            }
            if failures.len() < devices.len() {
                let renderer = Self { devices };
                if let Some(error) = reason {
                    let adapter = renderer.devices().first().map(|device| device.adapter.name.clone());
                    tracing::warn!(%error, adapter, "none of the selected GPUs can be opened; another adapter draws");
                }
                return Ok(renderer);
            }
            reason = reason.or(failures.into_iter().next());
        }
        Err(reason.unwrap_or(GpuError::ShutDown))
    }

    /// Largest number of pixels of strips in one band of a scene, which may be drawn on any of the devices.
    #[must_use]
    pub fn band_pixels(&self) -> usize {
        let of_device = |device: &SupervisedDevice| DeviceLimits::of(device.is_software()).band_pixels;
        self.devices.iter().map(of_device).min().unwrap_or_default()
    }

    /// The devices, in the order of their names.
    #[must_use]
    pub fn devices(&self) -> Vec<DeviceStatus> {
        self.devices.iter().map(SupervisedDevice::status).collect()
    }

    /// The health of all devices together: given up if all are away.
    #[must_use]
    pub fn health(&self) -> DeviceHealth {
        together(self.devices.iter().map(|device| device.status().health))
    }

    /// Draws a scene on the least loaded device; blocks until its coverage is there. A page without ink needs no
    /// device. A device that fails, hangs or is lost is replaced, from the instance upwards, and the scene is drawn
    /// again, on another device if there is one.
    ///
    /// # Errors
    /// When all attempts fail, there is no device, or the scene is beyond the limits.
    pub fn render(&self, scene: Scene) -> Result<Coverage, GpuError> {
        self.finish(&Arc::new(scene), None, &|| true)
    }

    /// As [`render`](Self::render), draws the scenes of one page, as long as they are wanted. One device gets them all
    /// at once, so that they can share a submission.
    ///
    /// # Errors
    /// As [`render`](Self::render), and [`GpuError::Stopped`] soon after they are unwanted.
    pub fn render_all_while(&self, scenes: Vec<Scene>, is_wanted: IsWanted<'_>) -> Result<Vec<Coverage>, GpuError> {
        let scenes: Vec<Arc<Scene>> = scenes.into_iter().map(Arc::new).collect();
        let device = self.least_loaded(&[]);
        let given =
            |scene: &Arc<Scene>| device.filter(|_| !scene.is_blank()).and_then(|device| device.begin(scene).ok());
        let begun: Vec<Option<BegunDrawing<'_>>> = scenes.iter().map(given).collect();
        scenes.iter().zip(begun).map(|(scene, begun)| self.finish(scene, begun, is_wanted)).collect()
    }

    /// Waits for a scene that a device has begun, or else gives it to the least loaded one, as long as another attempt
    /// may help.
    fn finish(
        &self,
        scene: &Arc<Scene>,
        mut begun: Option<BegunDrawing<'_>>,
        is_wanted: IsWanted<'_>,
    ) -> Result<Coverage, GpuError> {
        if scene.is_blank() {
            return Ok(Coverage::new(scene.size.width, scene.size.height, Vec::new(), Vec::new()));
        }
        let (mut failures, mut hangs) = (0, 0);
        let mut away: Vec<&SupervisedDevice> = Vec::new();
        let mut reason = GpuError::ShutDown;
        loop {
            let drawing = if let Some(begun) = begun.take() {
                Ok(begun)
            } else {
                let Some(device) = self.least_loaded(&away) else { return Err(reason) };
                device.begin(scene).inspect_err(|error| {
                    if matches!(error, DrawError::Away(_)) {
                        away.push(device);
                    }
                })
            };
            match drawing.and_then(|drawing| drawing.finish(is_wanted)) {
                Ok(coverage) => return Ok(coverage),
                Err(DrawError::Failed(error @ GpuError::TooLarge { .. })) => return Err(error),
                Err(DrawError::Failed(error)) => {
                    failures += 1;
                    hangs += u32::from(matches!(error, GpuError::TimedOut(_)));
                    if failures == MOST_ATTEMPTS || hangs == MOST_HANGS {
                        return Err(error);
                    }
                }
                Err(DrawError::NeverBegun) => {}
                Err(DrawError::Unwanted) => return Err(GpuError::Stopped(Stopped::Unwanted)),
                Err(DrawError::Away(error)) => reason = error,
            }
        }
    }

    /// The device with the least work among those that have not refused this scene. Usable devices come first.
    fn least_loaded(&self, away: &[&SupervisedDevice]) -> Option<&SupervisedDevice> {
        let others = self.devices.iter().filter(|device| !away.iter().any(|gone| std::ptr::eq(*gone, *device)));
        others.min_by_key(|device| (!device.is_usable(), device.load()))
    }
}

/// The health of several devices as one.
fn together(healths: impl Iterator<Item = DeviceHealth>) -> DeviceHealth {
    let (working, away): (Vec<_>, Vec<_>) = healths.partition(|health| *health == DeviceHealth::Working);
    match (working.is_empty(), away.is_empty()) {
        (_, true) => DeviceHealth::Working,
        (false, false) => DeviceHealth::Away,
        (true, false) => DeviceHealth::GivenUp,
    }
}

impl Drop for Renderer {
    /// Closes the devices, unless that takes too long.
    fn drop(&mut self) {
        self.devices.iter().for_each(SupervisedDevice::close);
    }
}

#[cfg(test)]
mod tests;
