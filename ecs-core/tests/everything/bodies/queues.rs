//! Systems that read events and messages, in one of the worlds.

use ecs_core::{Addressed, Data, System};

use super::*;

unit! { Back Answer Hear Watch Receive Replies }

impl System<Tested> for Back {
    fn process(&self, data: &mut Data<'_, Tested, Self>) {
        let (script, clock) = now(&data.resources);
        script.fuse(at::BACK);
        for echo in data.effects.events::<Echo>() {
            for (_, y) in script.fired(at::BACK, echo.0, clock) {
                data.effects.emit(Ping(echo.0 ^ y));
            }
        }
    }
}

impl System<Tested> for Answer {
    fn process(&self, data: &mut Data<'_, Tested, Self>) {
        let (script, clock) = now(&data.resources);
        script.fuse(at::ANSWER);
        for ping in data.effects.events::<Ping>() {
            data.effects.output().push(ping.0);
            for (_, y) in script.fired(at::ANSWER, ping.0, clock) {
                data.effects.emit(Echo(ping.0 ^ y));
            }
        }
    }
}

impl System<Tested> for Hear {
    fn process(&self, data: &mut Data<'_, Tested, Self>) {
        let effects = &mut data.effects;
        let pings = effects.events::<Ping>().map(|ping| ping.0);
        let kept = effects.events::<Kept>().map(|kept| kept.0);
        let whispers = effects.events::<Whisper>().map(|whisper| whisper.0);
        effects.output().extend(pings.chain(kept).chain(whispers));
    }
}

impl System<Tested> for Watch {
    fn process(&self, data: &mut Data<'_, Tested, Self>) {
        let hits = data.effects.events::<Addressed<Hit>>().map(|hit| hit.message.0);
        data.effects.output().extend(hits);
    }
}

impl System<Tested> for Receive {
    fn process(&self, data: &mut Data<'_, Tested, Self>) {
        let (script, clock) = now(&data.resources);
        script.fuse(at::RECEIVE);
        data.for_messages::<Hit>(|mut one, hits, effects| {
            let count = hits.len();
            hits.for_each(|hit| fold(&mut one.heat.0, hit.0));
            for (does, y) in script.fired(at::RECEIVE, one.id.0, clock) {
                match does {
                    Does::Grade => {
                        if let Some(grade) = &mut one.grade {
                            fold(&mut grade.0, y);
                        }
                    }
                    Does::Reply => effects.send(one.entity, Reply(count as u64 ^ y)),
                    Does::Output => effects.output().push(one.id.0 ^ count as u64),
                    other => unreachable!("{other:?}"),
                }
            }
        });
    }
}

impl System<Tested> for Replies {
    fn process(&self, data: &mut Data<'_, Tested, Self>) {
        data.for_messages::<Reply>(|one, replies, _| {
            replies.for_each(|reply| fold(&mut one.team.0, reply.0));
        });
    }
}
