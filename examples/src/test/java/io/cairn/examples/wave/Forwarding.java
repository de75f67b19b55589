package io.cairn.examples.wave;

import io.cairn.core.session.Region;
import io.cairn.engine.adjoint.AdjointProgram;
import java.util.List;

/** A migration that is watched. */
abstract class Forwarding implements AdjointProgram {
  private final Migration migration;

  Forwarding(Migration migration) {
    this.migration = migration;
  }

  abstract void called();

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
  public void step(long step) {
    migration.step(step);
    called();
  }

  @Override
  public void reverse(long step) {
    migration.reverse(step);
    called();
  }
}
