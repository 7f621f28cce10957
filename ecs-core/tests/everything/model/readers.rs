//! What the systems do that read events and messages.

use super::Model;
use crate::parts::{at, fold};
use crate::program::Does;

impl Model {
    /// Runs one of them.
    pub(super) fn run_reader<F: Iterator<Item = (Does, u64)>>(
        &mut self,
        system: usize,
        own: &[u64],
        fired: impl Fn(u64) -> F,
    ) {
        match system {
            at::BACK => {
                for echo in self.echo.read(system) {
                    fired(echo).for_each(|(_, y)| self.ping.push(echo ^ y));
                }
            }
            at::ANSWER => {
                for ping in self.ping.read(system) {
                    self.outputs[system].push(ping);
                    fired(ping).for_each(|(_, y)| self.echo.push_later(ping ^ y));
                }
            }
            at::HEAR => {
                let mut heard = self.ping.read(system);
                heard.extend(self.kept.read(system));
                heard.extend(self.whisper.read(system));
                self.outputs[system] = heard;
            }
            at::WATCH => {
                let hits = self.hit.read(system).into_iter();
                self.outputs[system] = hits.map(|(_, hit)| hit).collect();
            }
            at::RECEIVE => {
                let hits = self.hit.read(system);
                for &key in own {
                    let mine = hits.iter().filter(|(to, _)| *to == key).map(|(_, hit)| *hit);
                    let mine: Vec<u64> = mine.collect();
                    if !mine.is_empty() {
                        let being = self.own_being(key);
                        let id = being.id;
                        for hit in &mine {
                            fold(being.heat.as_mut().unwrap(), *hit);
                        }
                        for (does, y) in fired(id) {
                            let count = mine.len() as u64;
                            match does {
                                Does::Grade => self.write_grade(key, y),
                                Does::Reply => self.reply.push_later((key, count ^ y)),
                                _ => self.outputs[system].push(id ^ count),
                            }
                        }
                    }
                }
            }
            _ => {
                let replies = self.reply.read(system);
                for (to, reply) in replies {
                    if own.contains(&to) {
                        fold(self.own_being(to).team.as_mut().unwrap(), reply);
                    }
                }
            }
        }
    }
}
