package io.cairn.examples.demo;

import io.cairn.examples.digits.FoldTraining;
import java.util.ArrayList;
import java.util.List;

/** Turns a timeline into what the lineage picture shows. */
final class Histories {
  private final Timeline timeline;
  private final List<Blows.Kill> kills;
  private final long startMillis;

  Histories(Timeline timeline, List<Blows.Kill> kills) {
    this.timeline = timeline;
    this.kills = kills;
    long first = Long.MAX_VALUE;
    for (int fold = 0; fold < FoldTraining.FOLDS; fold++) {
      for (Attempt attempt : timeline.attempts(fold)) {
        first = Math.min(first, attempt.startMillis());
      }
    }
    this.startMillis = first;
  }

  List<FoldHistory> all() {
    List<FoldHistory> histories = new ArrayList<>();
    for (int fold = 0; fold < FoldTraining.FOLDS; fold++) {
      histories.add(of(fold));
    }
    return histories;
  }

  private FoldHistory of(int fold) {
    List<FoldHistory.Attempt> lines = new ArrayList<>();
    List<FoldHistory.Checkpoint> checkpoints = new ArrayList<>();
    List<FoldHistory.Resume> resumes = new ArrayList<>();
    for (Attempt attempt : timeline.attempts(fold)) {
      List<FoldHistory.Point> points = new ArrayList<>();
      for (FoldEvent.At at : attempt.events()) {
        double seconds = seconds(at.millis());
        if (at.event() instanceof FoldEvent.Step step) {
          points.add(new FoldHistory.Point(seconds, step.iterations()));
        } else if (at.event() instanceof FoldEvent.Sealed seal) {
          checkpoints.add(new FoldHistory.Checkpoint(seconds, seal.iteration(), seal.level()));
        } else if (at.event() instanceof FoldEvent.Resumed from) {
          resumes.add(new FoldHistory.Resume(seconds, from.level(), from.iteration()));
        }
      }
      if (attempt.epoch() > 0) {
        lines.add(new FoldHistory.Attempt(attempt.epoch(), points));
      }
    }
    return new FoldHistory("fold-" + fold, lines, checkpoints, kills(fold), resumes);
  }

  /** The blows that hit one of the fold's attempts while it ran. */
  private List<FoldHistory.Kill> kills(int fold) {
    List<FoldHistory.Kill> hits = new ArrayList<>();
    for (Blows.Kill kill : kills) {
      timeline.attempts(fold).stream()
          .filter(attempt -> attempt.done().isEmpty() && attempt.startMillis() < kill.millis())
          .filter(attempt -> kill.target().equals("machine") || attempt.pid() == kill.pid())
          .filter(attempt -> isLastBefore(attempt, kill))
          .map(
              attempt ->
                  new FoldHistory.Kill(
                      seconds(kill.millis()), kill.target(), kill.pid(), attempt.iterations()))
          .forEach(hits::add);
    }
    return hits;
  }

  private boolean isLastBefore(Attempt attempt, Blows.Kill kill) {
    return timeline.attempts(attempt.fold()).stream()
        .filter(other -> other.startMillis() < kill.millis())
        .allMatch(other -> other.startMillis() <= attempt.startMillis());
  }

  private double seconds(long millis) {
    return (millis - startMillis) / 1000.0;
  }
}
