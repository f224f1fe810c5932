//! The capacity of the process: descriptors, sockets, memory.

use quizhall::serve::capacity::Capacity;

#[test]
fn sockets_leave_descriptors_for_the_rest() {
    let usual = Capacity::divide(20_000, None, 1 << 30);
    assert_eq!((usual.connections, usual.reserve, usual.sockets), (19_488, 256, 19_488));
    let small = Capacity::divide(300, None, 1 << 30);
    assert_eq!((small.connections, small.reserve), (150, 75));
    assert_eq!(Capacity::divide(20_000, Some(100), 1 << 30).sockets, 100);
    assert_eq!(Capacity::divide(300, Some(100_000), 1 << 30).sockets, 150, "never more than descriptors");
}

#[test]
fn the_formula_adds_up() {
    let capacity = Capacity { connections: 0, reserve: 0, sockets: 1_024, joins: 1_024, outbound_budget: 400 << 20 };
    assert_eq!(capacity.memory(), (96 + 4 + 16 + 500 + 64) << 20);
    assert_eq!(
        capacity.formula(),
        "96 MiB + 1024 sockets x 4 KiB + 1024 joins x 16 KiB + 400 MiB waiting x 1.25 + 16 loads x 4 MiB = 680 MiB"
    );
}
