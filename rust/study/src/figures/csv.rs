//! The numbers of a figure as comma-separated values.

use crate::figures::figure::Row;

const HEADER: &str = "setting,x,series,value,lo,hi,n,seed";

/// Returns one line for each number, below the header. Values have six decimals. What follows from a formula has no
/// interval, number of seeds, or seed.
pub fn text(rows: &[Row]) -> String {
    let mut text = format!("{HEADER}\n");
    for Row { setting, x, series, point } in rows {
        let rest = point.spread.map_or_else(
            || ",,,".to_owned(),
            |s| format!("{:.6},{:.6},{},{}", s.lo, s.hi, s.seeds, s.seed),
        );
        text.push_str(&format!("{setting},{x},{series},{:.6},{rest}\n", point.value));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::figure::X;
    use crate::statistics::{Point, Spread};

    #[test]
    fn what_is_drawn_has_an_interval_and_what_is_computed_has_none() {
        let row =
            |x: X, point| Row { setting: "N=4".to_owned(), x, series: "mean".to_owned(), point };
        let spread = Some(Spread { lo: 0.5, hi: 2.0, seeds: 200, seed: 7 });
        let rows = [
            row(1.6.into(), Point { value: 1.25, spread }),
            row(1e-6.into(), Point::exact(1.0 / 3.0)),
            row(X::Named(2, "SQL"), Point::exact(2.0)),
        ];
        assert_eq!(
            text(&rows),
            "setting,x,series,value,lo,hi,n,seed\n\
             N=4,1.6,mean,1.250000,0.500000,2.000000,200,7\n\
             N=4,0.000001,mean,0.333333,,,,\n\
             N=4,SQL,mean,2.000000,,,,\n"
        );
    }
}
