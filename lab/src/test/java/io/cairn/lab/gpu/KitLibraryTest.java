package io.cairn.lab.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Class paths of a build hold directories before their modules are packed, and jars after. */
class KitLibraryTest {
  @TempDir private Path root;

  @ParameterizedTest
  @CsvSource({
    "cairn-gpu-cache-0.1.0-SNAPSHOT.jar, cairn-gpu-cache",
    "cairn-gpu-cache-0.1.0-SNAPSHOT-tests.jar, gpu-cache-tests",
    "cairn-engine-1.0.jar, cairn-engine",
    "jna-4.3.0.jar, jna",
    "junit-jupiter-api-5.14.4.jar, junit-jupiter-api"
  })
  void aJarHasTheNameOfItsArtifact(String file, String name) throws IOException {
    Path jar = Files.createFile(root.resolve(file));

    assertThat(KitLibrary.of(jar)).map(KitLibrary::name).hasValue(name);
  }

  @ParameterizedTest
  @CsvSource({"gpu-cache/target/classes, cairn-gpu-cache", "lab/target/test-classes, lab-tests"})
  void aDirectoryHasTheNameOfItsModule(String directory, String name) throws IOException {
    Path classes = Files.createDirectories(root.resolve(directory));

    assertThat(KitLibrary.of(classes)).map(KitLibrary::name).hasValue(name);
  }

  @Test
  void othersStayOutOfTheKit() throws IOException {
    Path tests = Files.createFile(root.resolve("cairn-engine-1.0-tests.jar"));
    Path spark = Files.createFile(root.resolve("spark-core_2.12-3.5.9.jar"));

    assertThat(KitLibrary.of(tests)).isEmpty();
    assertThat(KitLibrary.of(spark)).isEmpty();
    assertThat(KitLibrary.of(root.resolve("absent.jar"))).isEmpty();
  }
}
