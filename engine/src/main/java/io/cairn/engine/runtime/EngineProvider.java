package io.cairn.engine.runtime;

import io.cairn.Cairn;
import io.cairn.CairnProvider;
import io.cairn.engine.config.CairnConfig;
import java.io.IOException;
import java.util.Map;

/** The engine as the service that {@link Cairn} finds. */
public final class EngineProvider implements CairnProvider {
  /** Made by the service loader. */
  public EngineProvider() {}

  @Override
  public Cairn open(Map<String, String> settings) throws IOException {
    CairnConfig config = CairnConfig.of(settings);
    if (config.peer().on() && config.coordinator().isEmpty()) {
      throw new IllegalArgumentException(
          "setting peer needs other machines, and this process knows none: set coordinator to the"
              + " address at which the processes of the job meet");
    }
    return CairnEngine.open(config);
  }

  @Override
  public Cairn current() {
    return ProcessInstance.get();
  }
}
