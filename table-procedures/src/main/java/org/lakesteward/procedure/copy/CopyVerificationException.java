
package org.lakesteward.procedure.copy;

/**
 * A copied file is not what its inputs make it; it must not be committed.
 */
public final class CopyVerificationException
        extends Exception
{
    public CopyVerificationException(String message)
    {
        super(message);
    }

    public CopyVerificationException(String message, Throwable cause)
    {
        super(message, cause);
    }
}
