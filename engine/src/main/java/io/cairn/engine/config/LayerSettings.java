package io.cairn.engine.config;

import io.cairn.Level;
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
        given.get(Setting.LAYERS.at(Level.NODE)), given.get(Setting.LAYERS.at(Level.STORE)));
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
