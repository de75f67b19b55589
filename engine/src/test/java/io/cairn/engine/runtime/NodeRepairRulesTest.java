package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CairnEvent;
import io.cairn.CheckpointId;
import io.cairn.Compression;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.model.Ancestry;
import io.cairn.engine.promotion.NodeGroups;
import io.cairn.engine.promotion.NodeRepair;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.restore.RestorePlanner;
import io.cairn.flush.restore.StoreCopies;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies at NODE that must not be set aside, or not be replaced by these bytes. */
class NodeRepairRulesTest {
  private static final CheckpointId ID = Written.id(1, 20);
  private static final Member MEMBER = new Member(Written.GROUP, 0, 1);
  private static final String REPAIRED = "-repaired-";
  private static final int IN_A_CHUNK = 8 * 600;

  private final MemoryStore files = new MemoryStore("node");
  private final GatedStore node = new GatedStore(files);
  private final MemoryStore store = new MemoryStore("store");
  private final NodeGroups groups = new NodeGroups(node, store);
  private final List<CairnEvent> events = new ArrayList<>();
  private String life = "";

  @BeforeEach
  void write() throws IOException {
    life = StoreNames.life(Written.GROUP, GroupBirth.of(store, Written.GROUP)) + "/";
    Written.part(groups.of(Written.GROUP), ID, 0, 1, Ancestry.NONE);
    Written.sealed(store, ID, 1, Ancestry.NONE);
  }

  private void damage() {
    files.flip(life + StoreNames.file(ID, StoreNames.container(0)), IN_A_CHUNK);
  }

  private Map<String, Integer> lengths() {
    Map<String, Integer> lengths = new TreeMap<>();
    files.files.forEach((path, bytes) -> lengths.put(path, bytes.length));
    return lengths;
  }

  private void repair(boolean parities) {
    RestorePlanner others = new RestorePlanner(List.of(new StoreCopies(store, Level.STORE)));
    new NodeRepair(Level.NODE, groups, store, Compression.NONE, parities, events::add)
        .run(ID, MEMBER, 2, others);
  }

  private void assertNotRepaired(String reason, Map<String, Integer> before) {
    assertThat(events)
        .singleElement()
        .isInstanceOfSatisfying(
            CairnEvent.NotRepaired.class, event -> assertThat(event.reason()).contains(reason));
    assertThat(lengths()).isEqualTo(before);
  }

  @Test
  void aBadCopyIsReplaced() throws IOException {
    damage();

    repair(true);

    assertThat(events.stream().map(Object::getClass))
        .containsExactly(CairnEvent.Quarantined.class, CairnEvent.Repaired.class);
    Written.requireReadable(
        groups.of(Written.GROUP), Inventory.find(groups.of(Written.GROUP), ID, 0).orElseThrow());
  }

  @Test
  void aReadThatFailsForTheMomentCondemnsNothing() {
    damage();
    Map<String, Integer> before = lengths();
    GatedStore.Gate failing =
        (operation, path) -> {
          if (path.endsWith(StoreNames.container(0))) {
            throw new IOException("too many open files");
          }
        };
    node.gate(failing.forReads());

    repair(false);

    assertNotRepaired("too many open files", before);
  }

  @Test
  void aReadThatWorksAgainCondemnsNothing() {
    Map<String, Integer> before = lengths();

    repair(false);

    assertThat(events).isEmpty();
    assertThat(lengths()).isEqualTo(before);
  }

  /** The bytes change between the write and the look at them. */
  @Test
  void bytesThatArriveDamagedTakeNoPlace() {
    damage();
    Map<String, Integer> before = lengths();
    AtomicBoolean damaged = new AtomicBoolean();
    GatedStore.Gate damaging =
        (operation, path) -> {
          if (path.contains(REPAIRED) && damaged.compareAndSet(false, true)) {
            files.flip(path, IN_A_CHUNK);
          }
        };
    node.gate(damaging.forReads());

    repair(false);

    assertNotRepaired("CRC32C", before);
  }

  @Test
  void aCopyWithoutAGoodOneElsewhereStays() {
    damage();
    store.flip(StoreNames.file(ID, StoreNames.container(0)), IN_A_CHUNK);
    Map<String, Integer> before = lengths();

    repair(false);

    assertNotRepaired("no good copy", before);
  }

  @Test
  void anAttemptThatIsOverRepairsNothing() throws IOException {
    damage();
    groups.of(Written.GROUP).create(StoreNames.epoch(Written.GROUP, 3)).close();
    Map<String, Integer> before = lengths();

    repair(false);

    assertNotRepaired("epoch 3", before);
  }

  @Test
  void filesThatParitiesWereComputedFromStay() throws IOException {
    damage();
    groups.of(Written.GROUP).create(StoreNames.file(ID, StoreNames.copied(0))).close();
    Map<String, Integer> before = lengths();

    repair(true);

    assertNotRepaired("parities", before);
  }

  @Test
  void aPartThatCannotBeReadIsReplacedByThatOfStore() throws IOException {
    files.flip(life + StoreNames.file(ID, StoreNames.manifestPart(0)), 99);

    repair(false);

    assertThat(Inventory.find(groups.of(Written.GROUP), ID, 0)).isPresent();
  }

  /** Retention had withdrawn the checkpoint, and deletes its files just before the new part. */
  @Test
  void aPartWhoseContainerIsDeletedMeanwhileGoes() {
    damage();
    String part = StoreNames.manifestPart(0);
    node.gate(
        (operation, path) -> {
          if (operation.equals("publish") && path.endsWith("/" + part)) {
            files.files.keySet().removeIf(name -> name.contains(REPAIRED));
          }
        });

    repair(false);

    assertThat(events.get(events.size() - 1)).isInstanceOf(CairnEvent.NotRepaired.class);
    assertThat(files.files.keySet()).noneMatch(name -> name.endsWith("/" + part));
  }
}
