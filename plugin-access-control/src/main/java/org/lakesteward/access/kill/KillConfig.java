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
package org.lakesteward.access.kill;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.configuration.ConfigSecuritySensitive;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;

import java.net.URI;
import java.util.Optional;

/**
 * How the coordinator is asked to end running writes.
 */
public class KillConfig
{
    private Optional<URI> coordinatorUri = Optional.empty();
    private String user = "lakesteward";
    private Optional<String> password = Optional.empty();

    @NotNull
    public Optional<URI> getCoordinatorUri()
    {
        return coordinatorUri;
    }

    @Config("window.coordinator-uri")
    @ConfigDescription("Where this coordinator serves HTTP, for killing running writes; the default is its plain HTTP port on the loopback address, if it has one")
    public KillConfig setCoordinatorUri(URI coordinatorUri)
    {
        this.coordinatorUri = Optional.ofNullable(coordinatorUri);
        return this;
    }

    @NotNull
    @NotEmpty
    public String getUser()
    {
        return user;
    }

    @Config("window.kill.user")
    @ConfigDescription("Trino user who kills running writes; access control must allow it to kill queries of others")
    public KillConfig setUser(String user)
    {
        this.user = user;
        return this;
    }

    @NotNull
    public Optional<String> getPassword()
    {
        return password;
    }

    @Config("window.kill.password")
    @ConfigSecuritySensitive
    @ConfigDescription("Password of that user; sent over https only")
    public KillConfig setPassword(String password)
    {
        this.password = Optional.ofNullable(password);
        return this;
    }

    @AssertTrue(message = "window.coordinator-uri must be an http or https URI with a host")
    public boolean isCoordinatorUriValid()
    {
        return coordinatorUri.isEmpty() || (isScheme("http") || isScheme("https")) && coordinatorUri.get().getHost() != null;
    }

    @AssertTrue(message = "window.kill.password needs a window.coordinator-uri that begins with https")
    public boolean isPasswordProtected()
    {
        return password.isEmpty() || isScheme("https");
    }

    private boolean isScheme(String scheme)
    {
        return coordinatorUri.isPresent() && scheme.equalsIgnoreCase(coordinatorUri.get().getScheme());
    }
}
