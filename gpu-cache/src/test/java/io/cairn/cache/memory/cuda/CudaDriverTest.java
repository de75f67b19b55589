package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.Pointer;
import com.sun.jna.ptr.ByReference;
import io.cairn.process.ChildProcess;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The binding: its signatures, and drivers and libraries that are missing or old. */
class CudaDriverTest {
  private static final Path CUDA_HEADERS = Path.of("/usr/local/cuda/include");
  private static final Pattern FUNCTION =
      Pattern.compile("^CUresult (cu\\w+)\\(\\s*([^)]*)\\) \\{", Pattern.MULTILINE);

  @TempDir private Path directory;

  /** How each parameter of a call is passed: in 4 bytes, in 8 bytes, or as a structure. */
  private static String passing(String parameter) {
    if (parameter.contains("*")
        || parameter.matches(
            "(CUdeviceptr|size_t|CU(context|stream|event|module|function))\\b.*")) {
      return "8";
    } else if (parameter.startsWith("CUipcMemHandle")) {
      return "structure";
    } else if (parameter.matches("(unsigned int|int|CUdevice|CUdevice_attribute|CUresult) .*")) {
      return "4";
    } else if (parameter.startsWith("unsigned char ")) {
      return "1";
    }
    throw new IllegalArgumentException(parameter);
  }

  private static String passing(Class<?> type) {
    if (type == byte.class) {
      return "1";
    } else if (type == int.class) {
      return "4";
    } else if (type == DriverCalls.IpcHandle.class) {
      return "structure";
    } else if (type == long.class
        || type == String.class
        || type.isArray()
        || Pointer.class.isAssignableFrom(type)
        || ByReference.class.isAssignableFrom(type)) {
      return "8";
    }
    throw new IllegalArgumentException(type.getName());
  }

  private static Map<String, List<String>> functionsOfTheFake() throws Exception {
    Map<String, List<String>> found = new TreeMap<>();
    for (Path source : FakeCuda.sources()) {
      Matcher matcher = FUNCTION.matcher(Files.readString(source));
      while (matcher.find()) {
        String[] parameters = matcher.group(2).split(",\\s*", -1);
        found.put(matcher.group(1), Stream.of(parameters).map(CudaDriverTest::passing).toList());
      }
    }
    return found;
  }

  @Test
  void everyCallPassesWhatTheFakeTakes() throws Exception {
    Map<String, List<String>> functions = functionsOfTheFake();
    List<Method> calls = new ArrayList<>(List.of(DriverCalls.class.getDeclaredMethods()));
    calls.addAll(List.of(MigCalls.class.getDeclaredMethods()));
    int compared = 0;
    for (Method call : calls) {
      if (Modifier.isNative(call.getModifiers())) {
        List<String> passed =
            Stream.of(call.getParameterTypes()).map(CudaDriverTest::passing).toList();
        assertThat(functions).as("functions of the fake").containsKey(call.getName());
        assertThat(passed).as(call.getName()).isEqualTo(functions.get(call.getName()));
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(30);
  }

  @Test
  void theFakeTakesWhatTheDriverTakes() throws Exception {
    assumeTrue(
        Files.exists(CUDA_HEADERS.resolve("cuda.h")), "there is no cuda.h in " + CUDA_HEADERS);
    List<String> words =
        new ArrayList<>(List.of("-fsyntax-only", "-DFAKECUDA_CHECK", "-I" + CUDA_HEADERS));
    FakeCuda.sources().forEach(source -> words.add(source.toString()));
    FakeCuda.compile(words);
  }

  private static String whyOff(String library) throws Exception {
    try (ChildProcess process = CudaProcess.command("why", library).start()) {
      String reason = process.await("off ");
      assertThat(process.exitStatus()).isZero();
      return reason;
    }
  }

  @Test
  void isOnWithADriverAndAGpu() {
    FakeCuda.reset();
    assertThat(Cuda.whyOff(FakeCuda.LIBRARY)).isEmpty();
  }

  @Test
  void anotherLibraryIsRefusedOnceOneIsLoaded() {
    FakeCuda.reset();
    assertThat(Cuda.whyOff(FakeCuda.LIBRARY)).isEmpty();
    assertThat(Cuda.whyOff("/other/libcuda.so.1"))
        .contains(
            "/other/libcuda.so.1 is not loaded, since this process uses %s; name one library"
                .formatted(FakeCuda.LIBRARY));
  }

  @Test
  void aMissingDriverIsNamed() throws Exception {
    String missing = directory.resolve("libcuda.so.1").toString();
    assertThat(whyOff(missing))
        .startsWith("no CUDA driver: " + missing + " cannot be loaded")
        .doesNotContain(".jar")
        .endsWith("install NVIDIA's driver, or name its library");
  }

  @Test
  void aCallThatTheDriverLacksIsNamed() throws Exception {
    Path old =
        FakeCuda.build("old", List.of("-DcuIpcCloseMemHandle=unknown_call"), FakeCuda.sources());
    assertThat(whyOff(old.toString()))
        .startsWith("the CUDA driver " + old + " is too old")
        .contains("cuIpcCloseMemHandle")
        .endsWith("install one for CUDA 11 or later");
  }

  @Test
  void aDriverWithoutTheNewerCallsIsUsed() throws Exception {
    Path older = FakeCuda.build("older", List.of("-DFAKECUDA_WITHOUT_UUID_V2"), FakeCuda.sources());
    assertThat(whyOff(older.toString())).isEqualTo("no");
    try (ChildProcess owner = CudaProcess.command("own", older, directory).start()) {
      assertThat(owner.await("handle ")).contains("cacacacacacacaca");
    }
  }

  @Test
  void aMissingJnaIsNamed() throws Exception {
    try (ChildProcess process =
        CudaProcess.commandWithJna(List.of(), "why", FakeCuda.LIBRARY).start()) {
      assertThat(process.await("off "))
          .startsWith("CUDA needs net.java.dev.jna:jna 4.3.0 or later on the class path");
      assertThat(process.exitStatus()).isZero();
    }
  }

  /** JNA does not start where it may not unpack its library, and its second failure differs. */
  @Test
  void aJnaThatDoesNotStartIsNamedEachTime() throws Exception {
    Path nowhere = Files.createFile(directory.resolve("file")).resolve("missing");
    try (ChildProcess process =
        CudaProcess.command("why", FakeCuda.LIBRARY)
            .options("-Djna.tmpdir=" + nowhere, "-Djna.nosys=true")
            .start()) {
      String first = process.await("off ");
      assertThat(first).startsWith("JNA cannot load its library").contains("java.io.tmpdir");
      assertThat(process.await("again ")).isEqualTo(first);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 214, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 999})
  void errorsThatLastAreKnown(int code) {
    assertThat(new CudaException("cuEventQuery", code, "NAME", "text").isSticky()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 100, 101, 201, 205, 208, 400, 600, 801})
  void errorsOfOneCallAreKnown(int code) {
    assertThat(new CudaException("cuMemAlloc", code, "NAME", "text").isSticky()).isFalse();
  }
}
