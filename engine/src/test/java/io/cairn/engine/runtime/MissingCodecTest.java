package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Checkpointer;
import io.cairn.Compression;
import io.cairn.Level;
import io.cairn.Region;
import io.cairn.RegionOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program that asks for a compression whose library is absent. */
@Timeout(60)
class MissingCodecTest {
  @TempDir Path root;

  /** Protects two regions; the error for the first one, and the outcome of a checkpoint. */
  public static final class Program implements Function<Path, List<String>> {
    /** Made by its name. */
    public Program() {}

    @Override
    public List<String> apply(Path root) {
      try (CairnEngine cairn = new Places(root).open();
          Checkpointer checkpointer = cairn.join("run")) {
        checkpointer.protect(
            Region.of("plain", new float[100]),
            RegionOptions.DEFAULT.withCompression(Compression.NONE));
        String refusal = refusal(checkpointer);
        return List.of(refusal, checkpointer.checkpoint(0).sealed(Level.STORE).join().toString());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static String refusal(Checkpointer checkpointer) {
      try {
        checkpointer.protect(
            Region.of("weights", new float[100]),
            RegionOptions.DEFAULT.withCompression(Compression.ZSTD));
        return "";
      } catch (IllegalArgumentException e) {
        return String.valueOf(e.getMessage());
      }
    }
  }

  /** Loads Cairn anew, and no class of zstd. */
  private static final class WithoutZstd extends ClassLoader {
    WithoutZstd() {
      super(CairnEngine.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("com.github.luben.")) {
        throw new ClassNotFoundException(name);
      }
      if (!name.startsWith("io.cairn.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        return known == null ? define(name) : known;
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (file == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = file.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  /** Otherwise no checkpoint would leave the device cache. */
  @Test
  void isRefusedWithTheRemedyAndOtherRegionsAreSaved() throws Exception {
    @SuppressWarnings("unchecked") // the program is made anew, and has only classes of the JDK
    Function<Path, List<String>> program =
        (Function<Path, List<String>>)
            new WithoutZstd()
                .loadClass(Program.class.getName())
                .getDeclaredConstructor()
                .newInstance();

    List<String> results = program.apply(root);

    assertThat(results.get(0))
        .contains("region weights is to be compressed by zstd")
        .contains("needs the library com.github.luben:zstd-jni")
        .contains("add its jar to the class path")
        .contains("ask for another compression");
    assertThat(results.get(1)).isEqualTo("Sealed[level=STORE]");
  }
}
