package io.cairn.examples.wave;

import io.cairn.Region;
import io.cairn.adjoint.AdjointProgram;
import java.util.List;

/** A migration that reports each of its calls. */
final class Watched implements AdjointProgram {
  /** Receives how far the migration is, on its thread. */
  interface Listener {
    /**
     * A call has returned.
     *
     * @param phase forward or backward
     */
    void at(String phase, long step);
  }

  private final Migration migration;
  private final Listener listener;

  Watched(Migration migration, Listener listener) {
    this.migration = migration;
    this.listener = listener;
  }

  @Override
  public List<Region> restart() {
    return migration.restart();
  }

  @Override
  public List<Region> read() {
    return migration.read();
  }

  @Override
  public long readBytes(String region) {
    return migration.readBytes(region);
  }

  @Override
  public List<Region> adjoint() {
    return migration.adjoint();
  }

  @Override
  public void restored() {
    migration.restored();
  }

  @Override
  public long least(long mine) {
    return migration.least(mine);
  }

  @Override
  public void step(long step) {
    migration.step(step);
    listener.at("forward", step);
  }

  @Override
  public void reverse(long step) {
    migration.reverse(step);
    listener.at("backward", step);
  }
}
