//! Pages rendered at the start, so that clients do not wait for one-time work: drivers compile a pass when it first
//! runs, and an elastic field is computed when it is first used.

use super::Engine;
use crate::pipeline::error::RenderError;
use crate::pipeline::stages::StageTimes;
use crate::spec::{Endpoint, fields, parse_request};

/// A plain page, and one with all effects as they are by default: every switch of the table of fields is on.
fn requests() -> [String; 2] {
    let page = r#""text": "Longhand", "font_size": 60, "page_size": "card_96x135""#.to_owned();
    let switches = fields().iter().map(|field| field.name).filter(|name| name.starts_with("enable_"));
    let members: Vec<String> =
        [page.clone()].into_iter().chain(switches.map(|name| format!("\"{name}\": true"))).collect();
    [format!("{{{page}}}"), format!("{{{}}}", members.join(", "))]
}

/// Renders them.
///
/// # Errors
/// As [`Engine::generate`].
pub(in crate::pipeline) fn warm_up(engine: &Engine) -> Result<(), RenderError> {
    for request in requests() {
        let spec = parse_request(request.as_bytes(), Endpoint::Generate, || 1);
        let spec = spec.map_err(|error| RenderError::Failed(error.to_string()))?;
        engine.generate(&spec, &mut StageTimes::default())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Effects;

    #[test]
    fn the_pages_have_no_effects_and_all_effects() {
        let effects =
            requests().map(|request| parse_request(request.as_bytes(), Endpoint::Generate, || 1).unwrap().effects);
        assert_eq!(effects[0], Effects::default());
        let Effects { word_rotation, random_indentation, natural_variation, ink_flow, writer_variation, .. } =
            effects[1];
        assert!(word_rotation.is_some() && random_indentation.is_some());
        assert!(natural_variation.is_some() && ink_flow.is_some() && writer_variation.is_some());
    }
}
