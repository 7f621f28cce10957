//! What each system does, entity by entity.

use super::changes::{Staged, loaded};
use super::{Being, Model};
use crate::parts::{Label, at, born, fold, picked, relabel};
use crate::program::{Does, Part, Rule};
use crate::support::mix;
use crate::worlds::TEAMS;

impl Model {
    /// Runs a system whose condition holds.
    pub(super) fn run(&mut self, system: usize, rules: &[Vec<Rule>], roster: &[u64]) {
        let own = self.own[system].clone();
        let clock = self.clock;
        let fired = |id: u64| rules[system].iter().filter_map(move |rule| rule.fires(id, clock));
        match system {
            at::BEAT => self.clock = mix(self.clock),
            at::BACK..=at::REPLIES => self.run_reader(system, &own, fired),
            at::FRESH | at::STALE => {
                for (key, is_new) in self.news.read(system, &own) {
                    let Being { id, grade, .. } = self.own_being(key);
                    let seen = if system == at::FRESH {
                        *id ^ grade.unwrap() ^ u64::from(is_new)
                    } else {
                        *id
                    };
                    self.outputs[system].push(seen);
                }
            }
            at::LOSSES | at::LATE_LOSSES => self.read_removed(system),
            at::MEET => self.meet(&own, fired),
            at::WEAR => {
                for key in own {
                    let left = self.own_being(key).extra.as_mut().unwrap();
                    *left = left.saturating_sub(1);
                    if *left == 0 {
                        self.staged[system].push(Staged::Remove(key, Part::Extra));
                    }
                }
            }
            at::SINK | at::SAME => {}
            at::REPORT => self.report(),
            at::LATE => {
                let news = self.news.read(system, &own);
                for key in own {
                    let Being { id, grade, .. } = *self.own_being(key);
                    let grade = grade.unwrap();
                    if news.iter().any(|(changed, _)| *changed == key) {
                        self.outputs[system].push(id ^ grade);
                    }
                    for (does, y) in fired(id) {
                        match does {
                            Does::Echo => self.echo.push_later(grade ^ y),
                            Does::Output => self.outputs[system].push(id),
                            does => self.stage(system, key, id, does, y, roster),
                        }
                    }
                }
            }
            at::ROLL => {
                for key in own {
                    let Some(id) = self.being(key).map(|being| being.id) else { continue };
                    for (does, y) in fired(id) {
                        self.at_once(key, id, does, y, roster);
                    }
                }
            }
            _ => {
                for key in own {
                    let id = self.own_being(key).id;
                    for (does, y) in fired(id) {
                        self.act(system, key, id, does, y, roster);
                    }
                }
            }
        }
    }

    pub(super) fn own_being(&mut self, key: u64) -> &mut Being {
        self.being(key).expect("what a system is subscribed to is alive")
    }

    /// What the systems do to one entity that read and write in place.
    fn act(&mut self, system: usize, key: u64, id: u64, does: Does, y: u64, roster: &[u64]) {
        let Being { heat, grade, .. } = *self.own_being(key);
        let (heat, grade) = (heat.unwrap_or(0), grade.unwrap_or(0));
        match (system, does) {
            (at::WRITE | at::CHOSEN, Does::Heat) => {
                fold(self.own_being(key).heat.as_mut().unwrap(), y);
            }
            (at::WRITE, Does::Grade) => self.write_grade(key, y),
            (at::WRITE, Does::SameGrade) => {}
            (at::WRITE, Does::Label) => {
                if let Some(label) = &mut self.own_being(key).label {
                    let mut written = Label(std::mem::take(label));
                    relabel(&mut written, y);
                    *label = written.0;
                }
            }
            (at::WRITE, Does::Draw) => {
                let execution = self.executions;
                let being = self.own_being(key);
                being.drawn = being.luck.map(|_| execution);
            }
            (at::WRITE, Does::Total) => self.total = self.total.wrapping_add(y >> 32),
            (at::WRITE, Does::Low) => self.low = self.low.min(y),
            (at::WRITE, Does::Ping) => self.ping.push(mix(heat ^ y)),
            (at::WRITE, Does::Kept) => self.kept.push(mix(heat ^ y)),
            (at::WRITE, Does::Output) => self.outputs[system].push(heat),
            (at::GAUGE, Does::Total) => {
                let other = picked(roster, y).and_then(|other| self.being(*other)?.team);
                self.total = self.total.wrapping_add(heat ^ other.unwrap_or(0));
            }
            (at::PROBE, Does::Total) => self.total = self.total.wrapping_add(heat ^ y),
            (at::PROBE, Does::Low) => self.low = self.low.min(heat ^ y),
            (at::GAUGE | at::PROBE, Does::Ping) => self.ping.push(heat ^ y),
            (at::GAUGE, Does::Whisper) => self.whisper.push(heat ^ y),
            (at::PROBE, Does::Kept) => self.kept.push(heat ^ y),
            (at::GAUGE | at::PROBE, Does::Hit) => {
                if let Some(to) = picked(roster, y) {
                    let hit = if system == at::GAUGE { heat ^ y } else { y };
                    self.hit.push((*to, hit));
                }
            }
            (at::SOURCE, _) => fold(&mut self.sunk, grade ^ y),
            (at::RENEW, Does::UpdateHeat) => {
                self.staged[system].push(Staged::UpdateHeat(key, mix(heat ^ y)));
            }
            (at::RENEW, _) => self.staged[system].push(Staged::UpdateGrade(key, mix(grade ^ y))),
            (at::BIND, Does::Output) => {
                let seen = picked(roster, y).map(|one| self.linked(*one));
                self.outputs[system].extend(seen);
            }
            (at::BIND, Does::Bond(bond)) => {
                if let Some((one, other)) = picked(roster, y).zip(picked(roster, mix(y))) {
                    self.bond(bond, *one, *other, y);
                }
            }
            (at::MEDDLE, Does::Defer(what)) => {
                self.staged[system].push(Staged::Defer(key, id, what, y));
            }
            (_, does) => self.stage(system, key, id, does, y, roster),
        }
    }

    /// What the systems do that stage changes.
    fn stage(&mut self, system: usize, key: u64, id: u64, does: Does, y: u64, roster: &[u64]) {
        let other = picked(roster, y).copied().filter(|other| self.is_alive(*other));
        let staged = &mut self.staged[system];
        match does {
            Does::Insert(part) => staged.push(Staged::Insert(key, part, y)),
            Does::InsertOther(part) => {
                staged.extend(other.map(|other| Staged::Insert(other, part, y)));
            }
            Does::InsertMany => staged
                .extend([Staged::Insert(key, Part::Grade, y), Staged::Insert(key, Part::Label, y)]),
            Does::Remove(part) => staged.push(Staged::Remove(key, part)),
            Does::RemoveMany => {
                staged.extend([Staged::Remove(key, Part::Tag), Staged::Remove(key, Part::Grade)]);
            }
            Does::Accumulate(sum) if system == at::LATE => {
                staged.push(Staged::Accumulate(key, sum, y));
            }
            Does::Accumulate(sum) => {
                staged.extend(other.map(|other| Staged::Accumulate(other, sum, y)));
            }
            Does::SpawnLoaded => {
                let id = born(id, y);
                let Being { team, .. } = Being::of(3, id);
                let owed = Some(loaded(Some(loaded(None, y)), id));
                staged.push(Staged::Spawn(0, Being { id, team, owed, ..Being::default() }));
            }
            Does::Despawn => self.mark(key),
            Does::DespawnOther => self.marked.extend(other),
            Does::Spawn(bundle) => {
                let id = born(id, y);
                let being = if system == at::ALTER {
                    Being::of(bundle, id)
                } else {
                    let team = Being::of(3, id).team;
                    Being { id, team, ..Being::default() }
                };
                staged.push(Staged::Spawn(bundle, being));
            }
            other => unreachable!("{other:?}"),
        }
    }

    /// What the sequential system does.
    fn at_once(&mut self, key: u64, id: u64, does: Does, y: u64, roster: &[u64]) {
        let other = picked(roster, y).copied();
        match does {
            Does::Heat => {
                if let Some(heat) = self.being(key).and_then(|being| being.heat.as_mut()) {
                    fold(heat, y);
                }
            }
            Does::Insert(part) => self.insert(key, part, y),
            Does::InsertOther(part) => {
                if let Some(other) = other {
                    self.insert(other, part, y);
                }
            }
            Does::Remove(part) => self.remove(key, part),
            Does::Despawn => self.despawn_now(key),
            Does::DespawnOther => {
                if let Some(other) = other {
                    self.despawn_now(other);
                }
            }
            Does::Spawn(bundle) => drop(self.create(Being::of(bundle, born(id, y)))),
            other => unreachable!("{other:?}"),
        }
    }

    /// Joins each entity that a rule is for with the members that have its key.
    fn meet<F: Iterator<Item = (Does, u64)>>(&mut self, own: &[u64], fired: impl Fn(u64) -> F) {
        let members: Vec<(u64, u64)> = (self.own[at::SAME].clone().into_iter())
            .map(|key| {
                let Being { id, team, .. } = *self.own_being(key);
                (id, team.unwrap())
            })
            .collect();
        for key in own {
            let being = self.own_being(*key);
            if fired(being.id).next().is_some() {
                let heat = being.heat.as_mut().unwrap();
                let with = *heat % TEAMS;
                for (id, team) in members.iter().filter(|(_, team)| team % TEAMS == with) {
                    fold(heat, id ^ team);
                }
            }
        }
    }

    fn report(&mut self) {
        use at::*;
        for system in [WRITE, HEAR, WATCH, RECEIVE, FRESH, STALE, LATE, LOSSES, LATE_LOSSES] {
            let output = &self.outputs[system];
            fold(&mut self.log, output.len() as u64);
            for value in output {
                fold(&mut self.log, *value);
            }
        }
    }
}
