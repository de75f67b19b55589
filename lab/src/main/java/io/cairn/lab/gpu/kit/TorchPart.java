package io.cairn.lab.gpu.kit;

import java.util.Optional;

/** A training by libtorch's stable C functions; nothing is compiled. */
final class TorchPart implements KitPart.Program {
  /** Why a part was skipped that needs libtorch. */
  static final String NONE =
      "no libtorch: install PyTorch 2.10 or later for python3, or name its libraries by --torch";

  @Override
  public void run(KitOptions options, Findings findings) throws Exception {
    Optional<Libtorch> torch = Libtorch.find(options);
    if (torch.isEmpty()) {
      findings.skip(NONE);
      return;
    }
    TorchTrial.of(options, findings, torch.get(), "").run();
  }
}
