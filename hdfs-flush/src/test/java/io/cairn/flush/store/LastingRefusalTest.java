package io.cairn.flush.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.cairn.flush.commit.StoreIdentity;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivilegedExceptionAction;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which failures of a store last, and which are waited for; HDFS checks permissions here. */
@Timeout(120)
class LastingRefusalTest {
  private final URI root = EmbeddedHdfs.freshRoot();
  private final Configuration conf = EmbeddedHdfs.impatientClient();

  private static void lasts(ThrowingCallable call) {
    Throwable failure = catchThrowable(call);
    assertThat(failure).isInstanceOf(IOException.class);
    assertThat(StoreRefusedException.isIn(failure)).as("%s", failure).isTrue();
  }

  private static void passes(ThrowingCallable call) {
    Throwable failure = catchThrowable(call);
    assertThat(failure).isInstanceOf(IOException.class);
    assertThat(StoreRefusedException.isIn(failure)).as("%s", failure).isFalse();
  }

  private static void asStranger(PrivilegedExceptionAction<Void> action) throws Exception {
    Void unused = UserGroupInformation.createRemoteUser("stranger").doAs(action);
  }

  @Test
  void theStoreOfAnotherUserIsRefusedForGood() throws Exception {
    try (CheckpointStore own = HadoopStore.open(root, conf)) {
      String name = StoreIdentity.of(own);
      assertThat(name).isNotEmpty();
    }
    asStranger(
        () -> {
          lasts(() -> HadoopStore.open(root, conf));
          lasts(() -> HadoopStore.open(URI.create(root + "/below"), conf));
          try (CheckpointStore seen = HadoopStore.openProbed(root, conf)) {
            lasts(() -> StoreIdentity.of(seen));
            lasts(() -> seen.list(""));
            lasts(() -> seen.create("file").close());
          }
          return null;
        });
  }

  @Test
  void safeModeAndASilentNameNodePass() throws Exception {
    HadoopStore.open(root, conf).close();
    try (DistributedFileSystem files = (DistributedFileSystem) FileSystem.newInstance(root, conf);
        CheckpointStore used = HadoopStore.openProbed(root, conf)) {
      boolean unused = files.setSafeMode(SafeModeAction.ENTER);
      try {
        passes(() -> HadoopStore.open(root, conf));
        passes(() -> used.create("file").close());
      } finally {
        boolean unusedLeft = files.setSafeMode(SafeModeAction.LEAVE);
      }
    }
    passes(() -> HadoopStore.open(URI.create("hdfs://localhost:1/store"), conf));
    passes(() -> HadoopStore.open(URI.create("hdfs://no-such-host.invalid:1/store"), conf));
  }

  @Test
  void aNameNodeOnStandbyAndABrokenConnectionPass() {
    passes(
        () -> {
          throw StoreRefusal.refusal(
              "hdfs://a/b", "listing", new IOException("ipc.StandbyException: on standby"));
        });
    assertThat(
            StoreRefusal.refusal(
                "hdfs://a/b", "listing", new IOException("ipc.StandbyException: on standby")))
        .isInstanceOf(StoreUnavailableException.class);
    assertThat(StoreRefusal.refusal("hdfs://a/b", "listing", new IOException("Connection reset")))
        .isInstanceOf(StoreUnavailableException.class);
  }

  @Test
  void aSchemeThatNothingServesIsRefusedForGood() {
    lasts(() -> CheckpointStores.open("nothing://host/store", conf, Map.of()));
  }

  @Test
  void aDirectoryThatIsDeniedIsRefusedForGood(@TempDir Path directory) throws IOException {
    Path denied = Files.createDirectory(directory.resolve("denied"));
    Files.setPosixFilePermissions(denied, PosixFilePermissions.fromString("---------"));
    Assumptions.assumeFalse(Files.isWritable(denied), "root may write everywhere");

    lasts(() -> CheckpointStores.open(denied.toString()));
    lasts(() -> CheckpointStores.open(denied.resolve("store").toString()));
  }

  @Test
  void aFileInThePlaceOfAStoreIsRefusedForGood(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "no store");

    lasts(() -> CheckpointStores.open(file.toString()));
  }
}
