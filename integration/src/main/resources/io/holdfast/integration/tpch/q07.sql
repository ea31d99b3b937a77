-- TPC-H Q7, volume shipping. Revenue of goods shipped between two nations, by direction and year.
select supp_nation, cust_nation, l_year, sum(volume) as revenue
from (
  select
    sold.n_name as supp_nation,
    bought.n_name as cust_nation,
    extract(year from l_shipdate) as l_year,
    l_extendedprice * (1 - l_discount) as volume
  from supplier
  join lineitem on l_suppkey = s_suppkey
  join orders on o_orderkey = l_orderkey
  join customer on c_custkey = o_custkey
  join nation sold on sold.n_nationkey = s_nationkey
  join nation bought on bought.n_nationkey = c_nationkey
  where (
      (sold.n_name = ':nation1' and bought.n_name = ':nation2')
      or (sold.n_name = ':nation2' and bought.n_name = ':nation1')
    )
    and l_shipdate between date '1995-01-01' and date '1996-12-31'
) shipping
group by supp_nation, cust_nation, l_year
order by supp_nation, cust_nation, l_year
