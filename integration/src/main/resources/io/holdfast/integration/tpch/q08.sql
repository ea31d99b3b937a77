-- TPC-H Q8, national market share. A nation's share of a region's revenue for one type of part, in two years.
select o_year, sum(case when seller = ':nation' then volume else 0 end) / sum(volume) as mkt_share
from (
  select
    extract(year from o_orderdate) as o_year,
    l_extendedprice * (1 - l_discount) as volume,
    sold.n_name as seller
  from part
  join lineitem on l_partkey = p_partkey
  join supplier on s_suppkey = l_suppkey
  join orders on o_orderkey = l_orderkey
  join customer on c_custkey = o_custkey
  join nation bought on bought.n_nationkey = c_nationkey
  join region on r_regionkey = bought.n_regionkey
  join nation sold on sold.n_nationkey = s_nationkey
  where r_name = ':region'
    and o_orderdate between date '1995-01-01' and date '1996-12-31'
    and p_type = ':type'
) all_nations
group by o_year
order by o_year
