//! ECS0068: a type that threads cannot share.

use ecs_core::world;
use std::rc::Rc;
struct Name(Rc<str>);

world! {
    world W;
    component Name;
}

fn main() {}
