package io.cairn.engine.config;

import io.cairn.core.model.ContainerSummary;
import io.cairn.flush.format.Leaning;
import java.io.IOException;

/**
 * How many older checkpoints one may lean on for chunks that did not change.
 *
 * @param node at NODE; 0 writes every checkpoint whole
 * @param store at STORE, likewise
 */
public record LayerSettings(int node, int store) {
  static LayerSettings of(SettingValues given) {
    return new LayerSettings(
        layers(given, Setting.NODE_LAYERS), layers(given, Setting.STORE_LAYERS));
  }

  private static int layers(SettingValues given, Setting setting) {
    long layers = given.number(setting);
    if (layers < 0 || layers > ContainerSummary.MAX_HOLDERS) {
      throw given.illegal(setting, "0 to " + ContainerSummary.MAX_HOLDERS);
    }
    return (int) layers;
  }

  /**
   * Loads the library of hashes if it is needed.
   *
   * @throws IOException if it is absent; the message names it
   */
  public void requireLibrary() throws IOException {
    if (node > 0 || store > 0) {
      Leaning.requireLibrary();
    }
  }
}
