//! ECS0087: an index that is not there.

use ecs_core::world;
struct Owner(u32);

world! {
    world W;
    component Owner;
    query Owners { read: [Owner] }
    system Count {
        queries: [Owners],
        run: |data| { let _ = data.effects.lookup::<Owners, &Owner>(); },
    }
}

fn main() {}
