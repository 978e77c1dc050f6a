package org.lakesteward.planner.demand;

import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import static org.assertj.core.api.Assertions.assertThat;

public class TestTableVersion
{
    @DataProvider
    public static Object[][] locations()
    {
        return new Object[][] {
                {"s3://bucket/warehouse/orders/metadata/00012-6cd4a4a1-7b4a-4a8d-9d3c-0d5a1f4c0001.metadata.json", 12},
                {"s3://bucket/warehouse/orders/metadata/00012-6cd4a4a1-7b4a-4a8d-9d3c-0d5a1f4c0001.gz.metadata.json", 12},
                {"s3://bucket/warehouse/00099-x/metadata/00007-6cd4a4a1.metadata.json.gz", 7},
                {"hdfs://host/warehouse/orders/metadata/v12.metadata.json", 12},
                {"hdfs://host/warehouse/orders/metadata/v3.gz.metadata.json", 3},
                {"file:/tmp/orders/metadata/backup.metadata.json", -1},
                {"file:/tmp/orders/metadata/99999999999-x.metadata.json", -1},
                {"00012-orders/metadata/current.json", -1},
        };
    }

    @Test(dataProvider = "locations")
    public void testNumberOfMetadataFile(String location, int number)
    {
        assertThat(TableVersion.of(5, 1_000, location).metadataNumber()).isEqualTo(number);
    }

    @Test
    public void testSequenceNumberThenTimeThenNumber()
    {
        TableVersion[] risingOrder = {
                new TableVersion(0, 5_000, 9),
                new TableVersion(0, 6_000, -1),
                new TableVersion(0, 6_000, 3),
                new TableVersion(1, 1_000, 2),
                new TableVersion(2, 900, -1),
        };
        for (int one = 0; one < risingOrder.length; one++) {
            for (int other = 0; other < risingOrder.length; other++) {
                assertThat(risingOrder[one].isNewerThan(risingOrder[other]))
                        .as("%s newer than %s", risingOrder[one], risingOrder[other])
                        .isEqualTo(one > other);
            }
        }
    }
}
