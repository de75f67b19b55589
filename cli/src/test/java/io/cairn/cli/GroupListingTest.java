package io.cairn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.model.GroupId;
import io.cairn.flush.format.Layout;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupListingTest {
  private static final GroupId GROUP = new GroupId("digits", "fold-0");

  @TempDir Path store;

  /** A link is never followed, so its file cannot be read. */
  @Test
  void anEpochFileThatCannotBeReadHidesNoOther() throws IOException {
    try (Checkpoints checkpoints = new Checkpoints(store)) {
      checkpoints.takeEpoch(GROUP);
      checkpoints.takeEpoch(GROUP);
    }
    Path second = store.resolve(Layout.epoch(GROUP, 2));
    Files.delete(second);
    Files.createSymbolicLink(second, store.resolve("nowhere"));

    try (CheckpointStore opened = CheckpointStores.openForReading(store.toString())) {
      assertThat(GroupListing.of(opened, GROUP).epochs())
          .satisfiesExactly(
              first -> assertThat(first.by()).isEqualTo("worker 7"),
              unreadable ->
                  assertThat(unreadable.by()).startsWith("cannot be read").contains("000002"));
    }
  }
}
