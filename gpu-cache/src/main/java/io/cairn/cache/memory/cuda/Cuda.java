package io.cairn.cache.memory.cuda;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether CUDA can be used in this process. Needs neither JNA nor a driver by itself. */
public final class Cuda {
  private Cuda() {}

  /**
   * Why CUDA is off, in one line; empty if a {@link CudaDevice} can be opened on one GPU or more.
   * Loads and starts the driver.
   *
   * @param library the driver's, such as {@link CudaOptions#LIBRARY}
   */
  public static Optional<String> whyOff(String library) {
    try {
      int devices = driver(library).devices();
      return devices > 0 ? Optional.empty() : Optional.of(library + " finds no GPU");
    } catch (CudaException e) {
      return Optional.of(reason(e));
    }
  }

  /** The driver; throws {@link CudaException} with the reason if there is none, or no JNA. */
  static Driver driver(String library) throws CudaException {
    if (Jna.FAILURE != null) {
      throw CudaException.unusable(Jna.FAILURE);
    }
    return Driver.load(library);
  }

  /** The start of JNA, once for the process: a second attempt would fail for another reason. */
  private static final class Jna {
    static final @Nullable String FAILURE = failure();

    private static @Nullable String failure() {
      try {
        Class.forName("com.sun.jna.Native");
        return null;
      } catch (ClassNotFoundException e) {
        return "CUDA needs net.java.dev.jna:jna 4.3.0 or later on the class path (%s)"
            .formatted(reason(e));
      } catch (LinkageError e) {
        return "JNA cannot load its library (%s); let java.io.tmpdir name a directory that may hold"
                .formatted(reason(e))
            + " programs";
      }
    }
  }

  private static String reason(Throwable e) {
    return String.valueOf(e.getMessage());
  }
}
