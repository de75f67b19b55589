package io.cairn.flush.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.GroupId;
import io.cairn.flush.format.Layout;
import io.cairn.flush.format.MemoryStore;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class GroupMemoryTest {
  private final MemoryStore store = new MemoryStore("m");
  private final GroupMemory memory = new GroupMemory(store);

  @Test
  void theNewestSealIsMarkedWhateverTheOrderOfCommits() throws IOException {
    memory.markSealed(Written.id(1, 10));
    memory.markSealed(Written.id(1, 30));
    memory.markSealed(Written.id(1, 20));

    assertThat(memory.newestSealed(Written.GROUP)).contains(Written.id(1, 30));
  }

  @Test
  void oneMarkIsLeftOfEachGroup() throws IOException {
    GroupId other = new GroupId("job", "other");
    CheckpointId ofOther = new CheckpointId(other, 1, 15);
    memory.markSealed(Written.id(1, 10));
    memory.markSealed(ofOther);
    memory.markSealed(Written.id(1, 30));
    memory.markSealed(Written.id(1, 20));
    memory.markSealed(Written.id(1, 40));

    assertThat(store.files.keySet())
        .containsExactlyInAnyOrder(Layout.seal(Written.id(1, 40)), Layout.seal(ofOther));
  }

  @Test
  void aForgottenGroupHasNoMark() throws IOException {
    memory.markSealed(Written.id(1, 10));

    memory.forgetSeals(Written.GROUP);

    assertThat(memory.newestSealed(Written.GROUP)).isEmpty();
  }

  /** A later epoch that computed nothing ends with the same iteration. */
  @Test
  void anEndIsThatOfTheNewestCheckpointAlone() throws IOException {
    memory.markEnd(Written.id(1, 10));
    assertThat(memory.hasEnded(Written.id(1, 10))).isTrue();
    assertThat(memory.hasEnded(Written.id(1, 9))).isFalse();
    assertThat(memory.hasEnded(Written.id(2, 10))).isFalse();

    memory.markEnd(Written.id(3, 10));

    assertThat(memory.hasEnded(Written.id(2, 10))).isTrue();
    assertThat(memory.hasEnded(Written.id(2, 11))).isFalse();
  }
}
