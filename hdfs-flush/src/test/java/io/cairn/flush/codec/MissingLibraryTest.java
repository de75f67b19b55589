package io.cairn.flush.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.cairn.Compression;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A class path on which the libraries are absent. */
class MissingLibraryTest {
  /** Loads the codecs anew, and no class of a library. */
  private static final class WithoutLibraries extends URLClassLoader {
    WithoutLibraries() {
      super(
          new URL[] {Encodings.class.getProtectionDomain().getCodeSource().getLocation()},
          Encodings.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("net.jpountz.") || name.startsWith("com.github.luben.")) {
        throw new ClassNotFoundException(name);
      }
      if (name.startsWith("io.cairn.flush.codec.")) {
        synchronized (getClassLoadingLock(name)) {
          Class<?> known = findLoadedClass(name);
          return known == null ? findClass(name) : known;
        }
      }
      return super.loadClass(name, resolve);
    }
  }

  /** Loads the codecs and LZ4 anew; the native part of LZ4 is absent, or is no library. */
  private static final class WithoutNativePart extends ClassLoader {
    private final boolean absent;

    WithoutNativePart(boolean absent) {
      super(Encodings.class.getClassLoader());
      this.absent = absent;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("net.jpountz.") || name.startsWith("io.cairn.flush.codec.")) {
        synchronized (getClassLoadingLock(name)) {
          Class<?> known = findLoadedClass(name);
          return known == null ? findClass(name) : known;
        }
      }
      return super.loadClass(name, resolve);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }

    @Override
    public @Nullable URL getResource(String name) {
      if (!name.startsWith("net/jpountz/") || name.endsWith(".class")) {
        return super.getResource(name);
      }
      return absent ? null : super.getResource("net/jpountz/util/Native.class");
    }
  }

  private static void require(String compression) throws Exception {
    try (WithoutLibraries loader = new WithoutLibraries()) {
      require(loader, compression);
    }
  }

  private static void require(ClassLoader loader, String compression) throws Exception {
    try {
      loader
          .loadClass(Encodings.class.getName())
          .getMethod("requireLibraries", Compression.class)
          .invoke(null, Compression.valueOf(compression));
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw e;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "LZ4, at.yawk.lz4:lz4-java",
    "ZSTD, com.github.luben:zstd-jni",
    "SHUFFLE_ZSTD, com.github.luben:zstd-jni",
    "ADAPTIVE, at.yawk.lz4:lz4-java"
  })
  void isNamedWithWhatToAdd(String compression, String library) {
    Throwable refused = catchThrowable(() -> require(compression));

    assertThat(refused)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("needs the library " + library)
        .hasMessageContaining("add its jar to the class path");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void isReplacedByJavaAsOftenAsItsNativePartCannotBeLoaded(boolean absent) {
    ClassLoader loader = new WithoutNativePart(absent);
    for (int attempt = 1; attempt <= 3; attempt++) {
      assertThatCode(() -> require(loader, "LZ4"))
          .as("attempt " + attempt)
          .doesNotThrowAnyException();
    }
  }

  @Test
  void isNotMissedByAWriterThatDoesNotCompress() {
    assertThatCode(() -> require("NONE")).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({"LZ4", "ZSTD", "SHUFFLE_ZSTD", "ADAPTIVE"})
  void isHereInThisTest(Compression compression) {
    assertThatCode(() -> Encodings.requireLibraries(compression)).doesNotThrowAnyException();
  }
}
