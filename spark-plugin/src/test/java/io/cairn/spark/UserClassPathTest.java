package io.cairn.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Executors whose class path begins with the user's jars, among them Cairn's and a Netty. Classes
 * of Netty then have two loaders, Spark's and the plugin's, which uses none of them.
 */
class UserClassPathTest {
  @TempDir(cleanup = org.junit.jupiter.api.io.CleanupMode.NEVER)
  static Path root;

  @Test
  void aNettyAmongTheUsersJarsIsNobodysTrouble() throws IOException {
    SparkConf conf =
        ToyCluster.conf(root, 2, "user-class-path")
            .set("spark.executor.userClassPathFirst", "true")
            .set("spark.jars", String.join(",", usersJars()))
            .set("spark.task.maxFailures", "1");
    List<String> removed = new CopyOnWriteArrayList<>();
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      spark
          .sc()
          .addSparkListener(
              new SparkListener() {
                @Override
                public void onExecutorRemoved(SparkListenerExecutorRemoved gone) {
                  removed.add(gone.reason());
                }
              });

      int sum = spark.parallelize(List.of(1, 2, 3), 3).map(each -> each + 1).reduce(Integer::sum);

      assertThat(sum).isEqualTo(9);
      String directory = root.toString();
      List<String> digests =
          spark
              .parallelize(List.of(0, 1), 2)
              .map(rank -> new ToyRank(directory, "pair", rank, 2, 20, 0).train())
              .collect();
      assertThat(digests).containsExactly(ToyRank.undisturbed(0, 20), ToyRank.undisturbed(1, 20));
      assertThat(removed).isEmpty();
    }
  }

  private static List<String> usersJars() throws IOException {
    List<String> jars = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      String name = String.valueOf(path.getFileName());
      if (Files.isDirectory(path)) {
        jars.add(jarOf(path, root.resolve("jar-" + jars.size() + ".jar")));
      } else if (name.startsWith("cairn-") || name.startsWith("netty-")) {
        jars.add(entry);
      }
    }
    return jars;
  }

  private static String jarOf(Path directory, Path jar) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file);
        Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new JarEntry(directory.relativize(each).toString()));
        Files.copy(each, out);
      }
    }
    return jar.toString();
  }
}
