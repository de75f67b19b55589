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
    return CairnEngine.open(CairnConfig.of(settings));
  }

  @Override
  public Cairn current() {
    return ProcessInstance.get();
  }
}
