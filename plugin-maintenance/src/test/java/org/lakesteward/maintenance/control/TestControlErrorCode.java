/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.lakesteward.maintenance.control;

import org.testng.annotations.Test;

import java.util.Arrays;

import static org.assertj.core.api.Assertions.assertThat;

public class TestControlErrorCode
{
    /** Clients may have written these down. */
    @Test
    public void testCodesAreStable()
    {
        assertThat(Arrays.stream(ControlErrorCode.values()).map(code -> "%x %s %s".formatted(code.toErrorCode().getCode(), code.toErrorCode().getName(), code.toErrorCode().getType()))).containsExactly(
                "1140000 INVALID_WINDOW_ARGUMENT USER_ERROR",
                "1140001 WINDOW_EXISTS USER_ERROR",
                "1140002 NO_SUCH_WINDOW USER_ERROR",
                "1140003 TOO_MANY_WINDOWS USER_ERROR",
                "1140004 NO_SUCH_COORDINATOR USER_ERROR",
                "1140005 MAINTENANCE_NOT_CLOSED INSUFFICIENT_RESOURCES",
                "1140006 WINDOW_STORE_UNAVAILABLE EXTERNAL");
    }
}
