-- TPC-H Q17, small-quantity-order revenue. What would be lost a year without the small orders of some parts.
select sum(l_extendedprice) / 7.0 as avg_yearly
from lineitem
join part on p_partkey = l_partkey
where p_brand = ':brand'
  and p_container = ':container'
  and l_quantity < (
    select 0.2 * avg(l_quantity) from lineitem where l_partkey = p_partkey
  )
