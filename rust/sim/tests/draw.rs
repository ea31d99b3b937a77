//! Draws and orders as the Spark shim's tests make them, too: their `DrawSpec` says the same numbers.

use holdfast_sim::draw::{About, Draw, Shuffle};

#[test]
fn draws_are_these() {
    let drawn = Draw::new(7).about(About::Duration).of(3);
    assert_eq!(drawn.bits(), 0x8311_72f7_811c_e06f);
    assert_eq!(drawn.up_to(99), 51);
}

#[test]
fn orders_are_these() {
    let draw = Draw::new(7).about(About::Shuffle).of(1234);
    let few = Shuffle::drawn(draw, 10);
    let places: Vec<u32> = (0..10).map(|executor| few.place(executor)).collect();
    assert_eq!(places, [63, 13, 23, 29, 16, 40, 24, 43, 55, 47]);
    let many = Shuffle::drawn(draw, 100);
    let mut first: Vec<u32> = (0..100).collect();
    first.sort_by_key(|&executor| many.place(executor));
    assert_eq!(first[..10], [87, 36, 1, 61, 0, 91, 6, 42, 21, 12]);
}

/// Both directions, for numbers of executors around those at which the network gets wider.
#[test]
fn every_executor_has_a_place_of_its_own() {
    for executors in [1, 2, 63, 64, 65, 256, 257] {
        let shuffle = Shuffle::drawn(Draw::new(1), executors);
        for executor in 0..executors {
            let place = shuffle.place(executor);
            assert!(place < shuffle.places());
            assert_eq!(shuffle.executor(place), executor);
        }
    }
}
