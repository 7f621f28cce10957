//! Systems whose code is in the declaration.

use syn::spanned::Spanned;

use crate::error::{Errors, Fault};
use crate::model::Model;
use crate::syntax::{Call, Flag, Initial};

/// Reports what code in the declaration excludes.
pub(super) fn beside(model: &Model<'_>, errors: &mut Errors) {
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
        if !code.has_fitting_parameters() {
            report(
                code.at,
                match code.call {
                    Call::Each => {
                        "with a closure of neither one parameter nor two\n\
                     help: write `|e| …`, or with the effects `|e, effects| …`"
                    }
                    Call::Run => {
                        "with a closure that has not one parameter\nhelp: write `|data| …`"
                    }
                },
            );
        }
        if code.call != Call::Each {
            continue;
        }
        let is_known = system.uses.iter().all(|used| used.target.known().is_some());
        if is_known && !item.incomplete && !rules.has_entities() {
            report(
                code.at,
                "but it has no entities, so nothing would be called\nhelp: name a component in `read`, `write` or \
                 `with`, or write `run: |data| …`, which is called once",
            );
        }
        if let Some(sequential) = item.flag(Flag::Sequential) {
            report(
                sequential,
                "but `sequential` visits entities by `roll`\nhelp: write `run: |data| data.roll(…)`",
            );
        }
    }
}
