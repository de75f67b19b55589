package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.flush.store.EmbeddedHdfs;
import java.nio.file.Path;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A NameNode in safe mode serves what it has and takes nothing, for instance after its start. */
@Timeout(120)
class SafeModeTest {
  private static final int FIRST = 5;

  @TempDir Path root;

  private final String hdfs = EmbeddedHdfs.freshRoot().toString();

  private CairnEngine open(String node) throws Exception {
    return new Places(root)
        .open(
            "store",
            hdfs,
            "node.dir",
            root.resolve(node).toString(),
            "node.every",
            "1",
            "store.every",
            "1",
            "store.patience",
            "0s");
  }

  @Test
  void aTrainingResumesInSafeModeAndIsAtStoreAfterwards() throws Exception {
    try (CairnEngine cairn = open("node");
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      assertThat(toy.run(checkpointer, 0, FIRST).sealed(Level.STORE).join())
          .isEqualTo(new Outcome.Sealed(Level.STORE));
    }
    try (FileSystem files = FileSystem.newInstance(EmbeddedHdfs.freshRoot(), config())) {
      DistributedFileSystem namespace = (DistributedFileSystem) files;
      namespace.setSafeMode(SafeModeAction.ENTER);
      try (CairnEngine cairn = open("other");
          Checkpointer checkpointer = cairn.join("run")) {
        Toy toy = new Toy();
        toy.protectBy(checkpointer);
        assertThat(checkpointer.restore().orElseThrow().id().label()).isEqualTo("e1-i4");
        assertThat(toy).isEqualTo(Toy.undisturbed(FIRST));
        assertThat(toy.run(checkpointer, FIRST, FIRST + 1).sealed(Level.STORE).join())
            .isInstanceOf(Outcome.Failed.class);

        namespace.setSafeMode(SafeModeAction.LEAVE);
        long next = FIRST + 1;
        while (!(toy.run(checkpointer, next, next + 1).sealed(Level.STORE).join()
            instanceof Outcome.Sealed)) {
          next++;
        }
        assertThat(toy).isEqualTo(Toy.undisturbed(next + 1));
      } finally {
        namespace.setSafeMode(SafeModeAction.LEAVE);
      }
    }
  }

  private static org.apache.hadoop.conf.Configuration config() {
    return EmbeddedHdfs.impatientClient();
  }
}
