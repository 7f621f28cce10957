//! The bar chart at the end: the time of each run.

use super::canvas::{Area, Chart, Drawn, FAINT_INK, INK, LINES, failed, paint, write};
use crate::program::failure::Failure;
use crate::program::run::RunResult;
use crate::simulation::{Storage, Workload};
use image::RgbImage;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

/// The configurations in the order of their bars, each with its name and colour.
const KINDS: [(Storage, bool, &str, RGBColor); 4] = [
    (Storage::Fixed, false, "fixed, inner parallelism off", RGBColor(88, 120, 214)),
    (Storage::Dynamic, false, "dynamic, inner parallelism off", RGBColor(140, 170, 245)),
    (Storage::Fixed, true, "fixed, inner parallelism on", RGBColor(222, 130, 60)),
    (Storage::Dynamic, true, "dynamic, inner parallelism on", RGBColor(250, 184, 108)),
];

/// Draws the total time of each run, grouped by entity count. There is at least one run.
///
/// # Errors
///
/// If the drawing library fails.
pub fn draw(results: &[RunResult]) -> Result<RgbImage, Failure> {
    paint("bar chart", |root| draw_on(root, results))
}

fn draw_on(root: &Area<'_>, results: &[RunResult]) -> Drawn {
    let mut counts: Vec<usize> = results.iter().map(|result| result.config.entities).collect();
    counts.dedup();
    let longest = results.iter().map(RunResult::total_ms).fold(f64::MIN_POSITIVE, f64::max);

    write(root, &title(results), (80, 64), (60, INK, HPos::Left))?;
    legend(root, results)?;
    let mut chart = ChartBuilder::on(root)
        .margin_top(250)
        .margin_bottom(130)
        .margin_right(80)
        .margin_left(220)
        .build_cartesian_2d(0.0..counts.len() as f64, 0.0..longest * 1.1)
        .map_err(failed)?;
    scale(root, &mut chart, longest)?;
    for (group, &count) in counts.iter().enumerate() {
        let runs: Vec<&RunResult> =
            results.iter().filter(|result| result.config.entities == count).collect();
        bars(root, &mut chart, group as f64, &runs)?;
        let (x, y) = chart.backend_coord(&(group as f64 + 0.5, 0.0));
        let label = format!("{count} {}", entities(results));
        write(root, &label, (x, y + 56), (44, INK, HPos::Center))?;
    }
    Ok(())
}

/// Lines across the chart at round numbers of milliseconds, about seven of them.
fn scale(root: &Area<'_>, chart: &mut Chart<'_, '_>, longest: f64) -> Drawn {
    let rough = longest / 7.0;
    let power = 10_f64.powf(rough.log10().floor());
    let round = [1.0, 2.0, 5.0, 10.0].into_iter().find(|&step| step * power >= rough);
    let step = round.unwrap_or(10.0) * power;
    let decimals = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
    for line in 0..=(longest * 1.1 / step) as u32 {
        let ms = f64::from(line) * step;
        let (left, right) = (chart.x_range().start, chart.x_range().end);
        let across = PathElement::new([(left, ms), (right, ms)], LINES.stroke_width(2));
        chart.draw_series([across]).map_err(failed)?;
        let (x, y) = chart.backend_coord(&(left, ms));
        write(root, &format!("{ms:.decimals$}"), (x - 24, y), (36, FAINT_INK, HPos::Right))?;
    }
    Ok(())
}

/// The bars of the runs with one entity count, between `left` and `left` + 1 on the x axis.
fn bars(root: &Area<'_>, chart: &mut Chart<'_, '_>, left: f64, runs: &[&RunResult]) -> Drawn {
    let order = |result: &RunResult| KINDS.iter().position(|kind| is_of(result, kind));
    let mut runs = runs.to_vec();
    runs.sort_by_key(|result| order(result));
    // A bar is at most a fifth of the group wide, so that a single one is not too wide.
    let width = (0.8 / runs.len() as f64).min(0.2);
    let start = left + 0.5 - width * runs.len() as f64 / 2.0;
    for (index, result) in runs.into_iter().enumerate() {
        let Some(kind) = KINDS.iter().find(|kind| is_of(result, kind)) else { continue };
        let (from, to) = (start + width * index as f64, start + width * (index + 1) as f64);
        let (gap, ms) = (width * 0.07, result.total_ms());
        let bar = [(from + gap, 0.0), (to - gap, ms)];
        chart.draw_series([Rectangle::new(bar, kind.3.filled())]).map_err(failed)?;
        let (x, y) = chart.backend_coord(&(f64::midpoint(from, to), ms));
        let label = if ms < 100.0 { format!("{ms:.1}") } else { format!("{ms:.0}") };
        write(root, &label, (x, y - 26), (36, INK, HPos::Center))?;
    }
    Ok(())
}

/// The legend: the colours that occur, in two columns.
fn legend(root: &Area<'_>, results: &[RunResult]) -> Drawn {
    let used = KINDS.iter().filter(|kind| results.iter().any(|result| is_of(result, kind)));
    for (index, &(_, _, name, color)) in (0..).zip(used) {
        let (x, y) = (80 + 640 * (index / 2), 140 + 52 * (index % 2));
        let square = Rectangle::new([(x, y - 14), (x + 28, y + 14)], color.filled());
        root.draw(&square).map_err(failed)?;
        write(root, name, (x + 48, y), (36, FAINT_INK, HPos::Left))?;
    }
    Ok(())
}

fn is_of(result: &RunResult, kind: &(Storage, bool, &str, RGBColor)) -> bool {
    result.config.storage == kind.0 && result.config.inner_parallelism == kind.1
}

fn entities(results: &[RunResult]) -> &'static str {
    match results.first().map(|result| result.config.workload) {
        Some(Workload::Churn) => "entities",
        _ => "discs",
    }
}

fn title(results: &[RunResult]) -> String {
    let Some(first) = results.first() else { return String::new() };
    let what = match first.config.workload {
        Workload::Particles => "Particle simulation",
        Workload::Churn => "Entity creation and destruction",
    };
    let threads = first.config.threads;
    let plural = if threads == 1 { "" } else { "s" };
    format!("{what}: total time in milliseconds, {threads} thread{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::RunConfig;
    use std::time::Duration;

    fn result(entities: usize, storage: Storage, inner_parallelism: bool, ms: u64) -> RunResult {
        RunResult {
            config: RunConfig {
                workload: Workload::Particles,
                entities,
                frames: None,
                storage,
                inner_parallelism,
                threads: 2,
                seed: 1,
            },
            frames: 625,
            total: Duration::from_millis(ms),
            updates: 0,
            alive: 0,
            contacts: 0,
            contacts_last_frame: 0,
            peak_rss: None,
            state_hash: 0,
        }
    }

    /// The number of pixels of a colour in a chart.
    fn pixels(chart: &RgbImage, color: RGBColor) -> usize {
        chart.pixels().filter(|pixel| pixel.0 == [color.0, color.1, color.2]).count()
    }

    #[test]
    fn bars_grow_with_time_and_letters_are_drawn() {
        let slow_and_fast = [
            result(50_000, Storage::Fixed, false, 4000),
            result(50_000, Storage::Fixed, true, 1000),
        ];
        let chart = draw(&slow_and_fast).expect("it can be drawn");
        let (slow, fast) = (pixels(&chart, KINDS[0].3), pixels(&chart, KINDS[2].3));
        let ratio = slow as f64 / fast as f64;
        assert!((3.5..4.5).contains(&ratio), "{slow} to {fast} pixels");
        assert_eq!(pixels(&chart, KINDS[1].3), 0);
        let bright = chart.pixels().filter(|pixel| pixel.0.iter().all(|&part| part > 140)).count();
        assert!(bright > 100, "no letters");
    }

    #[test]
    fn times_of_zero_can_be_drawn() {
        draw(&[result(0, Storage::Dynamic, true, 0)]).expect("it can be drawn");
    }
}
