//! Unit tests of `bench::process`.

use super::*;

#[test]
fn this_process_uses_time_and_memory() {
    let this = Processes::new([std::process::id()]);
    let before = this.cpu();
    let sum: u64 = (0..3_000_000_u64).map(|number| std::hint::black_box(number) ^ 5).sum();
    assert!(std::hint::black_box(sum) > 0 && this.cpu() > before + 100_000, "{before}");
    assert!(this.memory() > 1 << 20 && this.descriptors() > 2);
    let beside: Beside = format!("this={}", std::process::id()).parse().expect("a name and a number");
    assert!(beside.cpu() + 20_000_000 >= before && beside.name == "this", "{} and {before}", beside.cpu());
    assert!("this".parse::<Beside>().is_err() && "this=x".parse::<Beside>().is_err());
    let none = Processes::default();
    assert!(!none.known() && none.cpu() == 0);
}
