package io.cairn.spark.hosts;

import io.cairn.GroupId;
import io.cairn.core.protocol.NodeSeal;
import io.cairn.flush.commit.GroupMemory;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.spark.settings.SparkSettings;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;
import scala.collection.immutable.List$;
import scala.reflect.ClassTag$;

/**
 * Asks Spark to run ranks where their newest copies at NODE are. Spark follows if an executor there
 * has a free slot within {@code spark.locality.wait}; else the ranks run elsewhere, and read over
 * the network.
 *
 * <pre>{@code
 * List<String> hosts = CairnHosts.of("night-7", 8);
 * CairnHosts.ranks(spark, hosts).rdd().barrier()...
 * }</pre>
 *
 * <p>Spark asks for preferences when a stage begins, and not again for a retried task. Thread-safe.
 */
public final class CairnHosts {
  private static final Logger LOG = LoggerFactory.getLogger(CairnHosts.class);
  private static volatile @Nullable Notes notes;

  private record Notes(String job, Opening store) {}

  /** Opens STORE for one look. */
  @FunctionalInterface
  public interface Opening {
    /** The store, which {@link CairnHosts} closes. */
    CheckpointStore open() throws IOException;
  }

  private CairnHosts() {}

  /** The driver's store has the notes of this job. It is opened at each question. */
  public static void use(String job, Opening store) {
    notes = new Notes(job, store);
  }

  /** The driver ends. */
  public static void forget() {
    notes = null;
  }

  /**
   * The hosts of a group of {@code ranks} ranks, by rank; an empty name where none is known. One
   * rank is a group of its own. Lists the group's epochs at STORE, and reads one file.
   *
   * @throws IllegalStateException outside of a driver with the plugin
   */
  public static List<String> of(String group, int ranks) {
    Notes known = notes;
    if (known == null) {
      throw new IllegalStateException(
          "no driver of Cairn in this process: set spark.plugins to io.cairn.spark.CairnPlugin, and"
              + " call this in the driver");
    }
    return newest(new GroupId(known.job(), group), known.store())
        .map(NodeSeal::nodes)
        .filter(nodes -> nodes.size() == ranks)
        .map(nodes -> nodes.stream().map(SparkSettings::machine).toList())
        .orElse(Collections.nCopies(ranks, ""));
  }

  /** The hosts of independent ranks, each a group of one. */
  public static List<String> of(List<String> groups) {
    return groups.stream().flatMap(group -> of(group, 1).stream()).toList();
  }

  /** A preference is no reason to fail. */
  private static Optional<NodeSeal> newest(GroupId group, Opening opening) {
    try (CheckpointStore store = opening.open()) {
      return new GroupMemory(store).newestAtNode(group);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Ranks of {} run anywhere: STORE does not say where their copies are", group, e);
      return Optional.empty();
    }
  }

  /**
   * The ranks from 0 on, one in each partition, which prefers the rank's host.
   *
   * @param hosts by rank; a partition with an empty name prefers none
   */
  public static JavaRDD<Integer> ranks(JavaSparkContext spark, List<String> hosts) {
    scala.collection.immutable.List<Object> ranks = List$.MODULE$.empty();
    for (int rank = hosts.size() - 1; rank >= 0; rank--) {
      scala.collection.immutable.List<String> preferred = List$.MODULE$.empty();
      String host = hosts.get(rank);
      ranks =
          ranks.$colon$colon(
              new Tuple2<>(rank, host.isEmpty() ? preferred : preferred.$colon$colon(host)));
    }
    return spark
        .sc()
        .makeRDD(CairnHosts.ofThisScala(ranks), ClassTag$.MODULE$.<Integer>apply(Integer.class))
        .toJavaRDD();
  }

  /** An immutable list is the {@code Seq} of Scala 2.12 and that of 2.13. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T> T ofThisScala(Object list) {
    return (T) list;
  }
}
