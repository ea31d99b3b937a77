-- TPC-H Q22, global sales opportunity. Customers of some countries with much on account and without an order.
with reached as (
  select c_custkey, substring(c_phone from 1 for 2) as cntrycode, c_acctbal
  from customer
  where substring(c_phone from 1 for 2)
    in (':code1', ':code2', ':code3', ':code4', ':code5', ':code6', ':code7')
)
select cntrycode, count(*) as numcust, sum(c_acctbal) as totacctbal
from reached
where c_acctbal > (select avg(c_acctbal) from reached where c_acctbal > 0.00)
  and not exists (select * from orders where o_custkey = c_custkey)
group by cntrycode
order by cntrycode
