//! Loads an operator's fonts again on SIGHUP, and when a hand is saved, while pages are made.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::oneshot;

use super::Failure;
use super::operator_fonts::{load, loader, with};
use crate::catalogue::{FontCatalogue, FontId};
use crate::config::Config;
use crate::hands::ServedFonts;
use crate::http::Service;
use crate::own_fonts::{FontLoader, LoadedFonts, printable};
use crate::pipeline::RenderPool;

/// The fonts of a server.
pub(super) struct ServerFonts {
    loader: FontLoader,
    /// The fonts of the program.
    bundled: FontCatalogue,
    loaded: Mutex<LoadedFonts>,
}

impl ServerFonts {
    /// Loads the fonts at the start, and logs what is left out.
    pub(super) fn open(config: &Config) -> Result<Self, Failure> {
        let (loader, bundled) = (loader(config)?, FontCatalogue::load()?);
        let fonts = load(config, &loader)?;
        log(&LoadedFonts::default(), &fonts);
        Ok(Self { loader, bundled, loaded: Mutex::new(fonts) })
    }

    /// All fonts at present.
    pub(super) fn catalogue(&self) -> Arc<FontCatalogue> {
        Arc::new(with(&self.bundled, &self.loaded.lock()))
    }

    /// Loads the folders again. Pages in progress keep the fonts with which they began.
    fn load_again(&self, pool: &RenderPool, service: &Service) {
        let mut loaded = self.loaded.lock();
        let new = self.loader.load(&loaded);
        let catalogue = Arc::new(with(&self.bundled, &new));
        // First the renderer, so that it has every font that clients may name.
        pool.set_catalogue(Arc::clone(&catalogue));
        match service.set_fonts(&catalogue) {
            Ok(()) => log(&loaded, &new),
            Err(error) => tracing::error!(%error, "the list of fonts cannot be made again"),
        }
        *loaded = new;
    }
}

/// The fonts of a server, for hands that are saved.
pub(super) struct FontsOfHands {
    pub(super) fonts: Arc<ServerFonts>,
    pub(super) pool: Arc<RenderPool>,
    /// The service has the hands.
    pub(super) service: Weak<Service>,
}

impl ServedFonts for FontsOfHands {
    fn ids(&self) -> BTreeSet<u16> {
        self.fonts.loaded.lock().fonts.iter().map(|font| font.face.id().get()).collect()
    }

    fn reload(&self, font: &Path) -> Option<String> {
        let Some(service) = self.service.upgrade() else { return Some("the service is ending".to_owned()) };
        self.fonts.load_again(&self.pool, &service);
        let loaded = self.fonts.loaded.lock();
        let failure = loaded.failures.iter().find(|failure| failure.path.with_extension("ttf") == font);
        let is_used = loaded.fonts.iter().any(|loaded| loaded.path == font);
        match failure {
            Some(failure) => Some(failure.reason.clone()),
            None => (!is_used).then(|| "it is not in the folder".to_owned()),
        }
    }
}

/// The signal to load fonts again; none if there is no folder to load from, so that SIGHUP ends the process as usual.
pub(super) fn reload_signal(fonts: &ServerFonts) -> Result<Option<Signal>, Failure> {
    let hangup = fonts.loader.has_folders().then(|| signal(SignalKind::hangup())).transpose();
    hangup.map_err(Failure::internal("cannot wait for signals"))
}

/// Loads the fonts again at each signal. Never ends.
pub(super) async fn reload_on(
    signal: Option<Signal>,
    fonts: Arc<ServerFonts>,
    pool: Arc<RenderPool>,
    service: Arc<Service>,
) {
    let Some(mut signal) = signal else { return std::future::pending().await };
    while signal.recv().await.is_some() {
        tracing::info!("SIGHUP: loading the fonts again");
        let (fonts, pool, service) = (Arc::clone(&fonts), Arc::clone(&pool), Arc::clone(&service));
        let (done, ended) = oneshot::channel();
        // The end of the runtime would wait for a thread of its own, and examinations may take minutes.
        let started = std::thread::Builder::new().name("fonts".to_owned()).spawn(move || {
            fonts.load_again(&pool, &service);
            // Without a receiver the service is ending.
            let _ = done.send(());
        });
        if let Err(error) = started {
            tracing::error!(%error, "the fonts cannot be loaded again");
        } else if ended.await.is_err() {
            tracing::error!("loading the fonts again failed");
        }
    }
    std::future::pending::<()>().await;
}

/// Logs the fonts that came, changed and went, and what is not loaded.
fn log(before: &LoadedFonts, after: &LoadedFonts) {
    let find = |fonts: &LoadedFonts, id: FontId| fonts.fonts.iter().find(|font| font.face.id() == id).cloned();
    for font in &after.fonts {
        let (id, name, path) = (font.face.id(), font.face.name(), printable(&font.path));
        let change = match find(before, id) {
            None => "font loaded",
            Some(old) if !Arc::ptr_eq(&old.face, &font.face) => "font changed",
            Some(_) => continue,
        };
        tracing::info!(id = id.get(), name, %path, "{change}");
        // What its operator should do.
        if let Some(warning) = &font.warning {
            tracing::warn!(id = id.get(), %path, "{warning}");
        }
    }
    for font in before.fonts.iter().filter(|font| find(after, font.face.id()).is_none()) {
        tracing::info!(id = font.face.id().get(), name = font.face.name(), path = %printable(&font.path), "font gone");
    }
    for failure in &after.failures {
        let (path, reason) = (printable(&failure.path), &failure.reason);
        if failure.keeps_old {
            tracing::warn!(%path, %reason, "a font cannot be loaded; it stays as it was");
        } else {
            tracing::warn!(%path, %reason, "a font is left out");
        }
    }
}
