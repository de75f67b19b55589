package io.cairn.engine.config;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The secret that the processes of one user share without a setting. It lies in a file of the
 * user's home, which that user alone can read. The first process that needs it makes it.
 * Thread-safe; never shows the secret.
 */
public final class UserSecret {
  private static final Logger LOG = LoggerFactory.getLogger(UserSecret.class);
  private static final int BYTES = 32;

  private UserSecret() {}

  /**
   * The secret of the user of this process.
   *
   * @throws IOException naming the setting in its place, the file and the remedy, if the user has
   *     no home, the secret cannot be read or made, or others can read it
   */
  public static String find() throws IOException {
    return find(OwnDirectories.home());
  }

  /** Like {@link #find()}, in this home. */
  static String find(Optional<Path> home) throws IOException {
    Path known =
        home.orElseThrow(
            () ->
                new IOException(
                    "the user's secret lies in the home directory, and this user has none: give all"
                        + " processes one by "
                        + Setting.SECRET.name()
                        + ", or set the environment's HOME"));
    try {
      return find(known.resolve(".cairn/secret"));
    } catch (IOException e) {
      throw new IOException(
          "%s. Mend that, or give all processes one by %s"
              .formatted(e.getMessage(), Setting.SECRET.name()),
          e);
    }
  }

  /**
   * Like {@link #find()}, in this file, for processes that share its directory.
   *
   * @throws IOException naming the file, if the secret cannot be read or made, or others can read
   *     it
   */
  public static synchronized String find(Path file) throws IOException {
    Optional<String> made = made(file);
    if (made.isPresent()) {
      return made.get();
    }
    try {
      Path home = OwnDirectories.makeParent(file);
      OwnDirectories.require(Setting.SECRET, home);
      return read(file);
    } catch (IOException e) {
      throw new IOException("the user's secret in %s cannot be used: %s".formatted(file, e), e);
    }
  }

  /** The secret that was made before, without a write: the home may be read-only. */
  private static Optional<String> made(Path file) {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      requireOwnersAlone(file);
      UserPrincipal owner = Files.getOwner(file, LinkOption.NOFOLLOW_LINKS);
      return owner.equals(OwnDirectories.self()) ? Optional.of(text(channel)) : Optional.empty();
    } catch (IOException e) {
      LOG.debug("{} is not read as it is", file, e);
      return Optional.empty();
    }
  }

  private static String read(Path file) throws IOException {
    Set<OpenOption> options =
        Set.of(
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS);
    try (FileChannel channel =
            FileChannel.open(
                file,
                options,
                PosixFilePermissions.asFileAttribute(
                    PosixFilePermissions.fromString("rw-------")));
        FileLock lock = channel.lock()) {
      requireOwnersAlone(file);
      if (lock.isValid() && channel.size() == 0) {
        make(channel);
      }
      return text(channel);
    }
  }

  private static String text(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(2 * BYTES);
    while (text.hasRemaining() && channel.read(text, text.position()) >= 0) {
      // reads on
    }
    if (text.hasRemaining() || channel.size() > text.limit()) {
      throw new IOException(
          String.format(Locale.ROOT, "it has %d bytes, not %d", channel.size(), 2 * BYTES));
    }
    return new String(text.array(), StandardCharsets.US_ASCII);
  }

  private static void requireOwnersAlone(Path file) throws IOException {
    Set<PosixFilePermission> others =
        Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS);
    others.removeAll(Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
    if (!others.isEmpty()) {
      throw new IOException("others may use it (" + others + "): make it rw-------");
    }
  }

  private static void make(FileChannel channel) throws IOException {
    byte[] random = new byte[BYTES];
    new SecureRandom().nextBytes(random);
    ByteBuffer text =
        ByteBuffer.wrap(HexFormat.of().formatHex(random).getBytes(StandardCharsets.US_ASCII));
    while (text.hasRemaining()) {
      channel.write(text, text.position());
    }
    channel.force(true);
  }
}
