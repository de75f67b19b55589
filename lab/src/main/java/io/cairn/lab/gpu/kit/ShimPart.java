package io.cairn.lab.gpu.kit;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A training with autograd, batch norm and dropout, behind a shim that is compiled here. */
final class ShimPart implements KitPart.Program {
  private static final String SOURCE = "shim.cpp";
  private static final String COMPILER = "c++";

  @Override
  public void run(KitOptions options, Findings findings) throws Exception {
    Optional<Libtorch> torch = Libtorch.find(options);
    if (torch.isEmpty()) {
      findings.skip(TorchPart.NONE);
      return;
    }
    Optional<Path> headers = torch.get().headers();
    if (headers.isEmpty()) {
      findings.skip("the libtorch in " + torch.get().directory() + " has no headers beside it");
    } else if (!isOnPath(COMPILER)) {
      findings.skip("no C++ compiler: " + COMPILER + " is not on the path");
    } else {
      long began = System.nanoTime();
      Path shim = compile(options, findings, torch.get(), headers.get());
      findings.figure("compilation of the shim", (System.nanoTime() - began) / 1e9, "s");
      TorchTrial.of(options, findings, torch.get(), shim.toString()).run();
    }
  }

  private static boolean isOnPath(String program) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Arrays.stream(path.split(File.pathSeparator, -1))
        .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }

  private static Path compile(KitOptions options, Findings findings, Libtorch torch, Path headers)
      throws IOException, InterruptedException {
    Path source = options.scratch().resolve(SOURCE);
    try (InputStream text = ShimPart.class.getResourceAsStream(SOURCE)) {
      if (text == null) {
        throw new IOException("the kit lacks " + SOURCE + "; pack it again");
      }
      Files.copy(text, source);
    }
    Path shim = options.scratch().resolve("libshim.so");
    Path log = options.scratch().resolve("compiler.log");
    List<String> words =
        List.of(
            COMPILER,
            "-O1",
            "-w",
            "-shared",
            "-fPIC",
            "-std=c++17",
            "-I" + headers,
            "-I" + headers.resolve("torch/csrc/api/include"),
            source.toString(),
            "-o",
            shim.toString(),
            "-L" + torch.directory(),
            "-ltorch",
            "-ltorch_cpu",
            "-lc10",
            "-Wl,-rpath," + torch.directory());
    Command command = Command.of(words.toArray(String[]::new)).withErrorsInOutput().outputTo(log);
    try (ChildProcess compiler = command.start()) {
      if (!compiler.waitFor(TorchTrial.PATIENCE) || compiler.exitStatus() != 0) {
        Files.readAllLines(log).forEach(findings::say);
        throw new IOException(
            "the C++ compiler did not make the shim; the log above has its reasons");
      }
    }
    return shim;
  }
}
