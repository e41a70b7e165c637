//! The thread that owns the device, and the handle to it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use super::adapter::AdapterDescription;
use super::error::GpuError;
use super::painter::Painter;
use crate::raster::Coverage;
use crate::scene::Scene;
use crate::telemetry;

/// Scenes that may wait for the device; callers beyond that wait to hand theirs over.
const WAITING_SCENES: usize = 4;

/// A handle to the thread that owns the device. Shared by all render threads; never call it from an async task.
#[derive(Debug)]
pub struct Renderer {
    jobs: Option<SyncSender<Job>>,
    adapter: AdapterDescription,
    owner: Option<JoinHandle<()>>,
}

struct Job {
    scene: Scene,
    reply: SyncSender<Result<Coverage, GpuError>>,
}

impl Renderer {
    /// Opens the most capable adapter on a thread of its own.
    ///
    /// # Errors
    /// When there is no adapter (the text says what to install), no device, or no thread.
    pub fn start() -> Result<Self, GpuError> {
        let (jobs, waiting) = sync_channel(WAITING_SCENES);
        let (opened, opening) = sync_channel(1);
        let owner = std::thread::Builder::new()
            .name("gpu".to_owned())
            .spawn(move || own_device(&waiting, &opened))
            .map_err(|error| GpuError::Failed(format!("no thread for the device: {error}")))?;
        let adapter = opening.recv().map_err(|_| GpuError::ShutDown)??;
        Ok(Self { jobs: Some(jobs), adapter, owner: Some(owner) })
    }

    /// The adapter in words.
    #[must_use]
    pub const fn adapter(&self) -> &AdapterDescription {
        &self.adapter
    }

    /// Draws a scene; blocks until its coverage is there.
    ///
    /// # Errors
    /// When the device fails twice on this scene, or the scene is beyond its limits.
    pub fn render(&self, scene: Scene) -> Result<Coverage, GpuError> {
        let (reply, answer) = sync_channel(1);
        let jobs = self.jobs.as_ref().ok_or(GpuError::ShutDown)?;
        jobs.send(Job { scene, reply }).map_err(|_| GpuError::ShutDown)?;
        answer.recv().map_err(|_| GpuError::ShutDown)?
    }
}

impl Drop for Renderer {
    /// Lets the device finish the scenes that wait, then closes it.
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(owner) = self.owner.take() {
            // A panic of the owner has been answered to every caller already.
            let _ = owner.join();
        }
    }
}

fn own_device(waiting: &Receiver<Job>, opened: &SyncSender<Result<AdapterDescription, GpuError>>) {
    let mut painter = match open_painter() {
        Ok(painter) => {
            // `start` waits for this answer; where it has gone away there is nobody to draw for.
            let _ = opened.send(Ok(painter.adapter().clone()));
            Some(painter)
        }
        Err(error) => {
            let _ = opened.send(Err(error));
            return;
        }
    };
    while let Ok(Job { scene, reply }) = waiting.recv() {
        // The caller may have gone away; its page is then drawn for nobody.
        let _ = reply.send(draw_with_recovery(&mut painter, &scene));
    }
}

/// Draws the scene; a failed device is opened anew, from the instance upwards, and the scene drawn once more.
fn draw_with_recovery(painter: &mut Option<Painter>, scene: &Scene) -> Result<Coverage, GpuError> {
    let first = draw(painter, scene);
    match first {
        Err(GpuError::Failed(_) | GpuError::TimedOut(_)) => {
            tracing::warn!(
                error = first.as_ref().err().map(ToString::to_string),
                "the device failed and is opened anew"
            );
            draw(painter, scene)
        }
        other => other,
    }
}

/// Draws the scene on the open device, or on a new one where there is none; a failed device is closed.
fn draw(slot: &mut Option<Painter>, scene: &Scene) -> Result<Coverage, GpuError> {
    let mut painter = match slot.take() {
        Some(painter) => painter,
        None => open_painter()?,
    };
    let outcome = catch_unwind(AssertUnwindSafe(|| painter.draw(scene)))
        .unwrap_or_else(|panic| Err(GpuError::Failed(panic_text(panic.as_ref()))));
    match outcome {
        Ok(_) | Err(GpuError::TooLarge { .. }) => *slot = Some(painter),
        // Dropping a hung device may block for as long as it hangs.
        Err(_) => {
            telemetry::device_lost();
            drop(std::thread::Builder::new().name("gpu-close".to_owned()).spawn(move || drop(painter)));
        }
    }
    outcome
}

fn open_painter() -> Result<Painter, GpuError> {
    let opened = catch_unwind(Painter::open);
    let opened = opened.unwrap_or_else(|panic| Err(GpuError::NoDevice(panic_text(panic.as_ref()))));
    opened.inspect(|_| telemetry::device_opened())
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic without a message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::FontCatalogue;
    use crate::layout::lay_out;
    use crate::mesh::MeshCache;
    use crate::scene::{Rendition, compose};
    use crate::spec::{Endpoint, parse_value};

    fn a_scene() -> Scene {
        let catalogue = FontCatalogue::load().unwrap();
        let request = serde_json::json!({"text": "Hello", "font_size": 60, "page_size": "a6"});
        let spec = parse_value(&request, Endpoint::Generate, || 1).unwrap();
        let layout = lay_out(&spec, &catalogue).unwrap();
        compose(&layout, &Rendition::of(&spec, spec.dpi.scale()), &catalogue, &MeshCache::default(), usize::MAX)
            .unwrap()
    }

    #[test]
    fn a_lost_device_is_opened_anew_and_the_scene_drawn_all_the_same() {
        let scene = a_scene();
        let mut painter = Some(open_painter().unwrap());
        let expected = draw(&mut painter, &scene).unwrap();
        assert!(!expected.strips().is_empty());
        painter.as_ref().unwrap().lose_device();
        assert_eq!(draw_with_recovery(&mut painter, &scene), Ok(expected));
    }

    #[test]
    fn a_scene_beyond_the_limits_is_refused_and_the_device_kept() {
        let mut scene = a_scene();
        scene.bands[0].pixels.end = 1 << 40;
        let mut painter = Some(open_painter().unwrap());
        assert!(matches!(draw_with_recovery(&mut painter, &scene), Err(GpuError::TooLarge { .. })));
        assert!(painter.is_some());
        assert!(draw_with_recovery(&mut painter, &a_scene()).is_ok());
    }
}
