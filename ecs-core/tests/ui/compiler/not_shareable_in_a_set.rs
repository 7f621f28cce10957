//! A set is told alone, before any world includes it, that threads cannot share what it declares.

use std::cell::Cell;
use std::rc::Rc;

pub struct Position(pub Rc<u32>);
#[derive(Default)]
pub struct Score(pub Cell<u32>);

ecs_core::set! {
    pub set Physics;
    component Position: contiguous_buffer;
    resource Score;
}

fn main() {}
