package io.cairn.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.GroupId;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.commit.Written;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A medium without space: epochs are claimed by names alone. */
class FullStoreTest {
  private static final GroupId GROUP = Written.GROUP;

  /** It takes names and no bytes, and a training must start there. */
  @Test
  void aFullStoreStillGivesEpochs() throws IOException {
    CrashingStore full = new CrashingStore(1);
    String birth = GroupBirth.of(full, GROUP);
    full.medium().capacityBytes(0);

    assertThat(new EpochFiles(full).take(GROUP, 0, "first")).isEqualTo(1);
    assertThat(new EpochFiles(full).take(GROUP, 0, "second")).isEqualTo(2);
    assertThat(new EpochFiles(full).newest(GROUP)).isEqualTo(2);
    assertThat(GroupBirth.of(full, GROUP)).isEqualTo(birth);
  }
}
