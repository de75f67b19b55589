package io.cairn.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Applications with the plugin on in which no rank joins, or not yet. */
@Timeout(240)
class InertTest {
  @TempDir(cleanup = org.junit.jupiter.api.io.CleanupMode.NEVER)
  Path root;

  /** Of Cairn, and of the transport that its ports use. */
  private static Set<String> threads() {
    Set<String> names = new TreeSet<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("cairn")) {
        names.add(thread.getName() + " " + thread.getId());
      }
    }
    return names;
  }

  private static boolean isAsked(ServerSocket store) throws IOException {
    store.setSoTimeout(1);
    try {
      store.accept().close();
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    }
  }

  /** A name node that hangs takes connections, and answers none. */
  @Test
  void withoutAJoinNothingIsOpened() throws Exception {
    Set<String> before = threads();
    try (ServerSocket nameNode = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      SparkConf conf =
          ToyCluster.conf(root, 2, "inert-test")
              .set("spark.cairn.store", "hdfs://127.0.0.1:" + nameNode.getLocalPort() + "/cairn");
      try (JavaSparkContext spark = new JavaSparkContext(conf)) {
        List<Integer> ofExecutors =
            spark.parallelize(List.of(1, 2, 3, 4), 4).map(each -> threads().size()).collect();

        assertThat(ofExecutors).allMatch(threads -> threads <= 1);
        Set<String> ofDriver = threads();
        ofDriver.removeAll(before);
        assertThat(ofDriver).isEmpty();
        assertThat(root.resolve("device")).doesNotExist();
        assertThat(root.resolve("node")).doesNotExist();
      }
      assertThat(isAsked(nameNode)).as("a connection to STORE").isFalse();
    }
  }

  @Test
  void aStoreThatRefusesFailsTheTasksThatJoinAndNoOther() throws Exception {
    Path file = Files.createFile(root.resolve("a-file"));
    String directory = root.toString();
    SparkConf conf =
        ToyCluster.conf(root, 1, "refused-test")
            .set("spark.cairn.store", file.toString())
            .set("spark.task.maxFailures", "1");
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      assertThat(spark.parallelize(List.of(1, 2, 3), 3).reduce(Integer::sum)).isEqualTo(6);
      assertThatThrownBy(
              () ->
                  spark
                      .parallelize(List.of(0), 1)
                      .map(rank -> new ToyRank(directory, "alone", rank, 1, 20, 1).train())
                      .collect())
          .hasMessageContaining("spark.cairn.store")
          .hasMessageContaining(file.toString());

      Path away = Files.move(file, root.resolve("a-file-no-more"), new CopyOption[0]);
      assertThat(away).exists();
      String digest = null;
      while (digest == null) { // the driver tells a refusal for some seconds
        try {
          digest =
              spark
                  .parallelize(List.of(0), 1)
                  .map(rank -> new ToyRank(directory, "alone", rank, 1, 20, 1).train())
                  .collect()
                  .get(0);
        } catch (Exception e) {
          assertThat(e).hasMessageContaining("spark.cairn.store");
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        }
      }
      assertThat(digest).isEqualTo(ToyRank.undisturbed(0, 20));
    }
  }
}
