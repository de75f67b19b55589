package io.cairn.engine.promotion;

import io.cairn.Level;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.MemberMessage.GaveUp.Why;
import java.util.List;
import java.util.Optional;

/** Takes no report: a writer reports nothing. */
final class SilentReporter implements RankReporter {
  @Override
  public void held(Level level, List<ContainerSummary> containers) {}

  @Override
  public void gaveUp(Level level, Why why, String reason) {}

  @Override
  public boolean leftOut(Level level) {
    return false;
  }

  @Override
  public void makeLast() {}

  @Override
  public boolean isLast() {
    return false;
  }

  @Override
  public boolean again(Level level) {
    return false;
  }

  @Override
  public boolean askedMeanwhile(Level level) {
    return false;
  }

  @Override
  public boolean writesAgain(Level level) {
    return false;
  }

  @Override
  public Optional<String> unclaimed() {
    return Optional.empty();
  }

  @Override
  public void fenced(String reason) {}

  @Override
  public boolean isSettled(Level level) {
    return false;
  }

  @Override
  public boolean isGivenUp(Level level) {
    return false;
  }
}
