package io.cairn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceConfigurationError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** This module has no engine. */
class ProvidersTest {
  @TempDir Path directory;

  /** An engine that opens nothing. */
  public static final class Stub implements CairnProvider {
    /** Made by the service loader. */
    public Stub() {}

    @Override
    public Cairn open(Map<String, String> settings) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Cairn current() {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void aMissingEngineIsNamed() {
    assertThatThrownBy(Cairn::current)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("io.cairn:cairn-engine");
    assertThatThrownBy(() -> Cairn.open(Map.of())).hasMessageContaining("cairn-spark-plugin");
  }

  /** So it is where two jars have the API, in loaders of which one asks its own jars first. */
  @Test
  void anEngineOfAnotherApiIsNoError() throws Exception {
    Path services = Files.createDirectories(directory.resolve("META-INF/services"));
    Path file = services.resolve(CairnProvider.class.getName());
    Files.writeString(file, ProvidersTest.class.getName());
    ClassLoader own = getClass().getClassLoader();
    try (URLClassLoader other = new URLClassLoader(new URL[] {directory.toUri().toURL()}, own)) {
      assertThatThrownBy(() -> Providers.find(other, own))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("as if two jars had Cairn")
          .hasCauseInstanceOf(ServiceConfigurationError.class);
    }
  }

  @Test
  void anEngineThatTheContextLoaderAloneSeesIsFound() throws Exception {
    Path services = Files.createDirectories(directory.resolve("META-INF/services"));
    Files.writeString(services.resolve(CairnProvider.class.getName()), Stub.class.getName());
    ClassLoader own = getClass().getClassLoader();
    try (URLClassLoader context = new URLClassLoader(new URL[] {directory.toUri().toURL()}, own)) {
      assertThat(Providers.find(own, context)).isInstanceOf(Stub.class);
      assertThat(Providers.find(context, null)).isInstanceOf(Stub.class);
    }
  }
}
