package io.cairn.flush.commit;

import static io.cairn.flush.commit.Repairable.FILE;
import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.model.CheckpointManifest;
import io.cairn.flush.format.MemoryStore;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The same with a store that replaces a file in one step. */
class ReplacingRepairTest extends StoreRepairRacesTest {
  @Override
  boolean replaces() {
    return true;
  }

  /** A restore at any moment finds the checkpoint. */
  @Test
  void theContainerIsNeverMissing() throws IOException {
    MemoryStore node = new MemoryStore("node");
    MemoryStore store = new MemoryStore("store", true);
    CheckpointManifest manifest = Repairable.plain(store, node);
    byte[] good = store.content(FILE).clone();
    store.flip(FILE, 8 * 600);
    FaultyStore counting = new FaultyStore(store.copy());
    assertThat(Repairable.repair(counting, node, manifest)).isTrue();

    MemoryStore watched = store.copy();
    FaultyStore watching = new FaultyStore(watched);
    for (int each = 0; each < counting.count(); each++) {
      String moment = "before operation " + each;
      watching.before(each, () -> assertThat(watched.files.keySet()).as(moment).contains(FILE));
    }
    assertThat(Repairable.repair(watching, node, manifest)).isTrue();

    assertThat(watched.content(FILE)).isEqualTo(good);
    assertThat(watched.files.keySet()).isEqualTo(store.files.keySet());
  }
}
