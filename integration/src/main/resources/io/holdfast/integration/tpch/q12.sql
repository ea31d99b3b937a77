-- TPC-H Q12, shipping modes and order priority. Late items of a year by two modes, in urgent orders and in others.
select
  l_shipmode,
  sum(case when o_orderpriority in ('1-URGENT', '2-HIGH') then 1 else 0 end) as high_line_count,
  sum(case when o_orderpriority not in ('1-URGENT', '2-HIGH') then 1 else 0 end) as low_line_count
from orders
join lineitem on l_orderkey = o_orderkey
where l_shipmode in (':shipmode1', ':shipmode2')
  and l_commitdate < l_receiptdate
  and l_shipdate < l_commitdate
  and l_receiptdate >= date ':date'
  and l_receiptdate < date ':date' + interval '1' year
group by l_shipmode
order by l_shipmode
