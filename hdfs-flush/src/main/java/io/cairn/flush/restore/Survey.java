package io.cairn.flush.restore;

import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Level;
import io.cairn.core.model.Member;
import io.cairn.core.protocol.Lineage;
import io.cairn.core.session.RestoreReport.Attempt;
import io.cairn.flush.restore.Plan.Choice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Puts together what all sources say of one group. A checkpoint counts if the sources together have
 * every rank's data, and if it is alive among those that have.
 */
final class Survey {
  private final Member member;
  private final Map<CheckpointId, Found> found = new TreeMap<>(Comparator.reverseOrder());
  private final List<Attempt> refused = new ArrayList<>();
  private final List<String> unreachable = new ArrayList<>();

  /** One checkpoint, over all sources. */
  private static final class Found {
    private final int size;
    private final Ancestry ancestry;
    private final Set<Integer> ranks = new TreeSet<>();
    private final Set<Level> anywhere = new TreeSet<>();
    private final List<Level> levels = new ArrayList<>();

    private Found(Candidate first) {
      size = first.size();
      ancestry = first.ancestry();
    }

    private boolean complete() {
      return ranks.size() == size;
    }

    private String missing() {
      return IntStream.range(0, size)
          .filter(rank -> !ranks.contains(rank))
          .mapToObj(String::valueOf)
          .limit(10)
          .collect(Collectors.joining(", "));
    }
  }

  Survey(Member member) {
    this.member = member;
  }

  /** Takes in what the next farther source says. */
  void ask(CopySource source) {
    try {
      source.candidates(member).forEach((id, candidate) -> take(source, id, candidate));
    } catch (IOException e) {
      unreachable.add(source.level() + " (" + source.describe() + "): " + e.getMessage());
    }
  }

  private void take(CopySource source, CheckpointId id, Candidate candidate) {
    if (!candidate.problem().isEmpty()) {
      refused.add(new Attempt(id, source.level(), candidate.problem()));
    }
    if (candidate.ranks().isEmpty()) {
      return;
    }
    Found of = found.computeIfAbsent(id, k -> new Found(candidate));
    if (of.size != candidate.size() || !of.ancestry.equals(candidate.ancestry())) {
      refused.add(
          new Attempt(id, source.level(), "differs in size or ancestry from a nearer copy"));
      return;
    }
    of.ranks.addAll(candidate.ranks());
    of.anywhere.add(source.level());
    if (candidate.ranks().contains(member.rank())) {
      of.levels.add(source.level());
    }
  }

  Plan plan() {
    Map<CheckpointId, Ancestry> complete = new TreeMap<>();
    found.forEach(
        (id, of) -> {
          if (of.complete()) {
            complete.put(id, of.ancestry);
          }
        });
    List<CheckpointId> alive = Lineage.alive(complete);
    List<Choice> choices = new ArrayList<>();
    List<Choice> otherSize = new ArrayList<>();
    found.forEach(
        (id, of) -> {
          if (!of.complete()) {
            refuse(id, of, "no copy of rank " + of.missing());
          } else if (!alive.contains(id)) {
            refuse(id, of, "not an ancestor of " + alive.get(0).label());
          } else {
            List<Choice> kind = of.size == member.size() ? choices : otherSize;
            kind.add(new Choice(id, of.size, of.levels));
          }
        });
    return new Plan(choices, otherSize, refused, unreachable);
  }

  private void refuse(CheckpointId id, Found of, String reason) {
    of.anywhere.forEach(level -> refused.add(new Attempt(id, level, reason)));
  }
}
