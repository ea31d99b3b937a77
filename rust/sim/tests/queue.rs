//! The queue against a sorted vector, in which nothing is before what was taken last.

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
                }
                Step::Cancel(_) if tickets.is_empty() => {}
                Step::Cancel(any) => {
                    let number = any % tickets.len();
                    let place = sorted.iter().position(|e| e.1 == number);
                    let gone = place.map(|p| sorted.remove(p).1);
                    prop_assert_eq!(queue.cancel(tickets[number]), gone);
                }
            }
            prop_assert_eq!(queue.len(), sorted.len());
            prop_assert_eq!(queue.next_at(), sorted.first().map(|e| Time(e.0)));
        }
    }
}
