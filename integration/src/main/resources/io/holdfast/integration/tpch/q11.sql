-- TPC-H Q11, important stock identification. Parts that are more than a fraction of a nation's stock, by value.
select ps_partkey, sum(ps_supplycost * ps_availqty) as value
from partsupp
join supplier on s_suppkey = ps_suppkey
join nation on n_nationkey = s_nationkey
where n_name = ':nation'
group by ps_partkey
having sum(ps_supplycost * ps_availqty) > (
  select sum(ps_supplycost * ps_availqty) * :fraction
  from partsupp
  join supplier on s_suppkey = ps_suppkey
  join nation on n_nationkey = s_nationkey
  where n_name = ':nation'
)
order by value desc
