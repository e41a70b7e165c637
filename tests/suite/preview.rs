//! Previews: the page of the same seed, small, with a mark that is neither missed nor taken out.

use longhand::pipeline::{Preview, RenderedFile};
use serde_json::{Value, json};

use super::pages::{render, render_preview};

/// Alpha of an RGBA PNG, row by row, with its width.
fn alpha(png: &[u8]) -> (usize, Vec<f64>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    (info.width as usize, pixels.chunks_exact(4).map(|pixel| f64::from(pixel[3])).collect())
}

/// The page's alpha averaged over the area of each preview pixel.
fn shrunk(page: &RenderedFile, width: usize, height: usize) -> Vec<f64> {
    let (page_width, pixels) = alpha(&page.bytes);
    let page_height = pixels.len() / page_width;
    let range =
        |at: usize, small: usize, large: usize| at * large / small..((at + 1) * large).div_ceil(small).min(large);
    let mut shrunk = Vec::with_capacity(width * height);
    for y in 0..height {
        for x in 0..width {
            let (rows, columns) = (range(y, height, page_height), range(x, width, page_width));
            let count = (rows.len() * columns.len()) as f64;
            let cells = rows.flat_map(|row| columns.clone().map(move |column| row * page_width + column));
            shrunk.push(cells.map(|cell| pixels[cell]).sum::<f64>() / count);
        }
    }
    shrunk
}

fn letter(more: &Value) -> Value {
    let mut request = json!({
        "text": "Dear Mrs. Hawthorne,\n\nThank you so much for the lovely afternoon last Sunday. The garden was in full \
                 bloom, and Thomas has not stopped talking about the bees ever since!",
        "page_size": "a5", "seed": 7, "font_size": 90, "line_height_multiplier": 1.4,
    });
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    request
}

#[test]
fn a_preview_is_the_page_of_the_same_seed_made_small() {
    let with_effects =
        json!({"enable_natural_variation": true, "natural_variation_alpha": 40, "enable_ink_flow": true});
    for more in [json!({}), json!({"font_id": 12}), json!({"orientation": "landscape", "dpi": 600}), with_effects] {
        let request = letter(&more);
        let page = render(&request);
        let Preview { page: small, width, height } = render_preview(&request);
        assert_eq!((small.width, small.height, small.seed), (page.width, page.height, page.seed));
        let (width, height) = (width as usize, height as usize);
        let (preview_width, marked) = alpha(&small.bytes);
        assert_eq!((preview_width, marked.len()), (width, width * height));
        let expected = shrunk(&page, width, height);

        let solid: Vec<usize> = (0..expected.len()).filter(|&at| expected[at] > 230.0).collect();
        let unmarked = solid.iter().filter(|&&at| marked[at] > 200.0).count();
        assert!(solid.len() > 1000, "{} solid pixels", solid.len());
        assert!(unmarked * 10 > solid.len() * 6, "{unmarked} of {} solid pixels are left", solid.len());
        let strays = (0..expected.len()).filter(|&at| expected[at] < 1.0 && marked[at] > 110.0).count();
        assert_eq!(strays, 0, "ink where the page has none");
    }
}

#[test]
fn the_mark_is_in_the_writing_and_between_it() {
    let request = letter(&json!({}));
    let page = render(&request);
    let Preview { page: small, width, height } = render_preview(&request);
    let (_, marked) = alpha(&small.bytes);
    let expected = shrunk(&page, width as usize, height as usize);
    let cut = (0..expected.len()).filter(|&at| expected[at] > 230.0 && marked[at] < 100.0).count();
    let added = (0..expected.len()).filter(|&at| expected[at] < 1.0 && marked[at] > 80.0).count();
    let solid = expected.iter().filter(|&&ink| ink > 230.0).count();
    assert!(cut * 20 > solid, "{cut} of {solid} solid pixels are cut");
    assert!(added * 25 > expected.len(), "{added} of {} pixels are marked", expected.len());
}

#[test]
fn every_page_size_is_1200_px_wide_and_keeps_its_shape() {
    for (size, page_height) in
        [("a3", 4961.0 / 3508.0), ("square_5x5", 1.0), ("postcard_us", 1.5), ("dl", 2480.0 / 1169.0)]
    {
        let request = json!({"text": "Hello", "page_size": size, "font_size": 60});
        let Preview { width, height, .. } = render_preview(&request);
        assert_eq!((width, height), (1200, (1200.0_f64 * page_height).round() as u32), "{size}");
    }
}
