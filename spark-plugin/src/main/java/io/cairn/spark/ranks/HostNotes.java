package io.cairn.spark.ranks;

import io.cairn.GroupId;
import io.cairn.core.protocol.NodeSeal;
import io.cairn.engine.nodes.NodeName;
import io.cairn.flush.commit.GroupMemory;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The notes at STORE of the hosts with copies at NODE, for the driver's process. Thread-safe. */
public final class HostNotes {
  private static final Logger LOG = LoggerFactory.getLogger(HostNotes.class);
  private static volatile @Nullable HostNotes current;

  private final String job;
  private final Opening opening;

  /** Opens STORE for one look. */
  @FunctionalInterface
  public interface Opening {
    /** The store, which {@link HostNotes} closes. */
    CheckpointStore open() throws IOException;
  }

  private HostNotes(String job, Opening opening) {
    this.job = job;
    this.opening = opening;
  }

  /** The driver's store has the notes of this job. It is opened at each question. */
  public static void use(String job, Opening opening) {
    current = new HostNotes(job, opening);
  }

  /** The driver ends. */
  public static void forget() {
    current = null;
  }

  /**
   * The notes of the driver's process.
   *
   * @throws IllegalStateException outside of a driver with the plugin
   */
  public static HostNotes current() {
    HostNotes known = current;
    if (known == null) {
      throw new IllegalStateException(
          "no driver of Cairn in this process: set spark.plugins to io.cairn.spark.CairnPlugin, and"
              + " call this in the driver");
    }
    return known;
  }

  /** The hosts of a group of so many ranks, by rank; an empty name where none is known. */
  public List<String> hosts(String group, int ranks) {
    return newest(new GroupId(job, group))
        .map(NodeSeal::nodes)
        .filter(nodes -> nodes.size() == ranks)
        .map(nodes -> nodes.stream().map(NodeName::machine).toList())
        .orElse(Collections.nCopies(ranks, ""));
  }

  /** A preference is no reason to fail. */
  private Optional<NodeSeal> newest(GroupId group) {
    try (CheckpointStore store = opening.open()) {
      return new GroupMemory(store).newestAtNode(group);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Ranks of {} run anywhere: STORE does not say where their copies are", group, e);
      return Optional.empty();
    }
  }
}
