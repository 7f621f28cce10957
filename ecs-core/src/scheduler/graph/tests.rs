//! The graph compared with naive, obviously correct versions.

use super::*;
use proptest::prelude::*;

/// Random graphs: edges from lower to higher numbers, then renumbered at random.
fn dags() -> impl Strategy<Value = (usize, Vec<(usize, usize)>)> {
    (0_usize..14).prop_flat_map(|len| {
        let edges = proptest::collection::vec((0..len.max(1), 0..len.max(1)), 0..30);
        let names = Just((0..len).collect::<Vec<_>>()).prop_shuffle();
        (edges, names).prop_map(move |(edges, names)| {
            let up = edges.into_iter().filter(|(a, b)| a < b);
            (len, up.map(|(a, b)| (names[a], names[b])).collect())
        })
    })
}

/// `paths[a][b]`: Warshall's transitive closure.
fn closure(len: usize, edges: &[(usize, usize)]) -> Vec<Vec<bool>> {
    let mut paths = vec![vec![false; len]; len];
    for &(a, b) in edges {
        paths[a][b] = true;
    }
    for via in 0..len {
        for a in 0..len {
            for b in 0..len {
                paths[a][b] |= paths[a][via] && paths[via][b];
            }
        }
    }
    paths
}

proptest! {
    #[test]
    fn order_takes_the_lowest_node_that_is_free((len, edges) in dags()) {
        let dag = Dag::from_edges(len, edges.iter().copied()).unwrap();
        let mut done = vec![false; len];
        for &node in dag.topological_order() {
            let free = |n: usize| !done[n] && edges.iter().all(|&(a, b)| b != n || done[a]);
            prop_assert_eq!((0..len).find(|&n| free(n)), Some(node));
            done[node] = true;
        }
        prop_assert!(done.into_iter().all(|d| d));
    }

    #[test]
    fn neighbours_and_roots((len, mut edges) in dags()) {
        let dag = Dag::from_edges(len, edges.iter().copied()).unwrap();
        edges.sort_unstable();
        edges.dedup();
        prop_assert_eq!(dag.edge_count(), edges.len());
        for node in 0..len {
            let before: Vec<_> = edges.iter().filter(|e| e.1 == node).map(|e| e.0).collect();
            let after: Vec<_> = edges.iter().filter(|e| e.0 == node).map(|e| e.1).collect();
            prop_assert_eq!(dag.dependencies(node), &before[..]);
            prop_assert_eq!(dag.dependents(node), &after[..]);
            prop_assert_eq!(dag.roots().contains(&node), before.is_empty());
        }
    }

    #[test]
    fn paths_reach_and_independence((len, edges) in dags(), picks in any::<u16>()) {
        let dag = Dag::from_edges(len, edges.iter().copied()).unwrap();
        let paths = closure(len, &edges);
        for (a, from_a) in paths.iter().enumerate() {
            for (b, &path) in from_a.iter().enumerate() {
                prop_assert_eq!(dag.has_path(a, b), path);
            }
        }
        let starts: Vec<_> = (0..len).filter(|n| picks >> n & 1 == 1).collect();
        let reached: Vec<_> =
            (0..len).filter(|&n| starts.iter().any(|&s| s == n || paths[s][n])).collect();
        prop_assert_eq!(dag.reachable_from(&starts), reached);

        let fault = starts.iter().find(|&&s| starts.iter().any(|&from| paths[from][s]));
        match dag.independent(&starts) {
            Ok(()) => prop_assert_eq!(fault, None),
            Err(StartError::Reachable { start, from }) => {
                prop_assert_eq!(Some(&start), fault);
                prop_assert!(starts.contains(&from) && paths[from][start]);
            }
            Err(other) => return Err(TestCaseError::fail(other.to_string())),
        }
    }

    #[test]
    fn levels_are_longest_ways((len, edges) in dags()) {
        let dag = Dag::from_edges(len, edges.iter().copied()).unwrap();
        let mut longest = vec![0; len];
        for _ in 0..len {
            for &(a, b) in &edges {
                longest[b] = longest[b].max(longest[a] + 1);
            }
        }
        prop_assert_eq!(dag.levels(), longest);
    }

    #[test]
    fn a_cycle_is_found_exactly_if_there_is_one(
        edges in proptest::collection::vec((0_usize..7, 0_usize..7), 0..14),
    ) {
        let edges: Vec<_> = edges.into_iter().filter(|(a, b)| a != b).collect();
        let paths = closure(7, &edges);
        match Dag::from_edges(7, edges.iter().copied()) {
            Ok(_) => prop_assert!((0..7).all(|n| !paths[n][n])),
            Err(DagError::Cycle(cycle)) => {
                prop_assert_eq!(cycle.iter().min(), cycle.first());
                for (i, &before) in cycle.iter().enumerate() {
                    prop_assert!(edges.contains(&(before, cycle[(i + 1) % cycle.len()])));
                    prop_assert!(!cycle[..i].contains(&before));
                }
            }
            Err(other) => return Err(TestCaseError::fail(other.to_string())),
        }
    }
}

#[test]
fn lists_of_any_shape() {
    const TABLE: &[&[u16]] = &[&[], &[0], &[0, 0], &[2, 1]];
    let from_table = Dag::new(TABLE).unwrap();
    let from_vecs = Dag::new::<_, usize>(&[vec![], vec![0], vec![0], vec![1, 2]]).unwrap();
    assert_eq!(from_table, from_vecs);
    assert_eq!(from_table.edge_count(), 4);
}

#[test]
fn the_empty_graph() {
    let dag = Dag::from_edges(0, []).unwrap();
    assert!(dag.is_empty());
    assert_eq!(dag.topological_order(), &[] as &[usize]);
    assert_eq!(dag.reachable_from(&[]), &[] as &[usize]);
}

#[test]
fn faults_are_named() {
    let unknown = Dag::from_edges(2, [(2, 0)]).unwrap_err();
    assert_eq!(unknown, DagError::UnknownNode { node: 0, dependency: 2, len: 2 });
    assert_eq!(unknown.to_string(), "node 0 cannot depend on node 2: there are 2 nodes");

    let own = Dag::from_edges(2, [(1, 1)]).unwrap_err();
    assert_eq!(own.to_string(), "node 1 depends on itself");

    let cycle = Dag::from_edges(5, [(3, 1), (1, 2), (2, 3), (0, 1), (3, 4)]).unwrap_err();
    assert_eq!(cycle, DagError::Cycle(vec![1, 2, 3]));
    assert_eq!(cycle.to_string(), "the nodes wait for each other: 1 before 2 before 3 before 1");
}

#[test]
fn starts_at_fault_are_named() {
    let dag = Dag::from_edges(4, [(0, 1), (1, 2)]).unwrap();
    assert_eq!(dag.independent(&[2, 3]), Ok(()));
    assert_eq!(dag.independent(&[4]), Err(StartError::Unknown { start: 4, len: 4 }));
    assert_eq!(dag.independent(&[3, 3]), Err(StartError::Repeated { start: 3 }));
    assert_eq!(dag.independent(&[2, 3, 0]), Err(StartError::Reachable { start: 2, from: 0 }));
}

#[test]
#[should_panic(expected = "there is no node 3")]
fn a_path_to_nowhere() {
    Dag::from_edges(3, [(0, 1)]).unwrap().has_path(0, 3);
}
