package io.cairn.lab.gpu.kit;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** The parts of a run, in their order. A part is named by its class, which may be absent. */
enum KitPart {
  MACHINE("MachinePart", 2),
  QUESTIONS("QuestionsPart", 4),
  CONTRACTS("ContractsPart", 5),
  KERNELS("KernelsPart", 5),
  IPC("IpcPart", 4),
  LOOP("LoopPart", 10),
  BENCHMARK("BenchmarkPart", 8),
  TORCH("TorchPart", 5),
  SHIM("ShimPart", 6);

  private final String program;
  private final Duration deadline;

  KitPart(String program, int minutes) {
    this.program = program;
    deadline = Duration.ofMinutes(minutes);
  }

  /** How long it may take on any machine. */
  Duration deadline() {
    return deadline;
  }

  /** As options and reports name it. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Its program.
   *
   * @throws ClassNotFoundException if the kit was packed without it
   */
  Program program() throws ReflectiveOperationException {
    return Class.forName(KitPart.class.getPackageName() + "." + program)
        .asSubclass(Program.class)
        .getDeclaredConstructor()
        .newInstance();
  }

  /** The parts of a list such as {@code questions,kernels}, and the machine's. */
  static Set<KitPart> named(String list) {
    EnumSet<KitPart> parts = EnumSet.of(MACHINE);
    for (String label : list.split(",", -1)) {
      parts.add(valueOf(label.strip().toUpperCase(Locale.ROOT)));
    }
    return parts;
  }

  /** The work of one part, in a process of its own. */
  interface Program {
    /** Reports findings as it has them; fails by throwing. */
    void run(KitOptions options, Findings findings) throws Exception;
  }
}
