//! Systems whose code is in the declaration.

use ecs_rules::Kind;
use proc_macro2::Span;
use syn::spanned::Spanned;

use crate::error::{Errors, Fault};
use crate::model::{Model, System, Use};
use crate::syntax::{Call, Code, Flag, Initial, Parameter, Takes};

/// Reports what code in the declaration excludes.
pub(crate) fn beside(model: &Model<'_>, errors: &mut Errors) {
    for (system, rules) in model.systems.iter().zip(model.rules()) {
        let (item, name) = (system.item, system.name());
        let Some(code) = item.code.first() else { continue };
        let key = code.call.key();
        let mut report = |at, why| {
            let fault = Fault::BesideCode { system: name.to_string(), key, why };
            errors.report(at, fault);
        };
        // The same key twice is reported for every key.
        if let Some(second) = item.code.iter().find(|other| other.call != code.call) {
            report(second.at, "and here again\nhelp: remove one of the two");
        }
        if let Some(body) = item.body.as_ref().filter(|_| item.query.is_none()) {
            report(
                body.span(),
                "so it is no system of another type\nhelp: remove `:` and the type, or the code",
            );
        } else if item.name.path.get_ident().is_none() {
            report(
                name.span(),
                "so its name becomes a type, and cannot be a path\nhelp: write the last segment only",
            );
        }
        if let Initial::Value(state) = &item.state {
            report(
                state.span(),
                "so it has no state\nhelp: remove `state`, or declare the state as a struct of the same name, \
                 and implement `System` for it instead",
            );
        }
        let typed = code.typed();
        parameters(system, code, typed.as_deref().unwrap_or_default(), &mut report);
        if typed.is_none() && !code.has_fitting_parameters() {
            report(
                code.at,
                match code.call {
                    Call::Each => {
                        "with a closure of neither one, two nor three parameters\nhelp: write `|e| …`, with the effects \
                         `|e, effects| …`, or with resources, too, `|e, effects, resources| …`"
                    }
                    Call::Run | Call::Expire => {
                        "with a closure that has not one parameter\nhelp: write `|data| …`"
                    }
                },
            );
        }
        if code.call != Call::Each {
            continue;
        }
        let is_known = system.uses.iter().all(|used| used.target.known().is_some());
        let mut events: Vec<_> = system.uses.iter().filter(|used| used.is_each_event()).collect();
        // The same twice is reported for itself.
        events.dedup_by_key(|event| event.target);
        if is_known && !item.incomplete && !rules.has_entities() && events.is_empty() {
            report(
                code.at,
                "but it has no entities, so nothing would be called\nhelp: name a component in `read`, `write` or \
                 `with`, or write `run: |data| …`, which is called once\nhelp: or for each event, name its type: \
                 `each: |event: &Event| …`",
            );
        }
        if let Some(why) = of_events(model, &rules, &events)
            && let Some(last) = events.last()
        {
            report(last.name().span(), why);
        } else if !events.is_empty() {
            let takes = typed.iter().flatten().filter_map(|parameter| parameter.typed.as_ref());
            for (ty, _) in takes.filter(|(_, takes)| matches!(takes, Takes::Entity | Takes::Place))
            {
                report(
                    ty.span(),
                    "which is called for each event, and so with no entity\nhelp: put the handle into the event",
                );
            }
        }
        if let Some(sequential) = item.flag(Flag::Sequential).filter(|_| events.is_empty()) {
            report(
                sequential,
                "but `sequential` visits entities by `roll`\nhelp: write `run: |data| data.roll(…)`",
            );
        }
    }
}

/// Why code cannot be called for each of these events, which its parameters are.
fn of_events(
    model: &Model<'_>,
    rules: &ecs_rules::System<'_>,
    events: &[&Use<'_>],
) -> Option<&'static str> {
    let [event] = events else {
        return (events.len() > 1)
            .then_some("for each event of two types\nhelp: write a system for each of them");
    };
    let is_addressed =
        |index: usize| model.resources[index].event.as_ref().is_some_and(|event| event.addressed);
    if rules.has_entities() {
        Some(
            "which is called for each of its entities, and so not for each event\nhelp: write `run: |data| …`, and go over \
             the events in it: `data.effects.events::<Event>()`; or let a system without entities go over them",
        )
    } else if event.target.known().is_some_and(is_addressed) {
        Some(
            "but each message is for one entity\nhelp: name in `write` what it changes of that, and write \
             `run: |data| data.for_messages::<Message>(|entity, messages, effects| …)`",
        )
    } else {
        None
    }
}

/// Reports parameters that are nothing that the code is called with.
fn parameters(
    system: &System<'_>,
    code: &Code,
    parameters: &[Parameter<'_>],
    report: &mut impl FnMut(Span, &'static str),
) {
    for (ty, takes) in parameters.iter().filter_map(|parameter| parameter.typed.as_ref()) {
        let of_an_entity = match takes {
            Takes::Entity | Takes::Place => Some(ty.span()),
            Takes::Reference { path, .. } => {
                let used = system.parameter(path);
                let used = used.filter(|used| used.list.kind() == Kind::Component);
                used.filter(|used| used.target.known().is_some()).map(|used| used.name().span())
            }
            Takes::Other => {
                report(
                    ty.span(),
                    "with a parameter of a type that it cannot have\nhelp: write `&C` or `&mut C` for a component or a \
                     resource, `Option<&C>` or `Option<&mut C>` for a component, `Entity` or `Place`",
                );
                None
            }
        };
        if let Some(at) = of_an_entity.filter(|_| code.call == Call::Run) {
            report(
                at,
                "so it is not called with one entity\nhelp: write `each: |…| …`, or list the component in `read` or \
                 `write`, and loop over the entities",
            );
        }
    }
    let most = if code.call == Call::Each { 1 } else { 2 };
    let mut untyped = parameters.iter().filter(|parameter| parameter.typed.is_none());
    if let Some(excess) = untyped.nth(most) {
        report(
            excess.pattern.span(),
            "with too many parameters without a type, beside those that have one\nhelp: of these, one may be left \
             without: the effects; with `run`, two: the system's own entities, and the effects",
        );
    }
}
