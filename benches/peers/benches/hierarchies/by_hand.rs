//! By hand: a vector of parents, each before its children, which no relink of this benchmark changes.

use crate::{Contender, Tree, value};

struct ByHand {
    /// By node. The root is its own.
    parents: Vec<u32>,
    values: Vec<u64>,
}

pub(super) fn new(nodes: u32, tree: Tree) -> Box<dyn Contender> {
    let parents = (0..nodes).map(|node| if node == 0 { 0 } else { tree.parent(node) });
    Box::new(ByHand { parents: parents.collect(), values: vec![0; nodes as usize] })
}

impl Contender for ByHand {
    fn propagate(&mut self) {
        self.values[0] = value(0, 0);
        for node in 1..self.values.len() {
            self.values[node] = value(self.values[self.parents[node] as usize], node as u32);
        }
    }

    fn relink(&mut self, relinks: &[(u32, u32)]) {
        for (node, parent) in relinks {
            self.parents[*node as usize] = *parent;
        }
    }

    fn sum(&mut self) -> u64 {
        self.values.iter().copied().fold(0, u64::wrapping_add)
    }

    fn despawn(&mut self) -> u32 {
        self.parents.clear();
        self.values.clear();
        self.values.len() as u32
    }
}
