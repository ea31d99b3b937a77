-- TPC-H Q15, top supplier. Who brought the most revenue in a quarter; the view of it stands here as an expression.
with revenue as (
  select l_suppkey as supplier_no, sum(l_extendedprice * (1 - l_discount)) as total_revenue
  from lineitem
  where l_shipdate >= date ':date'
    and l_shipdate < date ':date' + interval '3' month
  group by l_suppkey
)
select s_suppkey, s_name, s_address, s_phone, total_revenue
from supplier
join revenue on supplier_no = s_suppkey
where total_revenue = (select max(total_revenue) from revenue)
order by s_suppkey
