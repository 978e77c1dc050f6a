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
package org.lakesteward.stitch;

import java.io.IOException;

/**
 * A stitched file is not what its inputs were. It must not be used; the inputs are untouched.
 */
public final class StitchVerificationException
        extends IOException
{
    public StitchVerificationException(String message)
    {
        super(message);
    }

    public StitchVerificationException(String message, Throwable cause)
    {
        super(message, cause);
    }
}
