//! The table as a chart: a line for each row, with the ratio of each contender's time to the library's, in their best forms.

use crate::contenders::{Contender, LIBRARY};
use crate::measure::{Compared, Measured};
use epaint_default_fonts::UBUNTU_LIGHT;
use image::imageops::{FilterType, resize};
use image::{ImageResult, RgbImage};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};
use std::path::Path;

/// Size of the drawing, which is twice as large as the picture: letters are placed on whole pixels.
const WIDTH: u32 = 2400;
const LINE: u32 = 84;
const HEAD: u32 = 300;
const FOOT: u32 = 130;

const GROUND: RGBColor = RGBColor(16, 19, 32);
const INK: RGBColor = RGBColor(226, 230, 243);
const FAINT_INK: RGBColor = RGBColor(140, 148, 176);
const LINES: RGBColor = RGBColor(44, 50, 74);

/// One colour for each contender, in their order.
const COLORS: [RGBColor; 11] = [
    RGBColor(250, 184, 108),
    RGBColor(226, 230, 243),
    RGBColor(110, 150, 240),
    RGBColor(90, 200, 160),
    RGBColor(232, 112, 112),
    RGBColor(190, 130, 230),
    RGBColor(120, 200, 230),
    RGBColor(200, 200, 90),
    RGBColor(230, 140, 190),
    RGBColor(150, 110, 80),
    RGBColor(60, 140, 110),
];

type Area<'a> = DrawingArea<BitMapBackend<'a>, plotters::coord::Shift>;
type Drawn<'a> = Result<(), DrawingAreaErrorKind<<BitMapBackend<'a> as DrawingBackend>::ErrorType>>;
type Chart<'a, 'b> =
    ChartContext<'a, BitMapBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Writes the chart. There is at least one row, and the library has all rows.
pub(crate) fn write(
    path: &Path,
    contenders: &[Contender],
    measured: &[Measured],
) -> ImageResult<()> {
    let height = HEAD + FOOT + LINE * measured.len() as u32;
    let mut pixels = vec![0; WIDTH as usize * height as usize * 3];
    draw(&mut pixels, height, contenders, measured).expect("it fits into the buffer");
    let large = RgbImage::from_raw(WIDTH, height, pixels).expect("it is as large as the buffer");
    resize(&large, WIDTH / 2, height / 2, FilterType::Triangle).save(path)
}

/// The ratio of each contender's time to the library's, of the best forms: row, contender, and the logarithm of the ratio.
fn points(contenders: &[Contender], measured: &[Measured]) -> Vec<(usize, usize, f64)> {
    let mut points = Vec::new();
    for (row, measured) in measured.iter().enumerate() {
        let library = measured.cell(LIBRARY, Compared::Best);
        for (index, (name, _)) in contenders.iter().enumerate() {
            if let (Some(library), Some(other)) = (library, measured.cell(name, Compared::Best)) {
                points.push((row, index, (other.figure() / library.figure()).log10()));
            }
        }
    }
    points
}

fn draw<'a>(
    pixels: &'a mut [u8],
    height: u32,
    contenders: &[Contender],
    measured: &[Measured],
) -> Drawn<'a> {
    if register_font("sans-serif", FontStyle::Normal, UBUNTU_LIGHT).is_err() {
        unreachable!("the font is part of the program");
    }
    let points = points(contenders, measured);
    let from = points.iter().map(|point| point.2).fold(-1.0, f64::min).floor();
    let to = points.iter().map(|point| point.2).fold(1.0, f64::max).ceil();
    let root = BitMapBackend::with_buffer(pixels, (WIDTH, height)).into_drawing_area();
    root.fill(&GROUND)?;
    let title = "Time relative to the library's: left of 1 is faster";
    text(&root, title, (80, 64), (56, INK, HPos::Left))?;
    for (index, (name, _)) in contenders.iter().enumerate() {
        let (x, y) = (100 + 380 * (index as i32 % 6), 140 + 56 * (index as i32 / 6));
        root.draw(&Circle::new((x, y), 14, COLORS[index].filled()))?;
        text(&root, name, (x + 32, y), (40, FAINT_INK, HPos::Left))?;
    }
    let mut chart = ChartBuilder::on(&root)
        .margin_top(HEAD)
        .margin_bottom(FOOT)
        .margin_left(560)
        .margin_right(80)
        .build_cartesian_2d(from..to, measured.len() as f64..0.0)?;
    scale(&root, &mut chart, (from, to), measured.len())?;
    for (row, measured) in measured.iter().enumerate() {
        let middle = row as f64 + 0.5;
        chart.draw_series([PathElement::new(
            [(from, middle), (to, middle)],
            LINES.stroke_width(2),
        )])?;
        let (x, y) = chart.backend_coord(&(from, middle));
        text(&root, measured.row.name, (x - 32, y), (40, INK, HPos::Right))?;
    }
    // Drawn last, the library's points are on top.
    for &(row, index, ratio) in points.iter().rev() {
        let point = (ratio, row as f64 + 0.5);
        chart.draw_series([Circle::new(point, 16, COLORS[index].filled())])?;
    }
    root.present()
}

/// Lines at powers of ten.
fn scale<'b>(
    root: &Area<'b>,
    chart: &mut Chart<'_, 'b>,
    (from, to): (f64, f64),
    rows: usize,
) -> Drawn<'b> {
    for power in from as i32..=to as i32 {
        let x = f64::from(power);
        let (color, width) = if power == 0 { (FAINT_INK, 4) } else { (LINES, 2) };
        let line = PathElement::new([(x, 0.0), (x, rows as f64)], color.stroke_width(width));
        chart.draw_series([line])?;
        let (x, y) = chart.backend_coord(&(x, rows as f64));
        let decimals = power.min(0).unsigned_abs() as usize;
        let label = format!("{:.decimals$}", 10_f64.powi(power));
        text(root, &label, (x, y + 50), (40, FAINT_INK, HPos::Center))?;
    }
    Ok(())
}

/// Writes a text of the given size and colour, vertically centred, with the given side at a position.
fn text<'b>(
    root: &Area<'b>,
    text: &str,
    (x, y): (i32, i32),
    (size, color, side): (i32, RGBColor, HPos),
) -> Drawn<'b> {
    let style = TextStyle::from(("sans-serif", size).into_font());
    let pos = Pos::new(side, VPos::Center);
    let style = TextStyle { color: color.to_backend_color(), pos, ..style };
    // The drawing library draws letters too high by a fifth of their size.
    root.draw(&Text::new(text, (x, y + size / 5), style))
}
