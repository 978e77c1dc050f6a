package org.lakesteward.planner.schedule;

import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.time.Instant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestCronSchedule
{
    // a Sunday
    private static final Instant FROM = Instant.parse("2026-03-01T12:34:56Z");

    @DataProvider
    public static Object[][] schedules()
    {
        return new Object[][] {
                {"* * * * *", "2026-03-01T12:35:00Z"},
                {"34 12 * * *", "2026-03-02T12:34:00Z"},
                {"35 12 * * *", "2026-03-01T12:35:00Z"},
                {"0 3 * * *", "2026-03-02T03:00:00Z"},
                {"*/15 * * * *", "2026-03-01T12:45:00Z"},
                {"5/20 13-14,20 * * *", "2026-03-01T13:05:00Z"},
                {"0 0 1 * *", "2026-04-01T00:00:00Z"},
                {"0 0 31 * *", "2026-03-31T00:00:00Z"},
                {"0 0 * jan *", "2027-01-01T00:00:00Z"},
                {"0 6 * * mon-fri", "2026-03-02T06:00:00Z"},
                {"0 6 * * 7", "2026-03-08T06:00:00Z"},
                {"0 6 * * 0", "2026-03-08T06:00:00Z"},
                // either day is enough when both are restricted
                {"0 6 15 * wed", "2026-03-04T06:00:00Z"},
                {"0 0 29 2 *", "2028-02-29T00:00:00Z"},
        };
    }

    @Test(dataProvider = "schedules")
    public void testNext(String text, String expected)
    {
        assertThat(CronSchedule.parse(text).nextAfter(FROM)).contains(Instant.parse(expected));
    }

    @Test
    public void testNever()
    {
        assertThat(CronSchedule.parse("0 0 30 2 *").nextAfter(FROM)).isEmpty();
    }

    @DataProvider
    public static Object[][] mistakes()
    {
        return new Object[][] {
                {"* * * *", "has 4 fields"},
                {"60 * * * *", "minute is '60': it must be from 0 to 59"},
                {"* 24 * * *", "hour is '24': it must be from 0 to 23"},
                {"* * 0 * *", "day of the month is '0': it must be from 1 to 31"},
                {"* * * foo *", "month is 'foo': it must be from 1 to 12"},
                {"* * * * 8", "day of the week is '8': it must be from 0 to 7"},
                {"*/0 * * * *", "minute is '0': it must be from 1 to 59"},
                {"9-8 * * * *", "minute '9-8' has a range that ends before it begins"},
                {", * * * *", "minute is ''"},
                {"1/2/3 * * * *", "more than one step"},
                {"-1 * * * *", "minute is ''"},
        };
    }

    @Test(dataProvider = "mistakes")
    public void testMistakes(String text, String message)
    {
        assertThatThrownBy(() -> CronSchedule.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
