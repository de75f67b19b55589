package io.cairn.engine.promotion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CairnEvent;
import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Fingerprint;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.format.LayeredRank;
import io.cairn.flush.format.SampleRank;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.restore.Copy;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LateStore;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** NODE and STORE of a group of one, whose checkpoints lean on older ones. */
class LayeredLevelsTest {
  private static final Member MEMBER = new Member(Written.GROUP, 0, 1);
  private static final int LAYERS = 3;

  @TempDir Path root;

  private final LayeredRank rank = new LayeredRank(0, 1, LAYERS, new SplittableRandom(1));
  private final List<CairnEvent.Written> events = new ArrayList<>();
  private CheckpointStore store;
  private LateStore node;
  private NodeDirectory directory;
  private NodeGroups groups;
  private NodeWriter nodeWriter;
  private StoreWriter storeWriter;

  @BeforeEach
  void open() throws IOException {
    store = LocalStore.open(root.resolve("store"), Durability.PROCESS);
    directory = new NodeDirectory(root.resolve("node"), store);
    node = new LateStore("NODE", directory::open, System::nanoTime);
    groups = new NodeGroups(node, store);
    nodeWriter = writer(LAYERS, groups);
    storeWriter =
        new StoreWriter(
            Level.STORE,
            store,
            () -> new ContainerWriter(LayeredRank.CHUNK),
            bytes -> 1,
            LAYERS,
            this::note);
    nodeWriter.enter(MEMBER.group());
    nodeWriter.begin(MEMBER, 1, true);
  }

  private NodeWriter writer(int layers, NodeGroups below) {
    NodeCleaning cleaning =
        new NodeCleaning(directory, node, Duration.ofDays(7), Uptime.ofMachine());
    return new NodeWriter(
        Level.NODE,
        directory,
        node,
        below,
        new ContainerWriter(LayeredRank.CHUNK),
        1,
        layers,
        cleaning,
        this::note);
  }

  private void note(CairnEvent event) {
    if (event instanceof CairnEvent.Written written) {
      events.add(written);
    }
  }

  @AfterEach
  void close() throws IOException {
    node.close();
    store.close();
  }

  private void writeAtNode(CheckpointId id, Level... due) throws IOException {
    nodeWriter.write(
        LayeredLevels.promoted(MEMBER, id, rank.sample(), due),
        LayeredLevels.nearest(rank.sample()));
  }

  /** Writes it at NODE, where the group seals it and retains one. */
  private void sealAtNode(CheckpointId id) throws IOException {
    writeAtNode(id, Level.NODE);
    nodeWriter.settled(id, 0, new Outcome.Sealed(Level.NODE));
    nodeWriter.retain(id, id::equals, Set.of());
  }

  private StoredCheckpoint atNode(CheckpointId id) throws IOException {
    return Inventory.find(groups.of(MEMBER.group()), id, 0).orElseThrow();
  }

  private List<CheckpointId> leansOn(CheckpointId id) throws IOException {
    return List.copyOf(atNode(id).parts().get(0).leansOn());
  }

  private void assertReadable(Copy copy) throws IOException {
    assertThat(SampleRank.readAll(copy.images(), copy.reader()))
        .usingElementComparator(Arrays::compare)
        .isEqualTo(rank.sample().contents());
    copy.close();
  }

  @Test
  void aCheckpointLeansOnTheNewestThatWasWritten() throws IOException {
    sealAtNode(Written.id(1, 1));
    rank.change(3);
    writeAtNode(Written.id(1, 2), Level.NODE); // its outcome is not known yet
    rank.change(4);

    sealAtNode(Written.id(1, 3));

    assertThat(leansOn(Written.id(1, 3)))
        .containsExactlyInAnyOrder(Written.id(1, 1), Written.id(1, 2));
    assertReadable(nodeWriter.copies(Optional.empty()).open(Written.id(1, 3), 0).orElseThrow());
  }

  /** The other process reached the manifest of the base after it had looked who leans on it. */
  @Test
  void aProcessWithoutLayersSparesWhatAnotherOneLeansOn() throws IOException {
    CheckpointId base = Written.id(1, 1);
    CheckpointId late = Written.id(1, 3);
    writeAtNode(base, Level.NODE);
    nodeWriter.settled(base, 0, new Outcome.Sealed(Level.NODE));
    String withdrawn = StoreNames.file(base, StoreNames.manifestPart(0));
    NodeWriter plain =
        writer(0, groupsIn(beforeDeleting(withdrawn, () -> writeAtNode(late, Level.NODE))));
    plain.write(
        LayeredLevels.promoted(MEMBER, Written.id(1, 2), rank.sample(), Level.NODE),
        LayeredLevels.nearest(rank.sample()));

    plain.retain(Written.id(1, 2), id -> true, Set.of());

    assertThat(leansOn(late)).containsExactly(base);
    assertReadable(nodeWriter.copies(Optional.empty()).open(late, 0).orElseThrow());
  }

  private NodeGroups groupsIn(CheckpointStore there) throws IOException {
    NodeGroups below = new NodeGroups(there, store);
    below.enter(MEMBER.group(), directory);
    return below;
  }

  private interface Step {
    void run() throws IOException;
  }

  private CheckpointStore beforeDeleting(String file, Step step) {
    boolean[] done = new boolean[1];
    return (CheckpointStore)
        Proxy.newProxyInstance(
            LayeredLevelsTest.class.getClassLoader(),
            new Class<?>[] {CheckpointStore.class},
            (proxy, method, arguments) -> {
              boolean deletes =
                  method.getName().equals("delete") && arguments[0].toString().endsWith(file);
              if (deletes && !done[0]) {
                done[0] = true;
                step.run();
              }
              try {
                return method.invoke(node, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void whatANewerOneLeansOnStaysWhenTheGroupGivesACheckpointUp() throws IOException {
    sealAtNode(Written.id(1, 1));
    rank.change(3);
    writeAtNode(Written.id(1, 2), Level.NODE);
    writeAtNode(Written.id(1, 3), Level.NODE);

    nodeWriter.settled(Written.id(1, 2), 0, new Outcome.Skipped("slow"));
    nodeWriter.drop(Written.id(1, 2));

    assertThat(Inventory.find(groups.of(MEMBER.group()), Written.id(1, 2), 0)).isEmpty();
    assertReadable(nodeWriter.copies(Optional.empty()).open(Written.id(1, 3), 0).orElseThrow());
  }

  @Test
  void theEventShowsHowLittleWasWritten() throws IOException {
    sealAtNode(Written.id(1, 1));
    sealAtNode(Written.id(1, 2));

    assertThat(events.get(0).bytes()).isGreaterThan(events.get(0).stateBytes());
    assertThat(events.get(1).bytes()).isLessThan(events.get(0).bytes() - 10 * LayeredRank.CHUNK);
  }

  @Test
  void aCheckpointForPeerIsWholeAndTheNextMayLeanOnIt() throws IOException {
    sealAtNode(Written.id(1, 1));
    writeAtNode(Written.id(1, 2), Level.NODE, Level.PEER);
    nodeWriter.settled(Written.id(1, 2), 0, new Outcome.Sealed(Level.NODE));

    writeAtNode(Written.id(1, 3), Level.NODE);

    assertThat(leansOn(Written.id(1, 2))).isEmpty();
    assertThat(leansOn(Written.id(1, 3))).containsExactly(Written.id(1, 2));
  }

  @Test
  void withoutItsHolderACheckpointIsNotPublishedAndTheNextIsWhole() throws IOException {
    sealAtNode(Written.id(1, 1));
    sealAtNode(Written.id(1, 2));
    groups.of(MEMBER.group()).delete(StoreNames.file(Written.id(1, 1), StoreNames.container(0)));

    assertThatThrownBy(() -> writeAtNode(Written.id(1, 3), Level.NODE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("leans on e000001-i0000000001");
    nodeWriter.settled(Written.id(1, 3), 0, new Outcome.Failed("no holder"));
    sealAtNode(Written.id(1, 4));

    assertThat(Inventory.find(groups.of(MEMBER.group()), Written.id(1, 3), 0)).isEmpty();
    assertThat(leansOn(Written.id(1, 4))).isEmpty();
    assertReadable(nodeWriter.copies(Optional.empty()).open(Written.id(1, 4), 0).orElseThrow());
  }

  /** Another process of this node deletes the base a moment before. */
  @Test
  void aCheckpointWhoseBaseWasWithdrawnIsWithdrawn() throws IOException {
    sealAtNode(Written.id(1, 1));
    CheckpointStore here = groups.of(MEMBER.group());
    here.delete(StoreNames.file(Written.id(1, 1), StoreNames.manifestPart(0)));

    assertThatThrownBy(() -> writeAtNode(Written.id(1, 2), Level.NODE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("was deleted at NODE while");

    assertThat(Inventory.find(here, Written.id(1, 2), 0)).isEmpty();
  }

  /** The outcome of a failure comes by way of the coordinator, while the next one is written. */
  @Test
  void aPublicationThatFailsCostsNoLaterOne() throws IOException {
    CheckpointId failed = Written.id(1, 3);
    CheckpointId meanwhile = Written.id(1, 4);
    CheckpointId next = Written.id(1, 5);
    sealAtNode(Written.id(1, 2));
    CheckpointStore here = groups.of(MEMBER.group());
    String part = StoreNames.file(failed, StoreNames.manifestPart(0));
    here.create(part).close(); // in the way of its publication
    assertThatThrownBy(() -> writeAtNode(failed, Level.NODE)).isInstanceOf(IOException.class);
    here.delete(part);

    nodeWriter.write(
        LayeredLevels.promoted(MEMBER, meanwhile, rank.sample(), Level.NODE),
        atFirstRead(() -> nodeWriter.settled(failed, 0, new Outcome.Failed("not published"))));
    writeAtNode(next, Level.NODE);

    assertReadable(nodeWriter.copies(Optional.empty()).open(meanwhile, 0).orElseThrow());
    assertReadable(nodeWriter.copies(Optional.empty()).open(next, 0).orElseThrow());
  }

  /** The captured copy; something happens when its first chunk is read. */
  private NearestCopy atFirstRead(Step step) {
    SampleRank sample = rank.sample();
    boolean[] done = new boolean[1];
    ChunkReader reader =
        (region, chunk, into) -> {
          if (!done[0]) {
            done[0] = true;
            step.run();
          }
          sample.reader().read(region, chunk, into);
        };
    Copy copy = new Copy("regions", sample.images(), Fingerprint.NONE, reader, () -> {});
    return most -> new OpenCopies(Collections.nCopies(most, copy));
  }

  private ContainerSummary writeAtStore(CheckpointId id) throws IOException {
    return storeWriter
        .write(
            LayeredLevels.promoted(MEMBER, id, rank.sample(), Level.STORE),
            most -> OpenCopies.open(nodeWriter.copies(Optional.empty()), id, 0, most).orElseThrow())
        .get(0);
  }

  @Test
  void storeLeansOnWhatIsSealedThere() throws IOException {
    sealAtNode(Written.id(1, 1));
    ContainerSummary first = writeAtStore(Written.id(1, 1));
    storeWriter.settled(Written.id(1, 1), 0, new Outcome.Sealed(Level.STORE));
    rank.change(3);
    sealAtNode(Written.id(1, 2));

    ContainerSummary second = writeAtStore(Written.id(1, 2));

    assertThat(first.bytes() - second.bytes()).isGreaterThan(10 * LayeredRank.CHUNK);
    assertThat(LayeredRank.read(store, Written.id(1, 2), 0, List.of(second)))
        .usingElementComparator(Arrays::compare)
        .isEqualTo(rank.sample().contents());
  }

  @Test
  void afterAFailedCommitStoreIsWrittenWhole() throws IOException {
    sealAtNode(Written.id(1, 1));
    writeAtStore(Written.id(1, 1));
    storeWriter.settled(Written.id(1, 1), 0, new Outcome.Sealed(Level.STORE));
    storeWriter.settled(Written.id(1, 2), 0, new Outcome.Failed("a holder vanished"));
    sealAtNode(Written.id(1, 3));

    assertThat(writeAtStore(Written.id(1, 3)).holders()).isEmpty();
  }

  @Test
  void anotherEpochBeginsWithAWholeCheckpoint() throws IOException {
    sealAtNode(Written.id(1, 1));
    nodeWriter.begin(MEMBER, 2, true);

    sealAtNode(Written.id(2, 2));

    assertThat(leansOn(Written.id(2, 2))).isEmpty();
    assertThat(nodeWriter.copies(Optional.empty()).open(Written.id(1, 1), 0))
        .isEqualTo(Optional.empty());
  }
}
