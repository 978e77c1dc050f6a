-- Push-down, partition pruning, dynamic filters and the plans that show them.
CREATE TABLE facts WITH (partitioning = ARRAY['orderstatus', 'bucket(custkey, 2)']) AS SELECT * FROM tpch1.tiny.orders;
CREATE TABLE dimension AS SELECT * FROM tpch1.tiny.customer;
EXPLAIN SELECT orderkey FROM facts WHERE orderstatus = 'O' AND totalprice > 1000 LIMIT 5;
EXPLAIN SELECT count(*) FROM facts WHERE orderstatus IN ('O', 'F');
EXPLAIN SELECT orderstatus, count(*) FROM facts GROUP BY orderstatus;
EXPLAIN SELECT * FROM facts f JOIN dimension d ON f.custkey = d.custkey WHERE d.nationkey = 1 ORDER BY totalprice DESC LIMIT 3;
EXPLAIN (TYPE DISTRIBUTED) SELECT * FROM facts a JOIN facts b ON a.custkey = b.custkey;
EXPLAIN (TYPE IO) SELECT orderkey FROM facts WHERE orderstatus = 'O';
EXPLAIN (TYPE IO) INSERT INTO facts SELECT * FROM facts;
EXPLAIN (TYPE VALIDATE) SELECT * FROM facts;
EXPLAIN DELETE FROM facts WHERE orderkey = 1;
EXPLAIN DELETE FROM facts WHERE orderstatus = 'O';
EXPLAIN UPDATE facts SET comment = '' WHERE orderkey = 1;
EXPLAIN MERGE INTO facts f USING dimension d ON f.custkey = d.custkey WHEN MATCHED THEN DELETE;
SELECT orderstatus, count(*), sum(CAST(totalprice AS decimal(18, 2))) FROM facts GROUP BY orderstatus;
SELECT count(*) FROM facts f JOIN dimension d ON f.custkey = d.custkey WHERE d.nationkey = 1;
SELECT orderkey, totalprice FROM facts WHERE totalprice > 400000 ORDER BY totalprice DESC, orderkey LIMIT 5;
SELECT count(DISTINCT "$path") FROM facts WHERE orderstatus = 'P';
SELECT count(*) > 0 FROM facts TABLESAMPLE BERNOULLI (99);
SELECT checksum(comment) FROM facts WHERE "$partition" LIKE '%orderstatus=F%';
-- session: query_partition_filter_required=true
SELECT count(*) FROM facts WHERE orderstatus = 'P';
-- fails: QUERY_REJECTED
-- session: query_partition_filter_required=true
SELECT count(*) FROM facts WHERE totalprice > 100;
-- session: projection_pushdown_enabled=false
EXPLAIN SELECT orderkey FROM facts;
-- session: bucket_execution_enabled=false
EXPLAIN SELECT custkey, count(*) FROM facts GROUP BY custkey;
EXPLAIN SELECT custkey, count(*) FROM facts GROUP BY custkey;
-- fails: COLUMN_NOT_FOUND
SELECT nothing FROM facts;
