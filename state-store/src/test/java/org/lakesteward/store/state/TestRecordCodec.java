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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import org.lakesteward.store.state.RecordReading.Damaged;
import org.lakesteward.store.state.RecordReading.Readable;
import org.lakesteward.store.state.RecordReading.TooNew;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.util.Optional;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lakesteward.store.json.JsonFields.number;
import static org.lakesteward.store.json.JsonFields.optionalText;

public class TestRecordCodec
{
    private record Pet(long legs, Optional<String> name) {}

    private static final RecordCodec<Pet> CODEC = new RecordCodec<>(
            "pet",
            2,
            ImmutableSet.of("legs", "name"),
            document -> new Pet(number(document, "legs"), optionalText(document, "name")),
            (pet, document) -> {
                document.put("legs", pet.legs());
                pet.name().ifPresent(name -> document.put("name", name));
            });

    private static StoreEntry entry(String value)
    {
        return new StoreEntry("pets/1", value.getBytes(UTF_8), 3, 5);
    }

    @Test
    public void testRoundTrip()
    {
        Pet pet = new Pet(4, Optional.of("Ann \ud83d\ude80"));
        byte[] written = CODEC.write(pet);
        assertThat(new String(written, UTF_8)).isEqualTo("{\"schema\":2,\"legs\":4,\"name\":\"Ann \ud83d\ude80\"}");
        assertThat(CODEC.read(new StoreEntry("pets/1", written, 1, 1))).isInstanceOfSatisfying(Readable.class, readable -> assertThat(readable.value()).isEqualTo(pet));
    }

    /** A field that is not known stays, one that is known and does not apply any more goes. */
    @Test
    public void testUnknownFieldsAreKept()
    {
        StoreEntry entry = entry("{\"colour\":{\"red\":1},\"schema\":2,\"legs\":4,\"name\":\"Ann\",\"tail\":null}");
        RecordReading<Pet> read = CODEC.read(entry);
        RecordReplacement.Allowed replacement = (RecordReplacement.Allowed) CODEC.replace(read, new Pet(3, Optional.empty()), Optional.empty());
        assertThat(new String(replacement.put().value(), UTF_8)).isEqualTo("{\"schema\":2,\"legs\":3,\"colour\":{\"red\":1},\"tail\":null}");
        assertThat(replacement.put().key()).isEqualTo("pets/1");
        assertThat(replacement.unchanged()).isEqualTo(new Condition.ModifiedAt("pets/1", 5));
        Condition guard = Condition.createdAt("leader", 7);
        assertThat(replacement.under(ImmutableList.of(guard)).conditions()).containsExactly(guard, replacement.unchanged());
        // the document that was read is as it was
        assertThat(((Readable<Pet>) read).document().path("name").asText()).isEqualTo("Ann");
    }

    @Test
    public void testOlderSchemaIsReadAndRaised()
    {
        RecordReading<Pet> read = CODEC.read(entry("{\"schema\":1,\"legs\":4,\"wings\":2}"));
        assertThat(((Readable<Pet>) read).value()).isEqualTo(new Pet(4, Optional.empty()));
        RecordReplacement.Allowed replacement = (RecordReplacement.Allowed) CODEC.replace(read, new Pet(4, Optional.empty()), Optional.empty());
        assertThat(new String(replacement.put().value(), UTF_8)).isEqualTo("{\"schema\":2,\"legs\":4,\"wings\":2}");
    }

    @DataProvider
    public static Object[][] newer()
    {
        return new Object[][] {
                {"{\"schema\":3,\"legs\":4}"},
                {"{\"schema\":3,\"feet\":\"none of this is known\"}"},
                {"{\"schema\":9999999999}"},
                {"{\"schema\":99999999999999999999999}"},
        };
    }

    @Test(dataProvider = "newer")
    public void testNewerSchemaIsNeitherReadNorReplaced(String value)
    {
        RecordReading<Pet> read = CODEC.read(entry(value));
        assertThat(read).isInstanceOfSatisfying(TooNew.class, tooNew -> assertThat(tooNew.problem()).startsWith("the pet record pets/1 was written by a newer version of Lakesteward (schema "));
        assertThat(CODEC.replace(read, new Pet(1, Optional.empty()), Optional.empty())).isInstanceOf(RecordReplacement.Forbidden.class);
    }

    @DataProvider
    public static Object[][] damaged()
    {
        return new Object[][] {
                {"", "the pet record pets/1 is no JSON object"},
                {"{", "the pet record pets/1 is no valid JSON"},
                {"{\"schema\":2,\"legs\":4} more", "the pet record pets/1 is no valid JSON"},
                {"{\"schema\":2,\"schema\":3,\"legs\":4}", "the pet record pets/1 is no valid JSON"},
                {"[]", "the pet record pets/1 is no JSON object"},
                {"{\"legs\":4}", "the pet record pets/1 has no valid schema"},
                {"{\"schema\":0,\"legs\":4}", "the pet record pets/1 has no valid schema"},
                {"{\"schema\":\"2\",\"legs\":4}", "the pet record pets/1 has no valid schema"},
                {"{\"schema\":2.5,\"legs\":4}", "the pet record pets/1 has no valid schema"},
                {"{\"schema\":2}", "the pet record pets/1 holds what cannot be read (field legs is missing)"},
                {"{\"schema\":2,\"legs\":\"4\"}", "the pet record pets/1 holds what cannot be read (field legs is no whole number)"},
                {"{\"schema\":2,\"legs\":99999999999999999999}", "the pet record pets/1 holds what cannot be read (field legs is no whole number)"},
                {"{\"schema\":2,\"legs\":4,\"name\":5}", "the pet record pets/1 holds what cannot be read (field name is no text)"},
        };
    }

    @Test(dataProvider = "damaged")
    public void testDamaged(String value, String problem)
    {
        RecordReading<Pet> read = CODEC.read(entry(value));
        assertThat(read).isEqualTo(new Damaged<Pet>(entry(value), problem));
        assertThat(CODEC.replace(read, new Pet(1, Optional.empty()), Optional.empty())).isInstanceOf(RecordReplacement.Allowed.class);
    }

    @Test
    public void testWritersMistakes()
    {
        assertThatThrownBy(() -> CODEC.write(new Pet(4, Optional.of("\ud83d")))).isInstanceOf(IllegalArgumentException.class).hasMessage("a pet record holds a text that is no valid Unicode");
        RecordCodec<Pet> careless = new RecordCodec<>("pet", 1, ImmutableSet.of(), _ -> new Pet(1, Optional.empty()), (pet, document) -> document.put("legs", pet.legs()));
        assertThatThrownBy(() -> careless.write(new Pet(4, Optional.empty()))).hasMessage("a pet record has field legs, which is not among those that it is said to know");
    }
}
