package io.cairn.flush.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.process.ChildProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A store that is opened with a delegation token of HDFS. Long before a token expires, Spark gives
 * each executor's user another one. The NameNode forgets the first one, which is what its expiry
 * is, and the store goes on with the other one.
 */
@Timeout(120)
class DelegationTokenTest {
  private final URI root = EmbeddedHdfs.freshRoot();
  private final UserGroupInformation trainer = UserGroupInformation.createRemoteUser("trainer");

  /** No connection outlives its call for long, so each call needs a token that is valid. */
  private static Configuration conf() {
    Configuration conf = EmbeddedHdfs.impatientClient();
    conf.setInt("ipc.client.connection.maxidletime", 1);
    return conf;
  }

  private static <T> T as(UserGroupInformation user, PrivilegedExceptionAction<T> action)
      throws IOException, InterruptedException {
    return user.doAs(action);
  }

  /** A new token of the trainer's, as a process obtains it that has logged in. */
  private Token<?> obtain() throws IOException, InterruptedException {
    return as(
        UserGroupInformation.createRemoteUser("trainer"),
        () -> {
          try (FileSystem files = FileSystem.newInstance(root, conf())) {
            return files.getDelegationToken("trainer");
          }
        });
  }

  private void cancel(Token<?> token) throws IOException, InterruptedException {
    as(
        UserGroupInformation.createRemoteUser("trainer"),
        () -> {
          token.cancel(conf());
          return token;
        });
  }

  private void makeRoot() throws IOException {
    try (FileSystem files = FileSystem.newInstance(root, conf())) {
      Path path = new Path(root);
      files.mkdirs(path);
      files.setOwner(path, "trainer", "trainer");
    }
  }

  private static void write(CheckpointStore store, String path) throws IOException {
    try (StoreOutput out = store.create(path)) {
      out.write(ByteBuffer.wrap("bytes".getBytes(StandardCharsets.US_ASCII)));
      out.sync();
    }
  }

  /** The failure of the first call over a connection that was made after the token had ended. */
  private static IOException refusal(CheckpointStore store) {
    long end = System.nanoTime() + ChildProcess.PATIENCE.toNanos();
    while (System.nanoTime() < end) {
      try {
        store.list("");
      } catch (IOException e) {
        return e;
      }
    }
    throw new AssertionError("calls go on without a token");
  }

  @Test
  void theStoreGoesOnWithTheTokenThatReplacedItsFirst() throws Exception {
    makeRoot();
    Token<?> first = obtain();
    trainer.addToken(first);
    try (CheckpointStore store = as(trainer, () -> HadoopStore.open(root, conf()))) {
      write(store, "with-the-first");

      Token<?> second = obtain();
      cancel(first);
      assertThat(refusal(store)).hasMessageContaining("can't be found in cache");

      trainer.addToken(second);
      write(store, "with-the-second");
      assertThat(store.list(""))
          .extracting(StoreEntry::name)
          .contains("with-the-first", "with-the-second");
    }
  }
}
