//! What the charts share: a ground to draw on, colours, and letters.

use crate::program::failure::Failure;
use epaint_default_fonts::UBUNTU_LIGHT;
use image::RgbImage;
use image::imageops::{FilterType, resize};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};

/// Size of the drawing in pixels. The drawing library places letters on whole pixels only, so a chart is drawn at
/// twice its final size.
const WIDTH: u32 = 2400;
const HEIGHT: u32 = 1440;

/// The distance by which the drawing library places letters too high, relative to their size.
const RAISED: f64 = 0.2;

const GROUND: RGBColor = RGBColor(16, 19, 32);
pub(super) const INK: RGBColor = RGBColor(226, 230, 243);
pub(super) const FAINT_INK: RGBColor = RGBColor(140, 148, 176);
pub(super) const LINES: RGBColor = RGBColor(44, 50, 74);

pub(super) type Area<'a> = DrawingArea<BitMapBackend<'a>, plotters::coord::Shift>;
pub(super) type Drawn = Result<(), String>;
pub(super) type Chart<'a, 'b> =
    ChartContext<'a, BitMapBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Makes a picture of what `draw` draws. An error says `what` it is.
///
/// The font is part of the program, so no system fonts are needed.
pub(super) fn paint(
    what: &str,
    draw: impl FnOnce(&Area<'_>) -> Drawn,
) -> Result<RgbImage, Failure> {
    let failure = |error| Failure::new(format!("{what}: {error}"));
    let mut pixels = vec![0; WIDTH as usize * HEIGHT as usize * 3];
    draw_into(&mut pixels, draw).map_err(failure)?;
    let large = RgbImage::from_raw(WIDTH, HEIGHT, pixels)
        .ok_or_else(|| failure("the picture has another size".to_owned()))?;
    Ok(resize(&large, WIDTH / 2, HEIGHT / 2, FilterType::Triangle))
}

fn draw_into(pixels: &mut [u8], draw: impl FnOnce(&Area<'_>) -> Drawn) -> Drawn {
    register_font("sans-serif", FontStyle::Normal, UBUNTU_LIGHT)
        .map_err(|_| "the letters cannot be read".to_owned())?;
    let root = BitMapBackend::with_buffer(pixels, (WIDTH, HEIGHT)).into_drawing_area();
    root.fill(&GROUND).map_err(failed)?;
    draw(&root)?;
    root.present().map_err(failed)
}

/// Writes a text of the given size and colour, vertically centred, with the given side at a position.
pub(super) fn write(
    root: &Area<'_>,
    text: &str,
    (x, y): (i32, i32),
    ink: (i32, RGBColor, HPos),
) -> Drawn {
    let (size, color, side) = ink;
    let style = TextStyle::from(("sans-serif", size).into_font());
    let pos = Pos::new(side, VPos::Center);
    let style = TextStyle { color: color.to_backend_color(), pos, ..style };
    let lowered = y + (f64::from(size) * RAISED) as i32;
    root.draw(&Text::new(text, (x, lowered), style)).map_err(failed)
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err asks for")]
pub(super) fn failed<E: std::error::Error + Send + Sync>(error: DrawingAreaErrorKind<E>) -> String {
    error.to_string()
}
