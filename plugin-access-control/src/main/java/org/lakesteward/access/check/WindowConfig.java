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
package org.lakesteward.access.check;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableSet;
import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;

import java.util.Locale;
import java.util.Set;

/**
 * What of a cluster stays open in a window though it looks like a write, and what is closed though it looks like a read.
 */
public class WindowConfig
{
    private String controlCatalog = "maintenance";
    private Set<String> passthroughFunctions = ImmutableSet.of("system.query");

    @NotNull
    @NotEmpty
    public String getControlCatalog()
    {
        return controlCatalog;
    }

    @Config("window.control-catalog")
    @ConfigDescription("Catalog of connector maintenance; its procedures and tables stay open, so that a window can be ended")
    public WindowConfig setControlCatalog(String controlCatalog)
    {
        this.controlCatalog = controlCatalog == null ? null : controlCatalog.toLowerCase(Locale.ENGLISH);
        return this;
    }

    @NotNull
    public Set<@Pattern(regexp = "[^.]+\\.[^.]+", message = "must be schema.function") String> getPassthroughFunctions()
    {
        return passthroughFunctions;
    }

    @Config("window.passthrough-functions")
    @ConfigDescription("Table functions, as schema.function, that hand text to another system, which may write there; a window refuses them in the catalogs that it covers")
    public WindowConfig setPassthroughFunctions(String passthroughFunctions)
    {
        this.passthroughFunctions = ImmutableSet.copyOf(Splitter.on(',').trimResults().omitEmptyStrings().split(passthroughFunctions.toLowerCase(Locale.ENGLISH)));
        return this;
    }
}
