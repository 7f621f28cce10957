//! Table 2: the example of each category is classified as the paper says.

use core_ecs_model::category::{self, Category};
use core_ecs_model::term::{Expr, Who};
use core_ecs_model::{Query, Schedule, State, System, Term, conc, corollary, safety};

use crate::physics::{POS, VEL, objects, schema};

/// The systems of the table, in its order.
fn examples() -> [System; 8] {
    let attach = |label, who, number| Term::Attach(label, who, Expr::Int(number));
    let own = Who::Own(0);
    let new = |label, number| Term::New(Box::new(attach(label, Who::New(0), number)));
    let system = |query, term| System::new("example", vec![query], term);
    let (incl, excl, anyway) = (Query::Incl(POS), Query::Excl(POS), Query::Anyway(POS));
    [
        system(incl.clone(), attach(POS, own.clone(), 0)),
        system(excl, attach(POS, own.clone(), 0)),
        system(anyway.clone(), new(POS, 0)),
        system(incl, Term::Detach(POS, own.clone())),
        system(anyway.clone(), attach(VEL, own.clone(), 1)),
        system(anyway.clone(), attach(VEL, own.clone(), 1)),
        system(anyway.clone(), new(VEL, 1)),
        system(anyway, Term::Detach(VEL, own)),
    ]
}

/// A state that meets the side conditions of a category.
fn state(category: Category) -> State {
    let both = objects(&[(1, 1, Some(2)), (2, 3, Some(4))]);
    match category {
        Category::DeferredInsert => objects(&[(1, 1, None), (2, 3, None)]),
        Category::OwnedInsert => {
            Schedule::Conc(examples()[3].clone()).apply(&both) // velocities remain
        }
        _ => both,
    }
}

#[test]
fn each_example_is_of_its_category() {
    for (category, system) in Category::ALL.into_iter().zip(examples()) {
        let state = state(category);
        assert_eq!(category::of_system(&system, &state), [category].into(), "{category:?}");
        assert_eq!(category.is_owned(), (category as usize) < 4);
        assert!(category.is_structural() != matches!(category as usize, 0 | 4));
    }
}

#[test]
fn a_detachment_of_nothing_is_in_no_category() {
    let [.., deferred_delete] = examples();
    let state = objects(&[(1, 1, None)]);
    assert!(category::of_system(&deferred_delete, &state).is_empty());
}

/// “If the premises of safe schedule construction are observed, any of the mutation categories are safe to
/// execute concurrently.”
#[test]
fn all_categories_may_run_concurrently() {
    for (category, system) in Category::ALL.into_iter().zip(examples()) {
        let schedule = conc(&system);
        assert_eq!(corollary::safety(&schedule, &schema()), Ok(()), "{category:?}");
        assert_eq!(safety::check(&schedule, &state(category)), Ok(()), "{category:?}");
    }
    // Those of `Pos` beside those of `Vel`: corollary 4.8.
    for owned in &examples()[..4] {
        for deferred in &examples()[4..] {
            let schedule = conc(owned).par(conc(deferred));
            assert_eq!(corollary::safety(&schedule, &schema()), Ok(()));
        }
    }
}
