-- TPC-H Q13, customer distribution. How many customers have how many orders, without those of a certain comment.
select c_count, count(*) as custdist
from (
  select c_custkey, count(o_orderkey) as c_count
  from customer
  left outer join orders on o_custkey = c_custkey and o_comment not like '%:word1%:word2%'
  group by c_custkey
) c_orders
group by c_count
order by custdist desc, c_count desc
