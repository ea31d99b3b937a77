-- TPC-H Q2, minimum cost supplier. The region's cheapest suppliers of each part of one size and kind.
select s_acctbal, s_name, n_name, p_partkey, p_mfgr, s_address, s_phone, s_comment
from part
join partsupp on ps_partkey = p_partkey
join supplier on s_suppkey = ps_suppkey
join nation on n_nationkey = s_nationkey
join region on r_regionkey = n_regionkey
where p_size = :size
  and p_type like '%:type'
  and r_name = ':region'
  and ps_supplycost = (
    select min(ps_supplycost)
    from partsupp
    join supplier on s_suppkey = ps_suppkey
    join nation on n_nationkey = s_nationkey
    join region on r_regionkey = n_regionkey
    where ps_partkey = p_partkey and r_name = ':region'
  )
order by s_acctbal desc, n_name, s_name, p_partkey
limit 100
