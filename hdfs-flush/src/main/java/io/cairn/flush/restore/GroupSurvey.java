package io.cairn.flush.restore;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.RestoreReport.Attempt;
import io.cairn.core.model.Ancestry;
import io.cairn.core.protocol.Candidate;
import io.cairn.core.protocol.Lineage;
import io.cairn.core.protocol.Proof;
import io.cairn.flush.restore.Plan.Choice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Combines the reports of all sources about one group, for one rank. Every checkpoint with a
 * readable manifest, or part of one, takes part in finding the line of training. Therefore a dead
 * checkpoint is never offered. The ranks' agreement finds out whether all ranks have a copy, since
 * this node may not see the other ranks' parts.
 */
final class GroupSurvey {
  private final Member member;
  private final Map<CheckpointId, Found> found = new TreeMap<>(Comparator.reverseOrder());
  private final List<Attempt> refused = new ArrayList<>();
  private final List<CheckpointId> damaged = new ArrayList<>();
  private final List<Plan.Unreachable> unreachable = new ArrayList<>();
  private final List<Unread> unread = new ArrayList<>();

  /** A checkpoint that a source may hold whole, and cannot show now. */
  private record Unread(CheckpointId id, CopySource source, String reason) {}

  /** One checkpoint, over all sources. */
  private record Found(Candidate candidate, int size, List<Level> anywhere, List<Level> own) {}

  GroupSurvey(Member member) {
    this.member = member;
  }

  /** Adds the report of the next farther source. */
  void add(CopySource source) {
    try {
      source.holdings(member).forEach((id, holding) -> add(source, id, holding));
    } catch (IOException e) {
      unreachable.add(
          new Plan.Unreachable(
              source.level(),
              Optional.empty(),
              "(" + source.describe() + "): " + e.getMessage(),
              true));
    }
  }

  private void add(CopySource source, CheckpointId id, Holding holding) {
    if (holding.proof() == Proof.PASSING) {
      unread.add(new Unread(id, source, holding.problem()));
    } else if (!holding.problem().isEmpty()) {
      refused.add(new Attempt(id, source.level(), holding.problem()));
      if (holding.proof() == Proof.DAMAGE) {
        damaged.add(id);
      }
    }
    if (holding.candidate().isEmpty()) {
      return;
    }
    Candidate candidate = holding.candidate().get();
    Found of =
        found.computeIfAbsent(
            id, k -> new Found(candidate, holding.size(), new ArrayList<>(), new ArrayList<>()));
    if (of.size() != holding.size() || !of.candidate().ancestry().equals(candidate.ancestry())) {
      refused.add(
          new Attempt(id, source.level(), "differs in size or ancestry from a nearer copy"));
      return;
    }
    if (holding.usable()) {
      addOnce(of.anywhere(), source.level());
    }
    if (holding.own()) {
      addOnce(of.own(), source.level());
    }
  }

  /** Several sources may have one level, such as this node and the others. */
  private static void addOnce(List<Level> levels, Level level) {
    if (!levels.contains(level)) {
      levels.add(level);
    }
  }

  Plan plan() {
    Map<CheckpointId, Ancestry> manifests = new TreeMap<>();
    found.forEach((id, of) -> manifests.put(id, of.candidate().ancestry()));
    Set<CheckpointId> alive = new HashSet<>(Lineage.alive(manifests));
    List<Choice> choices = new ArrayList<>();
    List<Choice> otherSize = new ArrayList<>();
    List<Choice> line = new ArrayList<>();
    for (Map.Entry<CheckpointId, Found> entry : found.entrySet()) {
      CheckpointId id = entry.getKey();
      Found of = entry.getValue();
      if (!alive.contains(id)) {
        refuse(id, of, "not on the current line: a newer epoch does not descend from it");
      } else if (of.size() != member.size() && !of.anywhere().isEmpty()) {
        otherSize.add(new Choice(of.candidate(), of.size(), of.anywhere()));
        line.add(otherSize.get(otherSize.size() - 1));
      } else if (of.own().isEmpty()) {
        refuse(id, of, "holds other ranks' data, not rank " + member.rank() + "'s");
      } else {
        choices.add(new Choice(of.candidate(), of.size(), of.own()));
        line.add(choices.get(choices.size() - 1));
      }
    }
    sortUnread(line);
    return new Plan(choices, otherSize, refused, damaged, unreachable, hidden(line));
  }

  /**
   * A checkpoint that cannot be read now is asked for again if it may be the newest. An older one
   * may be the newest that all ranks of a group have.
   */
  private void sortUnread(List<Choice> line) {
    for (Unread each : unread) {
      boolean newest = line.isEmpty() || each.id().compareTo(line.get(0).id()) > 0;
      if (newest || (member.size() > 1 && missing(each.id(), line))) {
        unreachable.add(
            new Plan.Unreachable(
                each.source().level(),
                Optional.of(each.id()),
                "(%s): %s cannot be read: %s"
                    .formatted(each.source().describe(), each.id().label(), each.reason()),
                newest));
      }
      refused.add(new Attempt(each.id(), each.source().level(), each.reason()));
    }
  }

  private List<CheckpointId> hidden(List<Choice> line) {
    return unread.stream()
        .filter(each -> each.source().level() == Level.STORE)
        .map(Unread::id)
        .filter(id -> !line.isEmpty() && missing(id, line))
        .toList();
  }

  /** Whether a checkpoint on the line of the newest choice is no choice itself. */
  private static boolean missing(CheckpointId id, List<Choice> line) {
    Candidate newest = line.get(0).candidate();
    return (id.epoch() == newest.id().epoch() || newest.ancestry().contains(id))
        && line.stream().noneMatch(choice -> choice.id().equals(id));
  }

  private void refuse(CheckpointId id, Found of, String reason) {
    of.anywhere().forEach(level -> refused.add(new Attempt(id, level, reason)));
  }
}
