//! A rule of this library: types are invariant in the types that they mark, through one marker type.

use super::source;

/// The only file that may write such a marker.
const BRAND: &str = "brand.rs";

/// The markers that are covariant or contravariant in their arguments: those with a function among them.
fn markers(text: &str) -> Vec<String> {
    // Without comments and white space, so that the formatting does not matter.
    let code: String = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .flat_map(str::chars)
        .filter(|c| !c.is_whitespace())
        .collect();
    let starts = code.match_indices("PhantomData").map(|(start, name)| start + name.len());
    let arguments = starts.filter_map(|start| {
        let rest = &code[start..];
        let rest = rest.strip_prefix("::").unwrap_or(rest).strip_prefix('<')?;
        Some(&rest[..end_of(rest)])
    });
    arguments.filter(|arguments| arguments.contains("fn(")).map(str::to_owned).collect()
}

/// The position of the `>` that ends the arguments.
fn end_of(arguments: &str) -> usize {
    let (mut depth, mut before) = (1, ' ');
    for (at, c) in arguments.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if before != '-' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
        before = c;
    }
    arguments.len()
}

#[test]
fn markers_of_functions_are_found_however_written() {
    let text = "a: PhantomData < (\n &'a mut (), // fn(\n fn () -> (D, Vec<N>) ) >, b: PhantomData::<fn(D)>,";
    assert_eq!(markers(text), ["(&'amut(),fn()->(D,Vec<N>))", "fn(D)"]);
    assert!(
        markers("PhantomData<T>, f: fn() -> D, PhantomData; PhantomData<Brand<D>> // fn()")
            .is_empty()
    );
}

#[test]
fn only_the_brand_is_a_marker_of_functions() {
    let mut offenders = Vec::new();
    for file in source::files() {
        if !file.path.ends_with(BRAND) {
            let found = markers(&file.text).into_iter();
            offenders.extend(
                found.map(|marker| format!("{}: PhantomData<{marker}>", file.path.display())),
            );
        }
    }
    assert!(offenders.is_empty(), "use the brand, which is invariant:\n{}", offenders.join("\n"));
}
