package io.cairn.engine.session;

import io.cairn.Level;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.MemberMessage.GaveUp.Why;
import io.cairn.engine.promotion.RankReporter;
import java.util.List;
import java.util.Optional;

/** Passes a checkpoint's outcomes on, and remembers whether any level holds it. Thread-safe. */
final class Witness implements RankReporter {
  private final RankReporter reporter;
  private volatile boolean held;
  private volatile String reason = "no level took it";

  Witness(RankReporter reporter) {
    this.reporter = reporter;
  }

  /** Whether a level holds it. */
  boolean held() {
    return held;
  }

  /** The last reason why a level does not hold it. */
  String reason() {
    return reason;
  }

  @Override
  public void held(Level level, List<ContainerSummary> containers) {
    held = true;
    reporter.held(level, containers);
  }

  @Override
  public void gaveUp(Level level, Why kind, String why) {
    reason = level + ": " + why;
    reporter.gaveUp(level, kind, why);
  }

  @Override
  public boolean leftOut(Level level) {
    return reporter.leftOut(level);
  }

  @Override
  public void makeLast() {
    reporter.makeLast();
  }

  @Override
  public boolean isLast() {
    return reporter.isLast();
  }

  @Override
  public boolean again(Level level) {
    return reporter.again(level);
  }

  @Override
  public Optional<String> unclaimed() {
    return reporter.unclaimed();
  }

  @Override
  public void fenced(String why) {
    reason = why;
    reporter.fenced(why);
  }

  @Override
  public boolean isSettled(Level level) {
    return reporter.isSettled(level);
  }

  @Override
  public boolean isGivenUp(Level level) {
    return reporter.isGivenUp(level);
  }
}
