-- TPC-H Q5, local supplier volume. A year's revenue between customers and suppliers of one nation, by nation.
select n_name, sum(l_extendedprice * (1 - l_discount)) as revenue
from customer
join orders on o_custkey = c_custkey
join lineitem on l_orderkey = o_orderkey
join supplier on s_suppkey = l_suppkey and s_nationkey = c_nationkey
join nation on n_nationkey = s_nationkey
join region on r_regionkey = n_regionkey
where r_name = ':region'
  and o_orderdate >= date ':date'
  and o_orderdate < date ':date' + interval '1' year
group by n_name
order by revenue desc
