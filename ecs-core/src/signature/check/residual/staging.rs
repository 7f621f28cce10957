//! Which systems stage what, by component. So 1024 systems need not be compared in pairs.

use ecs_rules::System;
use ecs_rules::effect::first_late;

use crate::signature::check::note;
use crate::signature::{MAX_SYSTEMS, SystemSignature};
use crate::types::{IndexSet, MAX_COMPONENTS};

/// A set of systems for each component.
type ByComponent = [IndexSet; MAX_COMPONENTS];

/// Which systems stage what.
pub(super) struct Staging {
    /// The systems that insert or remove the component, staged or at once, or accumulate into it.
    changers: ByComponent,
    /// The systems that update the component.
    updaters: ByComponent,
    /// The systems with known bundles, one of which has the component.
    spawners_of: ByComponent,
    /// The systems with known bundles.
    spawners: IndexSet,
    /// The systems that despawn at the refresh, or whose bundles may have any components.
    of_entities: IndexSet,
    deferrers: IndexSet,
}

impl Staging {
    #[expect(clippy::large_stack_arrays, reason = "it runs in the compiler")]
    pub(super) const fn of(systems: &[SystemSignature]) -> Self {
        let mut this = Self {
            changers: [IndexSet::EMPTY; MAX_COMPONENTS],
            updaters: [IndexSet::EMPTY; MAX_COMPONENTS],
            spawners_of: [IndexSet::EMPTY; MAX_COMPONENTS],
            spawners: IndexSet::EMPTY,
            of_entities: IndexSet::EMPTY,
            deferrers: IndexSet::EMPTY,
        };
        assert!(systems.len() <= MAX_SYSTEMS, "[ECS0018] a world has at most 1024 systems");
        for_each!(s < systems.len(), {
            let system = &systems[s].declared;
            note(&mut this.changers, &[system.insert, system.remove, system.accumulate], s);
            note(&mut this.updaters, &[system.update], s);
            for_each!(b < system.bundles.len(), {
                if let Some(bundle) = system.bundles[b] {
                    this.spawners.add(s);
                    note(&mut this.spawners_of, &[bundle], s);
                }
            });
            if system.despawn && !system.sequential || system.spawns_anything() {
                this.of_entities.add(s);
            }
            if system.defer {
                this.deferrers.add(s);
            }
        });
        this
    }

    /// The lowest system in `among` that can change at the refresh what the system `later` sees, by itself or
    /// through its queries.
    pub(super) const fn source(
        &self,
        systems: &[SystemSignature],
        among: &IndexSet,
        later: usize,
    ) -> Option<usize> {
        let later = &systems[later].declared;
        let mut found = self.source_of(systems, among, later);
        for_each!(i < later.queries.len(), {
            let query = &systems[later.queries[i]].declared;
            if let Some(source) = self.source_of(systems, among, query)
                && !matches!(found, Some(lower) if lower <= source)
            {
                found = Some(source);
            }
        });
        found
    }

    /// The lowest system in `among` that can change at the refresh what `system` sees of its own entities.
    const fn source_of(
        &self,
        systems: &[SystemSignature],
        among: &IndexSet,
        system: &System<'_>,
    ) -> Option<usize> {
        let mut candidates = self.parents(system);
        gather(&mut candidates, &self.changers, &system.naming());
        gather(&mut candidates, &self.updaters, &system.accessing());
        candidates.unite(&self.deferrers);
        if system.sees_entities() {
            candidates.unite(&self.of_entities);
        }
        candidates.intersect(among);
        while let Some(candidate) = candidates.pop() {
            if first_late(&systems[candidate].declared, system).is_some() {
                return Some(candidate);
            }
        }
        None
    }

    /// The systems with known bundles, which together have all that the system requires.
    const fn parents(&self, system: &System<'_>) -> IndexSet {
        let mut parents = self.spawners;
        let required = system.requiring();
        for_each!(list < required.len(), {
            for_each!(i < required[list].len(), {
                parents.intersect(&self.spawners_of[required[list][i]]);
            });
        });
        parents
    }
}

/// Adds the systems of every component in the lists.
const fn gather(found: &mut IndexSet, by_component: &ByComponent, lists: &[&[usize]]) {
    for_each!(list < lists.len(), {
        for_each!(i < lists[list].len(), {
            found.unite(&by_component[lists[list][i]]);
        });
    });
}
