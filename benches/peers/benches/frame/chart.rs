//! The distributions as a picture: a panel for each row, with a curve for each contender.

use std::path::Path;

use epaint_default_fonts::UBUNTU_LIGHT;
use image::imageops::{FilterType, resize};
use image::{ImageResult, RgbImage};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};

use crate::measure::Measured;

/// Size of a panel of the drawing, which is twice as large as the picture: letters are placed on whole pixels.
const PANEL: (u32, u32) = (1_200, 720);

const GROUND: RGBColor = RGBColor(16, 19, 32);
const INK: RGBColor = RGBColor(226, 230, 243);
const FAINT_INK: RGBColor = RGBColor(140, 148, 176);
const LINES: RGBColor = RGBColor(44, 50, 74);

/// The colour of a contender.
fn color(contender: &str) -> RGBColor {
    match contender {
        "library" => RGBColor(250, 184, 108),
        "bevy" => RGBColor(110, 150, 240),
        "bevy, par_iter" => RGBColor(120, 200, 230),
        _ => RGBColor(230, 140, 190),
    }
}

type Area<'a> = DrawingArea<BitMapBackend<'a>, plotters::coord::Shift>;
type Drawn<'a> = Result<(), DrawingAreaErrorKind<<BitMapBackend<'a> as DrawingBackend>::ErrorType>>;

/// Writes the picture. There is at least one row.
pub(crate) fn write(path: &Path, measured: &[Measured]) -> ImageResult<()> {
    if register_font("sans-serif", FontStyle::Normal, UBUNTU_LIGHT).is_err() {
        unreachable!("the font is part of the program");
    }
    let columns = if measured.len() == 1 { 1 } else { 2 };
    let rows = measured.len().div_ceil(columns);
    let (width, height) = (PANEL.0 * columns as u32, PANEL.1 * rows as u32);
    let mut pixels = vec![0; width as usize * height as usize * 3];
    draw(&mut pixels, (width, height), (rows, columns), measured).expect("it fits into the buffer");
    let large = RgbImage::from_raw(width, height, pixels).expect("it is as large as the buffer");
    resize(&large, width / 2, height / 2, FilterType::Triangle).save(path)
}

fn draw<'a>(
    pixels: &'a mut [u8],
    size: (u32, u32),
    panels: (usize, usize),
    measured: &[Measured],
) -> Drawn<'a> {
    let root = BitMapBackend::with_buffer(pixels, size).into_drawing_area();
    root.fill(&GROUND)?;
    for (area, measured) in root.split_evenly(panels).iter().zip(measured) {
        panel(area, measured)?;
    }
    root.present()
}

/// The share of frames that end within a time. The scale of time is logarithmic.
fn panel<'a>(area: &Area<'a>, Measured { row, times }: &Measured) -> Drawn<'a> {
    let least = times.iter().map(|times| times.percentile(0.0)).fold(f64::INFINITY, f64::min);
    let most = times.iter().map(|times| times.percentile(0.999)).fold(0.0, f64::max);
    let (from, to) = ((least * 0.9).log10(), (most * 1.1).log10());
    text(area, &row.name(), (40, 40), (36, INK, HPos::Left))?;
    let mut chart = ChartBuilder::on(area)
        .margin_top(80)
        .margin_bottom(90)
        .margin_left(130)
        .margin_right(50)
        .build_cartesian_2d(from..to, 0.0..1.0)?;
    for share in [0.0, 0.5, 0.95, 1.0] {
        let line = PathElement::new([(from, share), (to, share)], LINES.stroke_width(2));
        chart.draw_series([line])?;
        let (x, y) = place(area, chart.backend_coord(&(from, share)));
        let label = format!("{:.0} %", share * 100.0);
        text(area, &label, (x - 16, y), (28, FAINT_INK, HPos::Right))?;
    }
    for power in -3..=3 {
        for digit in [1, 2, 3, 5, 7] {
            // Of all numbers, the one that is written shortest.
            let time: f64 = format!("{digit}e{power}").parse().expect("a number");
            let at = time.log10();
            if (from..to).contains(&at) {
                let line = PathElement::new([(at, 0.0), (at, 1.0)], LINES.stroke_width(2));
                chart.draw_series([line])?;
                let (x, y) = place(area, chart.backend_coord(&(at, 0.0)));
                text(area, &format!("{time} ms"), (x, y + 36), (28, FAINT_INK, HPos::Center))?;
            }
        }
    }
    // Drawn last, the library's curve is on top.
    for (index, times) in times.iter().enumerate().rev() {
        let last = times.frames.len().saturating_sub(1).max(1) as f64;
        let curve = times.frames.iter().enumerate();
        let curve = curve.map(|(i, time)| (time.log10().min(to), i as f64 / last));
        let color = color(times.contender);
        chart.draw_series([PathElement::new(curve.collect::<Vec<_>>(), color.stroke_width(5))])?;
        let (x, y) = (850, PANEL.1 as i32 - 140 - 44 * index as i32);
        area.draw(&Circle::new((x, y), 11, color.filled()))?;
        text(area, times.contender, (x + 26, y), (30, FAINT_INK, HPos::Left))?;
    }
    Ok(())
}

/// A place of the whole drawing within its panel.
fn place(area: &Area<'_>, (x, y): (i32, i32)) -> (i32, i32) {
    let (left, top) = area.get_base_pixel();
    (x - left, y - top)
}

/// Writes a text of the given size and colour, vertically centred, with the given side at a position.
fn text<'a>(
    area: &Area<'a>,
    text: &str,
    (x, y): (i32, i32),
    (size, color, side): (i32, RGBColor, HPos),
) -> Drawn<'a> {
    let style = TextStyle::from(("sans-serif", size).into_font());
    let style =
        TextStyle { color: color.to_backend_color(), pos: Pos::new(side, VPos::Center), ..style };
    // The drawing library draws letters too high by a fifth of their size.
    area.draw(&Text::new(text, (x, y + size / 5), style))
}
