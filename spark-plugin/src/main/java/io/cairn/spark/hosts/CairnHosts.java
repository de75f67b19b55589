package io.cairn.spark.hosts;

import io.cairn.spark.ranks.HostNotes;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
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
  private CairnHosts() {}

  /**
   * The hosts of a group of {@code ranks} ranks, by rank; an empty name where none is known. One
   * rank is a group of its own. Lists the group's epochs at STORE, and reads one file.
   *
   * @throws IllegalStateException outside of a driver with the plugin
   */
  public static List<String> of(String group, int ranks) {
    return HostNotes.current().hosts(group, ranks);
  }

  /** The hosts of independent ranks, each a group of one. */
  public static List<String> of(List<String> groups) {
    return groups.stream().flatMap(group -> of(group, 1).stream()).toList();
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
