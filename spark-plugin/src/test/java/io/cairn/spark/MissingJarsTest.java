package io.cairn.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.spark.api.plugin.SparkPlugin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A user who forgets one of Cairn's jars reads which, on the driver and on an executor. */
class MissingJarsTest {
  @ParameterizedTest
  @CsvSource({
    "api/target, cairn-api",
    "core-scheduler, cairn-core-scheduler",
    "engine, cairn-engine",
    "gpu-cache, cairn-gpu-cache",
    "hdfs-flush, cairn-hdfs-flush"
  })
  void aMissingJarIsNamed(String module, String jar) throws Exception {
    try (URLClassLoader loader = without(module)) {
      SparkPlugin plugin =
          (SparkPlugin)
              loader.loadClass(CairnPlugin.class.getName()).getConstructor().newInstance();

      assertThatThrownBy(plugin::driverPlugin)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(jar)
          .hasMessageContaining("--jars");
      assertThatThrownBy(plugin::executorPlugin).hasMessageContaining(jar);
    }
  }

  @Test
  void completeJarsAreNotComplainedAbout() {
    assertThat(new CairnPlugin().driverPlugin()).isNotNull();
    assertThat(new CairnPlugin().executorPlugin()).isNotNull();
  }

  /** Loads Cairn's classes anew, but those of one module; Spark's come from the test's loader. */
  private static URLClassLoader without(String module) throws Exception {
    URL[] urls =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .filter(path -> !path.toString().contains(module))
            .map(MissingJarsTest::url)
            .toArray(URL[]::new);
    return new URLClassLoader(urls, SparkOnly.LOADER);
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(path.toString(), e);
    }
  }

  /** Hides every class of Cairn that the test has. */
  private static final class SparkOnly extends ClassLoader {
    static final ClassLoader LOADER = new SparkOnly();

    SparkOnly() {
      super(MissingJarsTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("io.cairn.")) {
        throw new ClassNotFoundException(name);
      }
      return super.loadClass(name, resolve);
    }
  }
}
