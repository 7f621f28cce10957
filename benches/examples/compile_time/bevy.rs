//! The world as a program of `bevy_ecs`: the same components, and systems with the same bodies in the same order.

use std::fmt::Write as _;

use crate::package::{EDITED, Edit, Package, types};

/// The most systems that a tuple may have.
const TUPLE: usize = 20;

/// The source, with an edit.
pub(crate) fn program(package: Package, edit: Option<Edit>) -> String {
    let components = package.components + usize::from(matches!(edit, Some(Edit::Component)));
    let mut source = String::from("use bevy_ecs::prelude::*;\nuse components::*;\n\n");
    for index in 0..package.systems {
        source.push_str(&system(index, package.components, edit));
    }
    source.push_str("\nfn main() {\n    let mut world = World::new();\n");
    // Components are registered by the queries of systems. A component without a system is registered by the program, as
    // all components are part of a declared world.
    for index in (package.systems + 3).min(package.components)..components {
        let _ = writeln!(source, "    world.register_component::<C{index}>();");
    }
    let systems = (0..package.systems).map(|index| format!("s{index}")).collect();
    let _ = writeln!(
        source,
        "    let mut schedule = Schedule::default();\n    schedule.add_systems({});\n    \
         schedule.run(&mut world);\n}}\n\nmod components {{\nuse super::Component;\n{}}}",
        chain(systems),
        types(0..components, "#[derive(Component)]"),
    );
    source
}

/// The system, which writes component `index`, and reads the three that follow it.
fn system(index: usize, components: usize, edit: Option<Edit>) -> String {
    let edit = edit.filter(|_| index == EDITED);
    let [w, a, b, c, d] = [0, 1, 2, 3, 4].map(|ahead| (index + ahead) % components);
    let (more, ignored) = match edit {
        Some(Edit::Declaration) => (format!(", &C{d}"), ", _"),
        _ => (String::new(), ""),
    };
    let factor = if matches!(edit, Some(Edit::Body)) { "12.75" } else { "1.5" };
    format!(
        "\nfn s{index}(mut query: Query<(&mut C{w}, &C{a}, &C{b}, &C{c}{more})>) {{\n    \
         for (mut w, a, b, c{ignored}) in &mut query {{\n        \
         w.0 += {factor} * a.0 * b.0 + c.0;\n    }}\n}}\n"
    )
}

/// The systems in their order, in tuples of tuples.
fn chain(mut systems: Vec<String>) -> String {
    while systems.len() > 1 {
        systems =
            systems.chunks(TUPLE).map(|group| format!("({},).chain()", group.join(", "))).collect();
    }
    systems.concat()
}
