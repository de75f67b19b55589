package io.cairn.flush.commit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.protocol.NodeSeal;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.NodeSealText;
import io.cairn.flush.format.StoreNames;
import java.io.IOException;
import java.util.List;
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
        .containsExactlyInAnyOrder(StoreNames.seal(Written.id(1, 40)), StoreNames.seal(ofOther));
  }

  @Test
  void aForgottenGroupHasNoMark() throws IOException {
    memory.markSealed(Written.id(1, 10));

    memory.forgetSeals(Written.GROUP);

    assertThat(memory.newestSealed(Written.GROUP)).isEmpty();
  }

  private static NodeSeal seal(long epoch, long iteration, String... nodes) {
    return new NodeSeal(Written.id(epoch, iteration), List.of(nodes), 20_000_000);
  }

  @Test
  void theNewestNoteOfNodesIsLeft() throws IOException {
    assertThat(memory.newestAtNode(Written.GROUP)).isEmpty();
    memory.noteNodes(seal(1, 10, "a:/n", "a:/n", "b: /n"));
    memory.noteNodes(seal(1, 30, "a:/n", "c:/n", "b: /n"));
    memory.noteNodes(seal(1, 20, "x", "x", "x"));
    memory.noteNodes(seal(2, 5, "a:/n", "a:/n", "b: /n", "a:/n"));

    assertThat(new GroupMemory(store).newestAtNode(Written.GROUP))
        .contains(seal(2, 5, "a:/n", "a:/n", "b: /n", "a:/n"));
    assertThat(store.files.keySet()).containsExactly(StoreNames.nodes(Written.id(2, 5)));
  }

  /** A copy of this group that somebody discards is waited for no more. */
  @Test
  void aForgottenGroupHasNoNoteOfNodes() throws IOException {
    memory.noteNodes(seal(1, 10, "a"));

    memory.forgetSeals(Written.GROUP);

    assertThat(memory.newestAtNode(Written.GROUP)).isEmpty();
  }

  /** Nobody may be kept from a restore by a hint. */
  @Test
  void aDamagedNoteIsNone() {
    for (String text :
        List.of(
            "",
            "\n",
            "7\n",
            "x\n1 a\n",
            "7\n0 a\n",
            "7\n-1 a\n",
            "7\na\n",
            "7\n1000001 a\n",
            "7\n999999 a\n2 b\n",
            "-7\n1 a\n",
            "7\n 1 a\n",
            "7\n\n1 a\n")) {
      assertThat(NodeSealText.read(Written.id(1, 10), text.getBytes(UTF_8))).as(text).isEmpty();
    }
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
