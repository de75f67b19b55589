package io.cairn.flush.store;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Explains a class that is not on the class path by the jar that has it. Hadoop's own client has no
 * file system of a cloud; each of them needs further jars. Loads no Hadoop class.
 */
final class MissingClass {
  /** The jar of all classes whose names begin so. */
  private record Jar(String prefix, String add) {}

  /** The first that fits counts. */
  private static final List<Jar> JARS =
      List.of(
          new Jar(
              "org.apache.hadoop.fs.s3a.",
              "hadoop-aws in the version of Hadoop's client, and software.amazon.awssdk:bundle"),
          new Jar("software.amazon.awssdk.", "software.amazon.awssdk:bundle"),
          new Jar("com.amazonaws.", "com.amazonaws:aws-java-sdk-bundle"),
          new Jar("org.apache.hadoop.fs.azure", "hadoop-azure in the version of Hadoop's client"),
          new Jar("org.apache.hadoop.fs.aliyun.", "hadoop-aliyun"),
          new Jar("com.google.cloud.hadoop.", "gcs-connector"),
          new Jar(
              "org.apache.hadoop.fs.gs.", "its jar, hadoop-gcp in the version of Hadoop's client"),
          new Jar("org.apache.hadoop.fs.obs.", "hadoop-huaweicloud"),
          new Jar("org.apache.hadoop.fs.cosn.", "hadoop-cos"),
          new Jar("org.apache.hadoop.fs.tosfs.", "hadoop-tos"),
          new Jar("org.apache.hadoop.", "hadoop-client-api and hadoop-client-runtime"));

  private MissingClass() {}

  /** The refusal of a store because of a missing class; empty if the cause is another one. */
  static Optional<IOException> refusal(String store, Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof ClassNotFoundException || at instanceof NoClassDefFoundError) {
        return Optional.of(missing(store, String.valueOf(at.getMessage()), failure));
      }
    }
    return Optional.empty();
  }

  private static IOException missing(String store, String message, Throwable cause) {
    String name = message.replace('/', '.');
    String add =
        JARS.stream()
            .filter(jar -> name.contains(jar.prefix()))
            .findFirst()
            .map(Jar::add)
            .orElse("the jar that has it");
    return new StoreRefusedException(
        "cannot open store "
            + store
            + ": a class is not on the class path ("
            + name
            + "): add "
            + add
            + ", or use a local directory or HDFS",
        cause);
  }
}
