//! Which pictures can be trusted. The limits were set on 82 simulated pages and tried on others: beyond them, letters come
//! out wrong.

use super::BoxReading;
use crate::own_hand::Refusal;
use crate::own_hand::ink::InkFigures;
use crate::own_hand::page::MapFigures;

const LEAST_DOTS: usize = 165;
/// Most blur, in mm, and that from which a remark is made.
const MOST_BLUR: [f64; 2] = [0.15, 0.12];
/// Least pixels per mm, and those below which a remark is made.
const LEAST_SCALE: [f64; 2] = [5.5, 8.0];
/// How far dots may be off the map, in mm.
const MOST_OFF: f64 = 0.12;
/// Least width of a pen, in blurs, and that below which a remark is made.
const LEAST_PEN: [f64; 2] = [2.0, 3.0];
/// Most boxes in doubt, as a share of those with ink, and the number that is always allowed.
const MOST_DOUBTFUL: (f64, usize) = (0.15, 4);

/// Refuses a picture by its map.
pub(in crate::own_hand) fn check_map(map: &MapFigures) -> Result<(), Refusal> {
    if map.scale < LEAST_SCALE[0] {
        return Err(Refusal::Coarse { scale: map.scale });
    }
    if map.dots < LEAST_DOTS {
        return Err(Refusal::FewDots { found: map.dots });
    }
    if map.residual_p95 > MOST_OFF {
        return Err(Refusal::Uneven { off: map.residual_p95 });
    }
    Ok(())
}

/// Refuses a picture by its ink.
pub(in crate::own_hand) fn check_picture(ink: &InkFigures) -> Result<(), Refusal> {
    if ink.blur > MOST_BLUR[0] {
        return Err(Refusal::Blurred { blur: ink.blur });
    }
    if ink.pen < LEAST_PEN[0] * ink.blur {
        return Err(Refusal::ThinPen { pen: ink.pen, blur: ink.blur });
    }
    Ok(())
}

/// Refuses a page of which too much is in doubt.
pub(in crate::own_hand) fn check_boxes(boxes: &[BoxReading]) -> Result<(), Refusal> {
    let filled = boxes.iter().filter(|each| each.is_filled()).count();
    let doubtful = boxes.iter().filter(|each| each.is_filled() && !each.is_good()).count();
    if doubtful > MOST_DOUBTFUL.1 && doubtful as f64 > MOST_DOUBTFUL.0 * filled as f64 {
        return Err(Refusal::Doubtful { doubtful, filled });
    }
    if !boxes.is_empty() && filled == 0 {
        return Err(Refusal::NoInk);
    }
    Ok(())
}

/// What could be better about a picture that is used.
pub(in crate::own_hand) fn remarks(map: &MapFigures, ink: &InkFigures) -> Vec<String> {
    let mut remarks = Vec::new();
    if ink.blur > MOST_BLUR[1] {
        remarks.push(format!(
            "it is blurred by {:.2} mm; up to {:.2} mm letters keep their details",
            ink.blur, MOST_BLUR[1]
        ));
    }
    if map.scale < LEAST_SCALE[1] {
        remarks
            .push(format!("it has {:.1} pixels per mm; with {} letters keep their details", map.scale, LEAST_SCALE[1]));
    }
    if ink.pen < LEAST_PEN[1] * ink.blur {
        remarks.push(format!("strokes of {:.2} mm come out wider with a blur of {:.2} mm", ink.pen, ink.blur));
    }
    remarks
}
