package io.cairn.lab.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cairn.cache.memory.cuda.FakeCuda;
import io.cairn.lab.Laboratory;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kit, packed once, on a CUDA driver without a GPU. */
class GpuKitTest {
  private static final long MOST_BYTES = 30_000_000;

  /** Where the build puts libtorch for the CPU. */
  private static final String LIBTORCH = Path.of("target", "libtorch").toAbsolutePath().toString();

  @TempDir private static Path root;

  private static Path kit() {
    return root.resolve("kit");
  }

  @BeforeAll
  static void pack() throws Exception {
    assumeTrue(
        Files.isDirectory(Path.of(System.getProperty("java.home"), "jmods")),
        "this JDK has no jmods, from which the kit's runtime is linked");
    try (ChildProcess packer =
        Command.java(Laboratory.class, "gpu-kit", kit()).small(1024).withErrorsInOutput().start()) {
      List<String> output = packer.rest();
      assertThat(packer.exitStatus()).as(String.join("\n", output)).isZero();
    }
    archiveClasses();
  }

  /**
   * The packed runtime has no archive of its classes; with one, each process here starts faster.
   */
  private static void archiveClasses() throws Exception {
    String java = kit().resolve("runtime/bin/java").toString();
    assertThat(Command.of(java, "-Xshare:dump").withoutErrors().run()).isZero();
  }

  private record Run(int status, JsonNode report, List<String> output) {
    JsonNode part(String name) {
      for (JsonNode part : report.get("parts")) {
        if (part.get("part").asText().equals(name)) {
          return part;
        }
      }
      throw new AssertionError("no part " + name + " in " + report);
    }
  }

  private static Run run(String failure, String... more) throws Exception {
    return run(failure.isEmpty() ? Map.of() : Map.of("FAKECUDA_FAIL", failure), more);
  }

  /** Runs the kit with variables for the fake. */
  private static Run run(Map<String, String> fake, String... more) throws Exception {
    Path json = Files.createTempFile(root, "report", ".json");
    List<String> words = new ArrayList<>(List.of(kit().resolve("run.sh").toString(), "--small"));
    words.addAll(List.of("--output", json.toString(), "--scratch", root.toString()));
    words.addAll(List.of(more));
    Command command =
        Command.of(words.toArray(String[]::new))
            .environment("FAKECUDA_KERNELS", FakeCuda.kernels())
            .withErrorsInOutput();
    fake.forEach(command::environment);
    try (ChildProcess script = command.start()) {
      List<String> output = script.rest();
      return new Run(script.exitStatus(), new ObjectMapper().readTree(json.toFile()), output);
    }
  }

  @Test
  void theArchiveIsSmall() throws IOException {
    assertThat(Files.size(root.resolve("kit.tar.gz"))).isLessThan(MOST_BYTES);
  }

  @Test
  @Tag("proof")
  void allPartsPassOnTheFakeThatTheyAskAbout() throws Exception {
    Run run = run("", "--library", FakeCuda.library(), "--torch", LIBTORCH);

    assertThat(run.part("shim").get("state").asText()).isEqualTo("skipped");
    assertThat(run.report().get("parts"))
        .hasSize(9)
        .filteredOn(part -> !part.get("part").asText().equals("shim"))
        .allSatisfy(
            part ->
                assertThat(part.get("state").asText())
                    .as(String.join("\n", run.output()) + part.get("log").toPrettyString())
                    .isEqualTo("passed"));
    assertThat(run.status()).isZero();
    assertThat(run.report().get("passed").asBoolean()).isTrue();
    assertThat(run.report().get("gpu").asText()).isEqualTo("Fake GPU 0");
    assertThat(run.report().get("driver").asText()).endsWith("CUDA 12.4");
    assertThat(run.part("questions").get("answers"))
        .hasSizeGreaterThan(30)
        .allSatisfy(answer -> assertThat(answer.get("agrees").asBoolean()).isTrue());
  }

  @Test
  void aTrainingWithLibtorchIsKilledAndResumed() throws Exception {
    assumeTrue(System.getProperty("os.arch").equals("amd64"), "the build's libtorch is of x86-64");
    Run run =
        run("", "--library", FakeCuda.library(), "--torch", LIBTORCH, "--parts", "torch,shim");

    JsonNode torch = run.part("torch");
    assertThat(torch.get("state").asText()).as(torch.toPrettyString()).isEqualTo("passed");
    assertThat(torch.get("answers"))
        .extracting(answer -> answer.get("seen").asText())
        .anyMatch(seen -> seen.matches("\\d+ from NODE"));
    assertThat(torch.get("figures"))
        .extracting(figure -> figure.get("name").asText())
        .contains("state", "stall of an iteration, p99", "overhead of captures");
    assertThat(run.part("shim").get("reason").asText()).contains(LIBTORCH, "no headers");
    assertThat(run.status()).isZero();
  }

  @Test
  void aLibtorchThatIsAbsentOrTooOldIsReported() throws Exception {
    Path old = Files.createDirectories(root.resolve("old"));
    Files.writeString(old.resolve("libtorch_cpu.so"), "no library");
    String absent = root.resolve("absent").toString();

    Run without = run("", "--library", FakeCuda.library(), "--torch", absent, "--parts", "torch");
    Run with =
        run("", "--library", FakeCuda.library(), "--torch", old.toString(), "--parts", "torch");

    assertThat(without.status()).isEqualTo(1);
    assertThat(without.part("torch").get("reason").asText()).contains(absent, "libtorch_cpu.so");
    assertThat(with.status()).isZero();
    assertThat(with.part("torch").get("state").asText()).isEqualTo("skipped");
    assertThat(with.part("torch").get("reason").asText()).contains(old.toString(), "2.10");
  }

  @Test
  void aCallThatFailsIsReported() throws Exception {
    Run run = run("cuMemGetInfo_v2:1:719", "--library", FakeCuda.library(), "--parts", "questions");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.report().get("passed").asBoolean()).isFalse();
    assertThat(run.part("machine").get("state").asText()).isEqualTo("failed");
    assertThat(run.part("machine").get("reason").asText())
        .contains("cuMemGetInfo_v2 failed", "CUDA_ERROR_LAUNCH_FAILED (719)");
    assertThat(run.part("questions").get("state").asText()).isEqualTo("skipped");
  }

  @Test
  void aPartThatFailsLeavesTheOthersAlone() throws Exception {
    Run run =
        run(
            "cuIpcGetMemHandle:1:801",
            "--library",
            FakeCuda.library(),
            "--parts",
            "ipc,kernels,benchmark");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.part("kernels").get("state").asText()).isEqualTo("passed");
    assertThat(run.part("ipc").get("state").asText()).isEqualTo("failed");
    assertThat(run.part("ipc").get("log")).isNotEmpty();
    assertThat(run.part("benchmark").get("state").asText()).isEqualTo("passed");
    assertThat(run.part("benchmark").get("log"))
        .as("the warning of a part that passes")
        .hasSize(1)
        .allSatisfy(
            line ->
                assertThat(line.asText())
                    .contains("WARN", "shares no memory with other processes"));
    assertThat(run.part("kernels").get("log")).isEmpty();
    assertThat(run.part("loop").get("state").asText()).isEqualTo("skipped");
  }

  @Test
  void aLoopWhoseCheckpointFailsDoesNotPass() throws Exception {
    Run run = run("cuMemcpyDtoHAsync_v2:5:1", "--library", FakeCuda.library(), "--parts", "loop");

    JsonNode loop = run.part("loop");
    assertThat(loop.get("state").asText()).as(loop.toPrettyString()).isEqualTo("failed");
    assertThat(loop.get("reason").asText() + loop.get("log")).contains("checkpoint ");
    assertThat(run.status()).isEqualTo(1);
  }

  /** The driver returns when it has read what a process uploads, and writes it a little later. */
  @Test
  void kernelsReadWhatWasUploaded() throws Exception {
    Run run =
        run(
            Map.of("FAKECUDA_DELAYS", "20000"),
            "--library",
            FakeCuda.library(),
            "--parts",
            "kernels");

    JsonNode kernels = run.part("kernels");
    assertThat(kernels.get("state").asText()).as(kernels.toPrettyString()).isEqualTo("passed");
  }

  @Test
  void kernelsThatEndAtOnceAnswerNoQuestionAboutStalls() throws Exception {
    Path source = root.resolve("kernels.c");
    Files.writeString(
        source, "int cairn_launch(const char *entry, ...) { return entry[0] == 0; }\n");
    String library = root.resolve("libkernels.so").toString();
    assertThat(
            Command.of("cc", "-shared", "-fPIC", "-o", library, source.toString())
                .withoutErrors()
                .run())
        .isZero();

    Run run =
        run(
            Map.of("FAKECUDA_KERNELS", library),
            "--library",
            FakeCuda.library(),
            "--parts",
            "questions");

    JsonNode questions = run.part("questions");
    assertThat(questions.get("answers"))
        .isNotEmpty()
        .noneMatch(answer -> answer.get("question").asText().startsWith("stall: "));
    assertThat(questions.get("log").toString()).contains("stalls: no kernel ran");
    assertThat(questions.get("state").asText()).isEqualTo("failed");
  }

  @Test
  void anAnswerThatDiffersIsReported() throws Exception {
    Run run =
        run("cuIpcCloseMemHandle:1:1", "--library", FakeCuda.library(), "--parts", "questions");

    assertThat(run.status()).isZero();
    assertThat(run.part("questions").get("answers"))
        .filteredOn(answer -> !answer.get("agrees").asBoolean())
        .extracting(answer -> answer.get("seen").asText())
        .isNotEmpty()
        .containsOnly("CUDA_ERROR_INVALID_VALUE (1)");
    assertThat(run.output()).anyMatch(line -> line.contains("close: CUDA_ERROR_INVALID_VALUE (1)"));
  }

  @Test
  void aProcessThatCrashesIsReported() throws Exception {
    Run run = run("no failure that the fake knows", "--library", FakeCuda.library());

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.part("machine").get("reason").asText()).contains("status 134");
  }

  @Test
  void aRuntimeThatDoesNotStartIsReported() throws Exception {
    Path broken = Files.createDirectories(root.resolve("broken"));
    Path json = broken.resolve("report.json");
    Path script = Files.copy(kit().resolve("run.sh"), broken.resolve("run.sh"));
    try (ChildProcess run =
        Command.of(script.toString(), "--output", json.toString()).withErrorsInOutput().start()) {
      run.rest();
      assertThat(run.exitStatus()).isEqualTo(1);
    }
    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertThat(report.get("passed").asBoolean()).isFalse();
    assertThat(report.get("reason").asText()).contains("the runtime does not start");
  }

  @Test
  void aMachineWithoutADriverIsReported() throws Exception {
    Run run = run("", "--library", "/absent/libcuda.so.1");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.part("machine").get("reason").asText())
        .contains("/absent/libcuda.so.1")
        .doesNotContain(".jar");
  }
}
