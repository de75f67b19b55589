package io.cairn.cli;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.model.LevelSpec;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.Quarantine;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.restore.CopySource;
import io.cairn.flush.restore.StoreCopies;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.flush.store.SubdirectoryStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cairn explain}: what a restore of a group would do now, and why. */
@Command(
    name = "explain",
    description = {
      "Explain which checkpoint a restore takes, and why.",
      "Tells which copies are tried in which order and which are refused; writes nothing.",
      "Exit code 0: a restore takes one, or there is none yet; 1: none of them can be restored."
    })
final class ExplainCommand implements Callable<Integer> {
  @Mixin private GroupSelection selection = new GroupSelection();

  @Option(
      names = "--node",
      paramLabel = "DIR",
      description = "A node's directory (spark.cairn.node.dir), whose copies are nearer.")
  private String node = "";

  @Option(names = "--rank", paramLabel = "R", description = "Only this rank; else all of them.")
  private Optional<Integer> rank = Optional.empty();

  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() throws IOException {
    List<CheckpointStore> opened = new ArrayList<>();
    try {
      Explanation explanation = explain(opened);
      json.print(explanation, out -> new ExplanationText(out).print(explanation));
      boolean good = explanation.restored() != null || explanation.startsAnew();
      return good ? ExitCodes.GOOD : ExitCodes.BAD;
    } finally {
      for (CheckpointStore each : opened) {
        each.close();
      }
    }
  }

  private Explanation explain(List<CheckpointStore> opened) throws IOException {
    List<String> unreachable = new ArrayList<>();
    Level ofMachine = LevelSpec.keptBy(LevelSpec.Keeper.MACHINE);
    CheckpointStore store = selection.openForReading();
    opened.add(store);
    if (!node.isEmpty()) {
      try {
        // a node keeps what it has of a store under the store's own name
        String copies = Path.of(node).resolve(StoreIdentity.known(store)).toString();
        opened.add(CheckpointStores.openForReading(copies));
      } catch (IOException e) {
        // A node that is gone is what restores are for, so it is a finding here and no error.
        unreachable.add(ofMachine + " (" + node + "): " + e.getMessage());
      }
    }
    GroupId id = selection.only(opened);
    if (!GroupBirth.lives(store, id).isEmpty()) {
      throw new IllegalArgumentException(
          store.describe() + " is a node's directory: name the store, and this one by --node");
    }
    Map<Level, CheckpointStore> places = new EnumMap<>(Level.class);
    places.put(LevelSpec.committed(), store);
    Optional<String> birth = GroupBirth.find(store, id);
    if (opened.size() > 1 && birth.isPresent()) {
      String life = StoreNames.life(id, birth.get());
      places.put(ofMachine, new SubdirectoryStore(opened.get(1), life));
    }
    List<CopySource> sources = new ArrayList<>();
    places.forEach((level, place) -> sources.add(new StoreCopies(place, level)));
    return Explanation.of(
        sources,
        members(id, places.values()),
        setAside(places, id),
        unreachable,
        Explanation.cadence(store, id));
  }

  private static List<Explanation.SetAside> setAside(Map<Level, CheckpointStore> places, GroupId id)
      throws IOException {
    List<Explanation.SetAside> all = new ArrayList<>();
    for (Map.Entry<Level, CheckpointStore> place : places.entrySet()) {
      new Quarantine(place.getValue())
          .setAside(id)
          .forEach(
              each ->
                  all.add(
                      new Explanation.SetAside(
                          place.getKey(), each.id().label(), each.file(), each.replaced())));
    }
    return all;
  }

  private List<Member> members(GroupId id, Collection<CheckpointStore> stores) throws IOException {
    int size = size(stores, id);
    if (rank.isPresent()) {
      return List.of(new Member(id, rank.get(), size));
    }
    return IntStream.range(0, size).mapToObj(each -> new Member(id, each, size)).toList();
  }

  /** Ranks of the group when it wrote its newest checkpoint; before that, as many as are asked. */
  private int size(Collection<CheckpointStore> stores, GroupId id) throws IOException {
    SortedMap<CheckpointId, Integer> sizes = new TreeMap<>(Comparator.reverseOrder());
    for (CheckpointStore store : stores) {
      Inventory.list(store, id).checkpoints().forEach((at, of) -> sizes.put(at, of.size()));
    }
    return sizes.values().stream().findFirst().orElse(rank.orElse(0) + 1);
  }
}
