//! Names of types without module paths.

/// `alloc::vec::Vec<game::Hit>` as `Vec<Hit>`: the last segment of each path.
pub(super) fn short_name(name: &str) -> String {
    let mut short = String::with_capacity(name.len());
    let mut segment = 0;
    let mut characters = name.chars().peekable();
    while let Some(character) = characters.next() {
        if character == ':' && characters.next_if_eq(&':').is_some() {
            short.truncate(segment);
            continue;
        }
        short.push(character);
        if !(character.is_alphanumeric() || character == '_' || character == '#') {
            segment = short.len();
        }
    }
    short
}

#[cfg(test)]
mod tests {
    use super::short_name;

    #[test]
    fn each_path_loses_its_modules() {
        for (name, short) in [
            ("()", "()"),
            ("u32", "u32"),
            ("ecs_core::storage::hash_map::HashMapStorage<a::b::C>", "HashMapStorage<C>"),
            ("alloc::vec::Vec<game::hit::Hit>", "Vec<Hit>"),
            ("a::Ring<(b::B, [c::d::D; 3]), 7>", "Ring<(B, [D; 3]), 7>"),
            ("a::_x::Y<&'static b::C>", "Y<&'static C>"),
            ("(a::B, &'static [c::d::E; 3])", "(B, &'static [E; 3])"),
            ("alloc::boxed::Box<dyn a::F<b::G> + core::marker::Send>", "Box<dyn F<G> + Send>"),
        ] {
            assert_eq!(short_name(name), short);
        }
    }
}
