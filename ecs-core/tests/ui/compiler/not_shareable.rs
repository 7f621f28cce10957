//! Types that threads cannot share, each said where it is declared: component, resource, state, output.

use std::cell::Cell;
use std::rc::Rc;

use ecs_core::{Data, System, World, world};

#[derive(Default)]
struct Name(Rc<str>);
#[derive(Default)]
struct Clock(Cell<f32>);
#[derive(Default)]
struct Count(Cell<u32>);

world! {
    world W;
    component Name: contiguous_buffer;
    resource Clock;
    system Count;
    system List { output: Vec<Rc<str>> }
}

#[derive(Default)]
struct List;

impl System<W> for Count {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

impl System<W> for List {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

fn main() {
    let _ = World::<W>::new();
}
