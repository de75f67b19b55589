package io.cairn.lab.gpu.kit;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A libtorch on this machine, as wheels of Python and archives of C++ have it.
 *
 * @param directory of its libraries
 */
record Libtorch(Path directory) {
  private static final String CPU = "libtorch_cpu.so";
  private static final String CUDA = "libtorch_cuda.so";
  private static final String WHERE =
      "import importlib.util as u; s = u.find_spec('torch');"
          + " print('torch ' + (s.submodule_search_locations[0] if s else ''))";
  private static final Pattern VERSION = Pattern.compile("(?m)^__version__ = '(.+)'$");

  /**
   * Looks at the option, then asks {@code python3}, then looks in {@code LD_LIBRARY_PATH}.
   *
   * @return empty if there is none
   * @throws IOException if the option names a directory without one
   */
  static Optional<Libtorch> find(KitOptions options) throws IOException {
    if (!options.torch().isEmpty()) {
      Path given = Path.of(options.torch());
      if (!isHere(given)) {
        throw new IOException("--torch " + given + " has no " + CPU + "; name its directory");
      }
      return Optional.of(new Libtorch(given));
    }
    List<Path> places = new ArrayList<>();
    ofPython().ifPresent(places::add);
    String path = Optional.ofNullable(System.getenv("LD_LIBRARY_PATH")).orElse("");
    for (String place : path.split(File.pathSeparator, -1)) {
      places.add(Path.of(place));
    }
    return places.stream().filter(Libtorch::isHere).findFirst().map(Libtorch::new);
  }

  private static boolean isHere(Path place) {
    return Files.isRegularFile(place.resolve(CPU));
  }

  private static Optional<Path> ofPython() {
    try (ChildProcess python = Command.of("python3", "-c", WHERE).withErrorsInOutput().start()) {
      String home = python.await("torch ");
      return home.isEmpty() ? Optional.empty() : Optional.of(Path.of(home, "lib"));
    } catch (IOException e) {
      return Optional.empty(); // no Python, or one that says nothing
    }
  }

  /** Its version, as a wheel notes it beside the libraries. */
  String version() throws IOException {
    Path noted = directory.resolveSibling("version.py");
    if (Files.exists(noted)) {
      Matcher version = VERSION.matcher(Files.readString(noted));
      if (version.find()) {
        return version.group(1);
      }
    }
    return "unknown";
  }

  /** Whether it computes on GPUs of NVIDIA. */
  boolean hasCuda() {
    return Files.isRegularFile(directory.resolve(CUDA));
  }

  /** Its headers; empty if it has none. */
  Optional<Path> headers() {
    Path include = directory.resolveSibling("include");
    return Files.isDirectory(include) ? Optional.of(include) : Optional.empty();
  }

  /** The paths of its libraries, in the order in which they are loaded. */
  List<Path> libraries() {
    List<Path> libraries = new ArrayList<>();
    libraries.add(directory.resolve("libc10.so"));
    libraries.add(directory.resolve(CPU));
    if (hasCuda()) {
      libraries.add(directory.resolve(CUDA));
    }
    return libraries;
  }
}
