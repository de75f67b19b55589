package io.cairn.flush.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.flush.format.MemoryStore;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class GroupMemoryTest {
  private final GroupMemory memory = new GroupMemory(new MemoryStore("m"));

  @Test
  void theNewestSealIsMarkedWhateverTheOrderOfCommits() throws IOException {
    memory.markSealed(Written.id(1, 10));
    memory.markSealed(Written.id(1, 30));
    memory.markSealed(Written.id(1, 20));

    assertThat(memory.newestSealed(Written.GROUP)).contains(Written.id(1, 30));
  }

  @Test
  void aForgottenGroupHasNoMark() throws IOException {
    memory.markSealed(Written.id(1, 10));

    memory.forgetSeals(Written.GROUP);

    assertThat(memory.newestSealed(Written.GROUP)).isEmpty();
  }
}
