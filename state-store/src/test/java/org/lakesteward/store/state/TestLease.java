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
package org.lakesteward.store.state;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.lakesteward.store.state.StateStoreException.Kind;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

import java.time.Duration;
import java.util.function.Supplier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A lease by its holder's clock, against a store that says whatever the test wants.
 */
public class TestLease
{
    private static final Duration TTL = Duration.ofSeconds(10);

    private ManualTicker ticker;
    private Supplier<Duration> answer;
    private boolean open;
    private Lease lease;

    @BeforeMethod
    public void setUp()
    {
        ticker = new ManualTicker();
        answer = () -> TTL;
        open = true;
        lease = new Lease(1, TTL, ticker.read(), ticker, new Lease.Backend()
        {
            @Override
            public boolean isOpen()
            {
                return open;
            }

            @Override
            public Duration renew(long id)
            {
                return answer.get();
            }

            @Override
            public void revoke(long id)
            {
                answer.get();
            }
        });
    }

    @Test
    public void testCountsFromBeforeTheRenewalWasSent()
    {
        answer = () -> {
            ticker.pass(Duration.ofSeconds(3));
            return TTL;
        };
        ticker.pass(Duration.ofSeconds(5));
        lease.keepAlive();
        assertThat(lease.left()).isEqualTo(Duration.ofSeconds(7));
        ticker.pass(Duration.ofSeconds(7).minusNanos(1));
        assertThat(lease.isHeld()).isTrue();
        ticker.pass(Duration.ofNanos(1));
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.left()).isZero();
    }

    @Test
    public void testLateAnswerDoesNotBringItBack()
    {
        answer = () -> {
            // paused after the request was sent
            ticker.pass(TTL);
            return Duration.ofHours(1);
        };
        ticker.pass(Duration.ofSeconds(5));
        assertLost(lease::keepAlive);
        assertThat(lease.isHeld()).isFalse();
        answer = () -> TTL;
        assertLost(lease::keepAlive);
    }

    @Test
    public void testStoreThatGrantsLessCounts()
    {
        answer = () -> Duration.ofSeconds(4);
        lease.keepAlive();
        assertThat(lease.left()).isEqualTo(Duration.ofSeconds(4));
        answer = () -> Duration.ofHours(1);
        lease.keepAlive();
        assertThat(lease.left()).isEqualTo(TTL);
    }

    @Test
    public void testFailedRenewalChangesNothing()
    {
        ticker.pass(Duration.ofSeconds(5));
        answer = () -> {
            throw new StateStoreException(Kind.UNAVAILABLE, "away");
        };
        assertThatThrownBy(lease::keepAlive).hasMessage("away");
        assertThat(lease.left()).isEqualTo(Duration.ofSeconds(5));
        answer = () -> {
            throw new StateStoreException(Kind.LEASE_LOST, "gone");
        };
        assertThatThrownBy(lease::keepAlive).hasMessage("gone");
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    public void testRevokedAlsoWhenTheStoreCannotBeTold()
    {
        answer = () -> {
            throw new StateStoreException(Kind.UNAVAILABLE, "away");
        };
        assertThatThrownBy(lease::revoke).hasMessage("away");
        assertThat(lease.isHeld()).isFalse();
        answer = () -> TTL;
        assertLost(lease::keepAlive);
    }

    @Test
    public void testEndsWithTheStore()
    {
        open = false;
        assertThat(lease.isHeld()).isFalse();
        assertLost(lease::checkHeld);
    }

    private static void assertLost(ThrowingCallable action)
    {
        assertThatThrownBy(action).isInstanceOfSatisfying(StateStoreException.class, failure -> assertThat(failure.kind()).isEqualTo(Kind.LEASE_LOST));
    }
}
