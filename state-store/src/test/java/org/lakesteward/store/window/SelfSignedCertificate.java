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
package org.lakesteward.store.window;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/**
 * A certificate of 127.0.0.1 that has signed itself, for both sides of a connection, as PEM files.
 */
record SelfSignedCertificate(Path folder, Path certificateFile, Path keyFile)
        implements AutoCloseable
{
    private static final String PASSWORD = "changeit";

    static SelfSignedCertificate create()
    {
        try {
            Path folder = Files.createTempDirectory("certificate");
            Path store = folder.resolve("store.p12");
            Process keytool = new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair",
                    "-alias", "test",
                    "-keyalg", "EC",
                    "-dname", "CN=test",
                    "-ext", "bc:c",
                    "-ext", "san=ip:127.0.0.1",
                    "-validity", "3650",
                    "-storetype", "PKCS12",
                    "-storepass", PASSWORD,
                    "-keystore", store.toString())
                    .inheritIO()
                    .start();
            if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
                throw new AssertionError("keytool made no certificate");
            }
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream input = Files.newInputStream(store)) {
                keys.load(input, PASSWORD.toCharArray());
            }
            return new SelfSignedCertificate(
                    folder,
                    pem(folder.resolve("certificate.pem"), "CERTIFICATE", keys.getCertificate("test").getEncoded()),
                    pem(folder.resolve("key.pem"), "PRIVATE KEY", keys.getKey("test", PASSWORD.toCharArray()).getEncoded()));
        }
        catch (IOException | GeneralSecurityException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close()
            throws IOException
    {
        MoreFiles.deleteRecursively(folder, RecursiveDeleteOption.ALLOW_INSECURE);
    }

    private static Path pem(Path file, String kind, byte[] content)
            throws IOException
    {
        return Files.writeString(file, "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(kind, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content)));
    }
}
