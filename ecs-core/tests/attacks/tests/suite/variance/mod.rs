//! Variance: each public generic type, parameter by parameter.
//!
//! A value that was validated for one type argument must not be coerced to another one by subtyping:
//! `for<'a> fn(&'a ())` is a subtype of `fn(&'static ())`, and both are components. So public types are invariant
//! in their type parameters, and where one is not, the [table](table) says why that is harmless. The tests compare the
//! table with the sources, and each of its lines with what the compiler accepts in a generated crate.

mod cargo;
#[path = "../../../../compile/compiler.rs"]
mod compiler;
mod controls;
mod kinds;
mod markers;
mod probes;
mod refusals;
pub(crate) mod source;
mod table;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use cargo::Diagnostic;
use kinds::{Expected, Kind, Type};
use probes::Program;

/// The compiler's result for each probe.
struct Verdicts {
    of: BTreeMap<String, Vec<Diagnostic>>,
}

/// The results of all compilations, which run once for all tests.
fn verdicts() -> &'static Verdicts {
    static VERDICTS: OnceLock<Verdicts> = OnceLock::new();
    VERDICTS.get_or_init(|| {
        let mut program = Program::new();
        for ty in table::types().chain(controls::TYPES) {
            program.add_type(ty);
        }
        for refusal in refusals::all() {
            program.add_refusal(refusal);
        }
        let mut of: BTreeMap<String, Vec<Diagnostic>> = BTreeMap::new();
        let mut elsewhere = Vec::new();
        for diagnostic in cargo::check(program.text()) {
            match program.probe_at(diagnostic.line) {
                Some(name) => of.entry(name.to_owned()).or_default().push(diagnostic),
                None => elsewhere.push(diagnostic.rendered),
            }
        }
        assert!(elsewhere.is_empty(), "errors outside of the probes:\n{}", elsewhere.join("\n"));
        Verdicts { of }
    })
}

impl Verdicts {
    /// Whether the probe of a coercion compiles.
    ///
    /// # Panics
    /// If it fails for any reason but that there is no such coercion.
    fn compiles(&self, probe: &str) -> bool {
        let errors = self.of.get(probe).map_or(&[][..], Vec::as_slice);
        for error in errors {
            assert!(
                error.is_of_variance(),
                "`{probe}` fails for another reason:\n{}",
                error.rendered
            );
        }
        errors.is_empty()
    }
}

/// The variance of the parameter according to the compiler.
fn actual(verdicts: &Verdicts, ty: &Type, parameter: &str) -> &'static str {
    let compiles = |way| verdicts.compiles(&probes::name(ty, parameter, way));
    match (compiles("down"), compiles("up")) {
        (true, true) => "bivariant",
        (true, false) => "covariant",
        (false, true) => "contravariant",
        (false, false) => "invariant",
    }
}

#[test]
fn the_table_names_every_public_generic_type() {
    let found = source::generic_types();
    let mut complaints = Vec::new();
    for (name, parameters) in &found {
        match table::types().find(|ty| ty.name == name) {
            None => complaints.push(format!(
                "`{name}<{}>` is not in the table: add a line to `variance/table`, with what each parameter must be",
                parameters.join(", ")
            )),
            Some(ty) if ty.parameters.iter().map(|p| p.name).ne(parameters.iter()) => {
                complaints.push(format!("the table knows `{name}` with other parameters than <{}>", parameters.join(", ")));
            }
            Some(_) => {}
        }
    }
    for ty in table::types() {
        if !found.contains_key(ty.name) {
            complaints.push(format!(
                "there is no public generic type `{}` any more: remove its line from the table",
                ty.name
            ));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(found.len() > 50, "the walk over the sources found {} types only", found.len());
}

#[test]
fn the_table_says_why() {
    for ty in table::types() {
        let mut reasons = ty.parameters.iter().filter_map(|parameter| parameter.expected.reason());
        assert!(reasons.all(|reason| reason.len() > 20), "`{}` needs a reason in words", ty.name);
    }
}

#[test]
fn each_parameter_varies_as_the_table_says() {
    let verdicts = verdicts();
    let mut complaints = Vec::new();
    for ty in table::types().chain(controls::TYPES) {
        for parameter in ty.parameters.iter().filter(|p| p.kind != Kind::Constant) {
            let expected = match parameter.expected {
                Expected::Invariant => "invariant",
                Expected::Covariant(_) => "covariant",
                Expected::Contravariant(_) => "contravariant",
                Expected::Unprobed(_) => continue,
            };
            let actual = actual(verdicts, ty, parameter.name);
            if actual != expected {
                complaints.push(format!(
                    "`{}` is {actual} in `{}`, and should be {expected}",
                    ty.name, parameter.name
                ));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn what_must_not_compile_does_not() {
    let verdicts = verdicts();
    let mut complaints = Vec::new();
    for refusal in refusals::all() {
        let errors = verdicts.of.get(refusal.name).map_or(&[][..], Vec::as_slice);
        let wanted = |error: &Diagnostic| {
            refusal.error.split('|').any(|wanted| error.code == wanted || error.message == wanted)
        };
        let is_as_wanted = refusal.error.is_empty() == errors.is_empty();
        if !is_as_wanted || !errors.iter().all(wanted) {
            let errors: Vec<_> = errors.iter().map(|error| error.rendered.as_str()).collect();
            complaints.push(format!(
                "`{}` ({}) should give `{}`, and gives:\n{}",
                refusal.name,
                refusal.why,
                refusal.error,
                errors.join("\n")
            ));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
