//! The measurements for the table, in which the contenders alternate.

use crate::Contender;
use crate::rows::{Form, Row};
use std::time::Duration;

/// The name of the library among the contenders.
pub(crate) const LIBRARY: &str = "library";

/// The name of the code without a library.
pub(crate) const BY_HAND: &str = "by hand";

/// The duration of a contender's runs in one round, unless a single run takes longer: short, so that most of them are
/// not interrupted by other work of the machine.
const TURN: Duration = Duration::from_micros(300);

/// A form of a contender, and the time of a run of it in each round, in nanoseconds.
#[derive(Clone, Debug)]
pub(crate) struct Times {
    pub(crate) contender: &'static str,
    pub(crate) form: &'static str,
    pub(crate) rounds: Vec<f64>,
}

impl Times {
    pub(crate) fn median(&self) -> f64 {
        median(self.rounds.clone())
    }

    pub(crate) fn least(&self) -> f64 {
        self.rounds.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The median over the rounds of the ratio of the two: a round is short, and the machine's speed drifts slowly.
    pub(crate) fn ratio(&self, other: &Self) -> f64 {
        median(self.rounds.iter().zip(&other.rounds).map(|(one, other)| one / other).collect())
    }
}

/// The middle value.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// A row with the times of all forms.
pub(crate) struct Measured {
    pub(crate) row: Row,
    pub(crate) times: Vec<Times>,
}

impl Measured {
    /// The contender's best form, by the median.
    pub(crate) fn best(&self, contender: &str) -> Option<&Times> {
        self.best_of(|name| name == contender)
    }

    /// The best form of the other libraries.
    pub(crate) fn best_peer(&self) -> Option<&Times> {
        self.best_of(|name| name != LIBRARY && name != BY_HAND)
    }

    fn best_of(&self, which: impl Fn(&str) -> bool) -> Option<&Times> {
        let times = self.times.iter().filter(|times| which(times.contender));
        times.min_by(|one, other| one.median().total_cmp(&other.median()))
    }
}

/// All forms of a row.
pub(crate) fn forms(row: Row, contenders: &[Contender]) -> Vec<(&'static str, Form)> {
    let all = contenders.iter();
    all.flat_map(|&(name, forms)| forms(row).into_iter().map(move |form| (name, form))).collect()
}

/// Runs each form three times.
///
/// # Panics
/// If their results differ.
pub(crate) fn agree(row: Row, forms: &mut [(&'static str, Form)]) {
    let mut first = None;
    for (name, Form { name: form, contender }) in forms {
        contender.run(3);
        let summary = contender.summary();
        let expected = *first.get_or_insert(summary);
        assert_eq!(summary, expected, "{}: {name}, {form}", row.name);
    }
}

/// Measures a row. All forms run once in each round, and each round starts with the next form.
pub(crate) fn in_turns(row: Row, contenders: &[Contender], rounds: usize) -> Measured {
    let mut forms = forms(row, contenders);
    agree(row, &mut forms);
    let times: Vec<u32> = forms
        .iter_mut()
        .map(|(_, form)| if rounds == 1 { 1 } else { runs_in_a_turn(form) })
        .collect();
    let mut measured: Vec<Times> = forms
        .iter()
        .map(|(contender, form)| Times { contender, form: form.name, rounds: Vec::new() })
        .collect();
    for round in 0..rounds {
        for turn in 0..forms.len() {
            let which = (round + turn) % forms.len();
            let took = forms[which].1.contender.run(times[which]);
            measured[which].rounds.push(took.as_secs_f64() * 1e9 / f64::from(times[which]));
        }
    }
    Measured { row, times: measured }
}

/// The number of runs that take about [`TURN`].
fn runs_in_a_turn(form: &mut Form) -> u32 {
    let mut times = 1;
    loop {
        let took = form.contender.run(times);
        if took * 2 >= TURN || times >= 1 << 20 {
            let wanted = f64::from(times) * TURN.as_secs_f64() / took.as_secs_f64();
            return (wanted as u32).max(1);
        }
        times *= 2;
    }
}
