package io.cairn.flush.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.File;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointStoresTest {
  @TempDir Path directory;

  @Test
  void takesPathsAndFileUrisForLocal() throws IOException {
    Path root = directory.resolve("store");
    for (String where :
        List.of(root.toString(), "file:" + root, "file://" + root, "FILE:" + root)) {
      try (CheckpointStore store = CheckpointStores.open(where)) {
        assertThat(store).isInstanceOf(LocalStore.class);
        assertThat(store.describe()).isEqualTo(root.toString());
      }
      try (CheckpointStore store =
          CheckpointStores.open(where, PlainFileSystem.configuration(), Map.of())) {
        assertThat(store).isInstanceOf(LocalStore.class);
      }
    }
  }

  @Test
  void takesOtherUrisForHadoop() throws IOException {
    String where = "plain://" + directory + "/store";
    try (CheckpointStore store =
        CheckpointStores.open(where, PlainFileSystem.configuration(), Map.of())) {
      assertThat(store).isInstanceOf(HadoopStore.class);
      assertThat(store.describe()).startsWith("plain:/").endsWith("/store");
    }
  }

  @Test
  void opensForReadingOnlyWhatExists() throws IOException {
    Path root = directory.resolve("store");
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> CheckpointStores.openForReading(root.toString()))
        .withMessageContainingAll(root.toString(), "gone");
    assertThat(root).doesNotExist();
    try (CheckpointStore store = CheckpointStores.open(root.toString())) {
      StoreFiles.write(store, "file", new byte[3]);
    }
    try (CheckpointStore store = CheckpointStores.openForReading("file:" + root)) {
      assertThat(StoreFiles.read(store, "file")).isEqualTo(new byte[3]);
    }
  }

  @Test
  void refusesWhatIsNoPlace() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CheckpointStores.open(" "))
        .withMessageContaining("empty");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CheckpointStores.open("hdfs://bad host/x"))
        .withMessageContaining("bad host");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CheckpointStores.open("file://other-host/x"))
        .withMessageContaining("other-host");
  }

  /** Hadoop would take another directory, perhaps that of another training. */
  @ParameterizedTest
  @CsvSource({
    "hdfs://host:9000/a#b,#b",
    "hdfs://host/a?b,?b",
    "hdfs://host:9000,no path",
    "s3a://bucket,no path",
    "hdfs:a,no path",
    "hdfs://alice@host/a,alice",
    "s3a://key:secret@bucket/a,key:secret",
    "file:/a#b,fragment"
  })
  void refusesEachPartThatHadoopWouldLeaveOut(String where, String part) {
    for (ThrowingCallable opening :
        List.<ThrowingCallable>of(
            () -> CheckpointStores.require(where),
            () -> CheckpointStores.open(where),
            () -> CheckpointStores.openForReading(where))) {
      assertThatIllegalArgumentException()
          .isThrownBy(opening)
          .withMessageContainingAll("store '" + where + "'", part);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hdfs://host/a",
        "hdfs:///a",
        "hdfs://host/",
        "hdfs://host/a%23b",
        "abfs://container@account.dfs.core.windows.net/cairn",
        "/a#b",
        "relative",
        "file:/a"
      })
  void takesAllThatNameOneDirectory(String where) {
    assertThatCode(() -> CheckpointStores.require(where)).doesNotThrowAnyException();
  }

  @Test
  void takesAnEscapedPathAsItIsMeant() throws IOException {
    String where = "plain://" + directory + "/with%23%20hash//";
    try (CheckpointStore store =
        CheckpointStores.open(where, PlainFileSystem.configuration(), Map.of())) {
      StoreFiles.write(store, "file", new byte[3]);
    }
    assertThat(directory.resolve("with# hash/file")).exists();
  }

  /** The JVM then has no name for such a file, and a relative one must not take its place. */
  @ParameterizedTest
  @CsvSource({"C,refused ,LC_ALL=C.UTF-8", "C.UTF-8,wrote ,1"})
  void aNameBeyondTheLocaleIsRefusedAndOneWithinIsOpened(String locale, String start, String what)
      throws Exception {
    try (ChildProcess child =
        Command.java(NamedStore.class, directory)
            .small(64)
            .environment("LC_ALL", locale)
            .withoutErrors()
            .start()) {
      assertThat(child.await(start)).contains(what);
    }
  }

  @Test
  void needsNoHadoopForLocalFilesAndSaysSoForTheRest() throws Throwable {
    try (URLClassLoader loader = withoutHadoop()) {
      Class<?> stores = loader.loadClass(CheckpointStores.class.getName());
      Class<?> type = loader.loadClass(CheckpointStore.class.getName());
      MethodHandle open =
          MethodHandles.publicLookup()
              .findStatic(stores, "open", MethodType.methodType(type, String.class));
      Object store = open.invoke(directory.resolve("store").toString());
      assertThat(store.getClass().getSimpleName()).isEqualTo("LocalStore");
      assertThat(store.getClass()).isNotEqualTo(LocalStore.class);
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> open.invoke("hdfs://localhost/store"))
          .withMessageContainingAll("hdfs://localhost/store", "hadoop-client-runtime");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "s3a://bucket/cairn,hadoop-aws",
    "abfs://container@account.dfs.core.windows.net/cairn,hadoop-azure",
    "gs://bucket/cairn,add its jar"
  })
  void aFileSystemWithoutItsJarNamesTheJar(String where, String jar) {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> CheckpointStores.open(where))
        .withMessageContainingAll(where, jar);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> CheckpointStores.openForReading(where))
        .withMessageContainingAll(where, jar);
  }

  /** A node compares the places of stores, and refuses to start afresh where one was before. */
  @ParameterizedTest
  @CsvSource({
    "hdfs://nn:8020/cairn,hdfs://nn/cairn",
    "hdfs://[::1]:8020,hdfs://[::1]",
    "hdfs://nn:9000/cairn,hdfs://nn:9000/cairn",
    "hdfs://nn:80201/cairn,hdfs://nn:80201/cairn",
    "webhdfs://nn:8020/cairn,webhdfs://nn:8020/cairn"
  })
  void anHdfsIsOnePlaceWithItsUsualPortAndWithoutIt(String with, String without) {
    assertThat(CheckpointStores.spellings(with)).contains(with, without).doesNotHaveDuplicates();
    assertThat(CheckpointStores.spellings(without)).containsExactly(without);
  }

  @ParameterizedTest
  @CsvSource({
    "software/amazon/awssdk/core/exception/SdkException,software.amazon.awssdk:bundle",
    "com/google/cloud/hadoop/fs/gcs/GoogleHadoopFileSystem,gcs-connector",
    "org/apache/hadoop/thirdparty/com/google/common/base/Preconditions,hadoop-client-runtime",
    "com/example/Unknown,com.example.Unknown"
  })
  void aMissingClassNamesItsJar(String missing, String jar) {
    assertThat(MissingClass.refusal("s3a://b", new NoClassDefFoundError(missing)))
        .hasValueSatisfying(refused -> assertThat(refused).hasMessageContaining(jar));
    assertThat(MissingClass.refusal("s3a://b", new IllegalStateException("other"))).isEmpty();
  }

  private static URLClassLoader withoutHadoop() throws IOException {
    List<URL> entries = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (!entry.contains("hadoop")) {
        entries.add(Path.of(entry).toUri().toURL());
      }
    }
    return new URLClassLoader(entries.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }
}
