//! The queue against a sorted vector, in which nothing is before what was taken last.

use std::collections::HashSet;

use holdfast_engine::Time;
use holdfast_sim::queue::{Queue, Ticket};
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Step {
    Plan(u64),
    Pop,
    /// Of those planned so far, also ones that have happened.
    Cancel(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        5 => (0..50_u64).prop_map(Step::Plan),
        3 => Just(Step::Pop),
        2 => any::<usize>().prop_map(Step::Cancel),
    ];
    prop::collection::vec(step, 0..400)
}

proptest! {
    #[test]
    fn it_is_a_sorted_vector(steps in steps()) {
        let mut queue = Queue::default();
        let mut sorted: Vec<(u64, usize)> = Vec::new();
        let mut tickets: Vec<Ticket> = Vec::new();
        let mut now = 0;
        let (mut said, mut taken) = (HashSet::new(), HashSet::new());
        for step in steps {
            match step {
                Step::Plan(at) => {
                    let (at, number) = (at.max(now), tickets.len());
                    tickets.push(queue.plan(Time(at), number));
                    sorted.push((at, number));
                    sorted.sort_unstable();
                }
                Step::Pop => {
                    let first = if sorted.is_empty() { None } else { Some(sorted.remove(0)) };
                    now = first.map_or(now, |first| first.0);
                    prop_assert_eq!(queue.pop(), first.map(|(at, number)| (Time(at), number)));
                    for number in queue.soon() {
                        prop_assert!(said.insert(number) && !taken.contains(&number));
                    }
                    taken.extend(first.map(|first| first.1));
                }
                Step::Cancel(_) if tickets.is_empty() => {}
                Step::Cancel(any) => {
                    let number = any % tickets.len();
                    let place = sorted.iter().position(|e| e.1 == number);
                    let gone = place.map(|p| sorted.remove(p)).is_some();
                    prop_assert_eq!(queue.cancel(tickets[number]), gone);
                }
            }
            prop_assert_eq!(queue.len(), sorted.len());
            prop_assert_eq!(queue.next_at(), sorted.first().map(|e| Time(e.0)));
        }
    }
}

#[cfg(feature = "read-ahead")]
#[test]
fn what_comes_next_is_said_before() {
    let mut queue = Queue::default();
    (0..200).for_each(|number| {
        queue.plan(Time(4_096 + number), number);
    });
    let mut said: Vec<u64> = Vec::new();
    while let Some((_, number)) = queue.pop() {
        said.extend(queue.soon());
        // Too many at first: the first one is taken out of all of them.
        assert!(number == 0 || said.contains(&number));
    }
    said.sort_unstable();
    assert!(said.into_iter().eq(1..200));
}
