package io.cairn.lab.gpu.kit;

import java.util.Arrays;
import java.util.List;

/** The process of one part: prints its findings, and at last the reason if it fails. */
final class PartProcess {
  /** Exit status of a part that failed, and said why. */
  static final int FAILED = 1;

  private PartProcess() {}

  public static void main(String[] args) {
    List<String> words = Arrays.asList(args);
    KitOptions options = KitOptions.parse(words.subList(1, words.size()));
    Findings findings = new Findings(System.out, !options.small());
    int status = 0;
    try {
      run(KitPart.valueOf(words.get(0)), options, findings);
    } catch (Throwable e) {
      // a driver or a JVM without what a class needs fails by errors, and all belongs in the report
      e.printStackTrace(System.out);
      findings.say(e.toString().lines().findFirst().orElse("without a reason"));
      status = FAILED;
    }
    System.out.flush();
    Runtime.getRuntime().halt(status); // threads of a driver that hangs do not keep it
  }

  private static void run(KitPart part, KitOptions options, Findings findings) throws Exception {
    KitPart.Program program;
    try {
      program = part.program();
    } catch (ClassNotFoundException e) {
      findings.skip("the kit was packed without " + e.getMessage());
      return;
    }
    program.run(options, findings);
  }
}
