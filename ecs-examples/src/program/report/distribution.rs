//! The distribution of the frame times of several runs: a table of quantiles, and a picture of the shares of frames that
//! take at most some time.

use super::canvas::{Area, Chart, Drawn, FAINT_INK, INK, LINES, failed, paint, write};
use super::table::ratio;
use crate::program::failure::Failure;
use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, Table};
use image::RgbImage;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;
use std::time::Duration;

/// The frame times of a run.
#[derive(Clone, Debug)]
pub struct Times {
    /// The name of the design.
    pub name: &'static str,
    /// The number of threads.
    pub threads: usize,
    /// Whether the design is the library's, and not by hand.
    pub is_library: bool,
    /// In milliseconds.
    frames: Vec<f64>,
}

impl Times {
    /// No times.
    pub fn new(name: &'static str, threads: usize, is_library: bool) -> Self {
        Self { name, threads, is_library, frames: Vec::new() }
    }

    /// Adds a frame.
    pub fn add(&mut self, time: Duration) {
        self.frames.push(time.as_secs_f64() * 1e3);
    }

    /// The times in ascending order, as the functions of this module need them.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        self.frames.sort_unstable_by(f64::total_cmp);
        self
    }

    /// The time in milliseconds that this share of the frames does not exceed; 0 without frames.
    fn quantile(&self, share: f64) -> f64 {
        let rank = (self.frames.len() as f64 * share).ceil() as usize;
        self.frames.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
    }

    fn describe(&self) -> String {
        let plural = if self.threads == 1 { "" } else { "s" };
        format!("{}, {} thread{plural}", self.name, self.threads)
    }
}

/// Formats the quantiles as a table, a row for each run. Ratios are to the fastest run by hand on one thread.
pub fn table(runs: &[Times]) -> String {
    let by_hand = runs.iter().filter(|run| run.threads == 1 && !run.is_library);
    let fastest = by_hand.map(|run| run.quantile(0.5)).min_by(f64::total_cmp);
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    table.set_header(["design", "threads", "median ms", "95 % ms", "99 % ms", "ratio"]);
    for column in 1..6 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for run in runs {
        let quantile = |share| format!("{:.3}", run.quantile(share));
        table.add_row([
            run.name.to_owned(),
            run.threads.to_string(),
            quantile(0.5),
            quantile(0.95),
            quantile(0.99),
            ratio(Some(run.quantile(0.5)), fastest),
        ]);
    }
    format!("{table}\nratios of medians, to the fastest design by hand on one thread")
}

/// The colours of the curves, one after the other.
const COLORS: [RGBColor; 7] = [
    RGBColor(140, 148, 176),
    RGBColor(88, 120, 214),
    RGBColor(140, 190, 245),
    RGBColor(110, 200, 160),
    RGBColor(250, 184, 108),
    RGBColor(60, 150, 110),
    RGBColor(222, 100, 60),
];

/// Draws a curve for each run: the share of frames that take at most some time. The axis of times is logarithmic, and
/// ends where 99.5 % of the frames of each run are done.
///
/// # Errors
///
/// If the drawing library fails.
pub fn draw(runs: &[Times]) -> Result<RgbImage, Failure> {
    paint("distribution", |root| draw_on(root, runs))
}

fn draw_on(root: &Area<'_>, runs: &[Times]) -> Drawn {
    let times = |share: f64| runs.iter().map(move |run| run.quantile(share).max(1e-6));
    let least = times(0.0).fold(f64::INFINITY, f64::min).min(1e3) * 0.9;
    let most = times(0.995).fold(least, f64::max) * 1.1;
    write(
        root,
        "Tower defence: share of frames that take at most this time",
        (80, 64),
        (60, INK, HPos::Left),
    )?;
    for (index, (run, color)) in (0..).zip(runs.iter().zip(COLORS.iter().cycle())) {
        let (x, y) = (80 + 760 * (index / 3), 140 + 52 * (index % 3));
        let square = Rectangle::new([(x, y - 14), (x + 28, y + 14)], color.filled());
        root.draw(&square).map_err(failed)?;
        write(root, &run.describe(), (x + 48, y), (36, FAINT_INK, HPos::Left))?;
    }
    let mut chart = ChartBuilder::on(root)
        .margin_top(310)
        .margin_bottom(130)
        .margin_right(80)
        .margin_left(220)
        .build_cartesian_2d(least.ln()..most.ln(), 0.0..1.0)
        .map_err(failed)?;
    scales(root, &mut chart, least..most)?;
    for (run, color) in runs.iter().zip(COLORS.iter().cycle()) {
        let count = run.frames.len() as f64;
        let steps = (1_u32..).zip(&run.frames).take_while(|&(_, &time)| time <= most);
        let curve = steps.map(|(rank, time)| (time.max(least).ln(), f64::from(rank) / count));
        let curve = PathElement::new(curve.collect::<Vec<_>>(), color.stroke_width(5));
        chart.draw_series([curve]).map_err(failed)?;
    }
    Ok(())
}

/// Lines at quarters of the frames, and at round numbers of milliseconds.
fn scales(root: &Area<'_>, chart: &mut Chart<'_, '_>, times: std::ops::Range<f64>) -> Drawn {
    let (left, right) = (times.start.ln(), times.end.ln());
    for quarter in 0..=4 {
        let share = f64::from(quarter) / 4.0;
        let across = PathElement::new([(left, share), (right, share)], LINES.stroke_width(2));
        chart.draw_series([across]).map_err(failed)?;
        let (x, y) = chart.backend_coord(&(left, share));
        let label = format!("{} %", 25 * quarter);
        write(root, &label, (x - 24, y), (36, FAINT_INK, HPos::Right))?;
    }
    let powers = times.start.log10().floor() as i32..=times.end.log10().ceil() as i32;
    let round = powers.flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(power)));
    for ms in round.filter(|ms| times.contains(ms)) {
        let up = PathElement::new([(ms.ln(), 0.0), (ms.ln(), 1.0)], LINES.stroke_width(2));
        chart.draw_series([up]).map_err(failed)?;
        let (x, y) = chart.backend_coord(&(ms.ln(), 0.0));
        write(root, &format!("{ms} ms"), (x, y + 56), (44, INK, HPos::Center))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run of a hundred frames, which take up to this number of milliseconds.
    fn run(name: &'static str, threads: usize, is_library: bool, most: u32) -> Times {
        let mut times = Times::new(name, threads, is_library);
        (1..=100)
            .rev()
            .for_each(|frame| times.add(Duration::from_millis(most.into()) * frame / 100));
        times.sorted()
    }

    #[test]
    fn quantiles_are_times_of_frames() {
        let times = run("objects", 1, false, 100);
        let quantiles = [0.0, 0.5, 0.95, 0.99, 1.0].map(|share| times.quantile(share).to_string());
        assert_eq!(quantiles, ["1", "50", "95", "99", "100"]);
        assert_eq!(Times::new("none", 1, false).quantile(0.5).to_string(), "0");
    }

    #[test]
    fn ratios_are_to_the_fastest_by_hand() {
        let runs =
            [run("slow", 1, false, 400), run("fast", 1, false, 200), run("library", 1, true, 100)];
        let text = table(&runs);
        let ratios: Vec<_> = text.lines().filter_map(|line| line.split('┆').nth(5)).collect();
        let ratios: Vec<_> = ratios.iter().map(|cell| cell.trim_matches([' ', '│'])).collect();
        assert_eq!(ratios, ["ratio", "2.00", "1.00", "0.50"]);
    }

    #[test]
    fn slower_runs_lie_to_the_right() {
        let picture =
            draw(&[run("fast", 1, false, 2), run("slow", 1, true, 200)]).expect("it can be drawn");
        // The legend is above.
        let mean = |RGBColor(r, g, b): RGBColor| {
            let curve =
                picture.enumerate_pixels().filter(|(_, y, pixel)| *y > 150 && pixel.0 == [r, g, b]);
            let columns: Vec<u32> = curve.map(|(x, ..)| x).collect();
            columns.iter().sum::<u32>() / columns.len() as u32
        };
        assert!(mean(COLORS[0]) + 200 < mean(COLORS[1]));
    }

    #[test]
    fn runs_without_time_can_be_drawn() {
        draw(&[run("none", 1, false, 0), Times::new("nothing", 2, true)]).expect("it can be drawn");
    }
}
