-- Push-down, partition pruning, dynamic filters and the plans that show them.
CREATE TABLE facts WITH (partitioning = ARRAY['mktsegment', 'bucket(custkey, 2)']) AS SELECT * FROM tpch1.tiny.customer;
CREATE TABLE dimension AS SELECT * FROM tpch1.tiny.nation;
EXPLAIN SELECT custkey FROM facts WHERE mktsegment = 'BUILDING' AND acctbal > 1000 LIMIT 5;
EXPLAIN SELECT count(*) FROM facts WHERE mktsegment IN ('BUILDING', 'MACHINERY');
EXPLAIN SELECT mktsegment, count(*) FROM facts GROUP BY mktsegment;
EXPLAIN SELECT * FROM facts f JOIN dimension d ON f.nationkey = d.nationkey WHERE d.regionkey = 1 ORDER BY acctbal DESC LIMIT 3;
EXPLAIN (TYPE DISTRIBUTED) SELECT * FROM facts a JOIN facts b ON a.custkey = b.custkey;
EXPLAIN (TYPE IO) SELECT custkey FROM facts WHERE mktsegment = 'BUILDING';
EXPLAIN (TYPE IO) INSERT INTO facts SELECT * FROM facts;
EXPLAIN (TYPE VALIDATE) SELECT * FROM facts;
EXPLAIN DELETE FROM facts WHERE custkey = 1;
EXPLAIN DELETE FROM facts WHERE mktsegment = 'BUILDING';
EXPLAIN UPDATE facts SET comment = '' WHERE custkey = 1;
EXPLAIN MERGE INTO facts f USING dimension d ON f.nationkey = d.nationkey WHEN MATCHED THEN DELETE;
SELECT mktsegment, count(*), sum(CAST(acctbal AS decimal(18, 2))) FROM facts GROUP BY mktsegment;
SELECT count(*) FROM facts f JOIN dimension d ON f.nationkey = d.nationkey WHERE d.regionkey = 1;
SELECT custkey, acctbal FROM facts WHERE acctbal > 9900 ORDER BY acctbal DESC, custkey LIMIT 5;
SELECT count(DISTINCT "$path") FROM facts WHERE mktsegment = 'MACHINERY';
SELECT count(*) > 0 FROM facts TABLESAMPLE BERNOULLI (99);
SELECT checksum(comment) FROM facts WHERE "$partition" LIKE '%mktsegment=BUILDING%';
-- session: query_partition_filter_required=true
SELECT count(*) FROM facts WHERE mktsegment = 'MACHINERY';
-- fails: QUERY_REJECTED
-- session: query_partition_filter_required=true
SELECT count(*) FROM facts WHERE acctbal > 100;
-- session: projection_pushdown_enabled=false
EXPLAIN SELECT custkey FROM facts;
-- session: bucket_execution_enabled=false
EXPLAIN SELECT custkey, count(*) FROM facts GROUP BY custkey;
EXPLAIN SELECT custkey, count(*) FROM facts GROUP BY custkey;
-- fails: COLUMN_NOT_FOUND
SELECT nothing FROM facts;
