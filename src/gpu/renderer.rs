//! The handle to the device: draws scenes, and replaces a device that failed.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::adapter::{AdapterChoice, AdapterDescription};
use super::error::GpuError;
use super::fault::FaultPlan;
use super::owner::{Opening, Owner, Undrawn};
use super::restart_budget::RestartBudget;
use crate::clock::Clock;
use crate::raster::Coverage;
use crate::scene::Scene;
use crate::telemetry;

/// How often a scene is drawn at most. Losses in a row happen while a driver restarts; a scene that the device fails on
/// every time is taken for the cause.
const MOST_ATTEMPTS: u32 = 3;
/// How often a scene is drawn at most that makes the device hang.
const MOST_HANGS: u32 = 2;
/// Longest wait for the device to close.
const CLOSING_PATIENCE: Duration = Duration::from_secs(2);

/// How the device is treated.
#[derive(Clone, Debug)]
pub struct DeviceOptions {
    /// Longest that one page may take on the device; beyond, it counts as hanging.
    pub timeout: Duration,
    /// Losses within a minute that are borne.
    pub restarts: u32,
    /// What to do beyond.
    pub remedy: Remedy,
    /// What goes wrong on purpose.
    pub faults: FaultPlan,
}

impl Default for DeviceOptions {
    fn default() -> Self {
        let timeout = Duration::from_secs(60);
        Self { timeout, restarts: 30, remedy: Remedy::default(), faults: FaultPlan::default() }
    }
}

/// What to do once a device has failed too often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Remedy {
    /// Refuse pages, and open it again every few seconds.
    #[default]
    Retry,
    /// Draw on the software adapter from then on.
    Software,
    /// Give up, for a supervisor to start the process anew.
    Exit,
}

/// How the device is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeviceHealth {
    /// It draws, or failed not too often.
    #[default]
    Working,
    /// It failed too often, and pages are drawn on the software adapter.
    FallenBack,
    /// It failed too often, and is opened again every few seconds.
    Away,
    /// It failed too often, and is not opened any more.
    GivenUp,
}

/// A handle to the device. Shared by all render threads; never call it from an async task.
#[derive(Debug)]
pub struct Renderer {
    state: Mutex<State>,
    /// What can be asked while a device is being opened.
    told: Mutex<Told>,
    remedy: Remedy,
    clock: Clock,
}

#[derive(Debug)]
struct State {
    owner: Option<Arc<Owner>>,
    opening: Opening,
    restarts: u32,
    budget: RestartBudget,
}

#[derive(Clone, Debug)]
struct Told {
    adapter: AdapterDescription,
    health: DeviceHealth,
}

impl Renderer {
    /// Opens the most capable adapter.
    ///
    /// # Errors
    /// When there is no adapter (the text says what to install), no device, or no thread.
    pub fn start() -> Result<Self, GpuError> {
        Self::start_with(DeviceOptions::default(), Clock::system())
    }

    /// As [`start`](Self::start), with options.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn start_with(options: DeviceOptions, clock: Clock) -> Result<Self, GpuError> {
        let DeviceOptions { timeout, restarts, remedy, faults } = options;
        let opening = Opening { choice: AdapterChoice::MostCapable, timeout, faults, clock: clock.clone() };
        let owner = Owner::open(&opening)?;
        telemetry::device_opened();
        let told = Told { adapter: owner.adapter().clone(), health: DeviceHealth::Working };
        let state = State { owner: Some(Arc::new(owner)), opening, restarts, budget: RestartBudget::new(restarts) };
        Ok(Self { state: Mutex::new(state), told: Mutex::new(told), remedy, clock })
    }

    /// The adapter that draws, in words.
    #[must_use]
    pub fn adapter(&self) -> AdapterDescription {
        self.told().adapter.clone()
    }

    /// How the device is.
    #[must_use]
    pub fn health(&self) -> DeviceHealth {
        self.told().health
    }

    /// Draws a scene; blocks until its coverage is there. A page without ink needs no device. A device that fails, hangs or is lost on the way is replaced,
    /// from the instance upwards, and the scene drawn once more.
    ///
    /// # Errors
    /// When the device fails on this scene time and again, there is none, or the scene is beyond its limits.
    pub fn render(&self, scene: Scene) -> Result<Coverage, GpuError> {
        if scene.drawn_pixels() == 0 {
            return Ok(Coverage::new(scene.size.width, scene.size.height, Vec::new(), Vec::new()));
        }
        let scene = Arc::new(scene);
        let (mut failures, mut hangs) = (0, 0);
        loop {
            let owner = self.owner()?;
            match owner.draw(&scene, failures > 0) {
                Ok(coverage) => {
                    self.drew();
                    return Ok(coverage);
                }
                Err(Undrawn::Failed(error @ GpuError::TooLarge { .. })) => return Err(error),
                Err(Undrawn::Failed(error)) => {
                    failures += 1;
                    hangs += u32::from(matches!(error, GpuError::TimedOut(_)));
                    self.lost(&owner, &error);
                    if failures == MOST_ATTEMPTS || hangs == MOST_HANGS {
                        return Err(error);
                    }
                }
                Err(Undrawn::NeverBegun) => {
                    self.lost(&owner, &GpuError::Failed("it failed on another page".to_owned()));
                }
            }
        }
    }

    /// The device that draws; a new one where there is none.
    fn owner(&self) -> Result<Arc<Owner>, GpuError> {
        loop {
            let mut state = self.state();
            if let Some(owner) = &state.owner {
                return Ok(Arc::clone(owner));
            }
            let now = self.clock.monotonic();
            let is_spent = state.budget.is_spent(now);
            if is_spent {
                self.judge(&mut state)?;
            }
            let wait = state.budget.wait(now);
            if wait.is_zero() {
                match Owner::open(&state.opening) {
                    Ok(owner) => self.opened(&mut state, owner),
                    Err(error) => {
                        tracing::warn!(%error, "no device could be opened");
                        state.budget.lost(self.clock.monotonic());
                    }
                }
            } else if is_spent {
                return Err(GpuError::NoDevice("it failed too often, and is opened again in a few seconds".to_owned()));
            } else {
                drop(state);
                std::thread::sleep(wait);
            }
        }
    }

    /// What becomes of a device that failed too often.
    fn judge(&self, state: &mut State) -> Result<(), GpuError> {
        let health = match self.remedy {
            Remedy::Software if state.opening.choice != AdapterChoice::Software => {
                state.opening.choice = AdapterChoice::Software;
                state.budget = RestartBudget::new(state.restarts);
                DeviceHealth::FallenBack
            }
            Remedy::Exit => DeviceHealth::GivenUp,
            Remedy::Retry | Remedy::Software => DeviceHealth::Away,
        };
        let was = std::mem::replace(&mut self.told().health, health);
        if was != health {
            tracing::error!(remedy = ?self.remedy, "the device failed too often: degraded");
        }
        if health == DeviceHealth::GivenUp { Err(GpuError::NoDevice("it failed too often".to_owned())) } else { Ok(()) }
    }

    fn opened(&self, state: &mut State, owner: Owner) {
        telemetry::device_opened();
        self.told().adapter = owner.adapter().clone();
        state.owner = Some(Arc::new(owner));
    }

    fn drew(&self) {
        let mut state = self.state();
        state.budget.drew();
        let mut told = self.told();
        if told.health == DeviceHealth::Away {
            let is_software = state.opening.choice == AdapterChoice::Software;
            told.health = if is_software { DeviceHealth::FallenBack } else { DeviceHealth::Working };
            tracing::info!("the device draws again");
        }
    }

    /// Counts the loss of a device once, whoever tells first.
    fn lost(&self, lost: &Arc<Owner>, error: &GpuError) {
        let mut state = self.state();
        if state.owner.as_ref().is_some_and(|owner| Arc::ptr_eq(owner, lost)) {
            tracing::warn!(%error, "the device failed and is opened anew");
            telemetry::device_lost();
            state.owner = None;
            state.budget.lost(self.clock.monotonic());
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Renderer {
    /// Closes the device, unless that takes too long.
    fn drop(&mut self) {
        if let Some(owner) = self.state().owner.take().and_then(Arc::into_inner) {
            owner.close(CLOSING_PATIENCE);
        }
    }
}

#[cfg(test)]
mod tests;
