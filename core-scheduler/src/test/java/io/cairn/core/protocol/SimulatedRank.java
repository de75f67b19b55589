package io.cairn.core.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.Level;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.FollowedCadence;
import io.cairn.core.cadence.Measurement;
import io.cairn.core.model.ContainerSummary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One attempt of one rank: joins, offers the checkpoints that it can read, votes, trains, and
 * reports the data that it holds. It sends unanswered messages again, and ends when it is fenced or
 * refused.
 */
final class SimulatedRank {
  private static final long AGAIN_MILLIS = 120;
  private static final Digest INDEX = Digest.of("index".getBytes(UTF_8));

  final int rank;
  final String incarnation;
  private final SimulatedGroup group;
  private final Map<String, MemberMessage> unanswered = new LinkedHashMap<>();
  private boolean alive = true;
  private boolean stopped;
  private boolean training;
  private FollowedCadence cadence = new FollowedCadence(CadencePlan.every(1, 1, 1));
  private long epoch;
  private long iteration;

  SimulatedRank(int rank, String incarnation, SimulatedGroup group) {
    this.rank = rank;
    this.incarnation = incarnation;
    this.group = group;
  }

  boolean alive() {
    return alive;
  }

  boolean stopped() {
    return stopped;
  }

  boolean training() {
    return alive && training;
  }

  void start() {
    say("join", new MemberMessage.Join(rank, group.size, incarnation, new Origin("birth", 0)));
    group.time.after(AGAIN_MILLIS, this::again);
  }

  void die(String why) {
    group.time.note(incarnation, "ends: " + why);
    alive = false;
  }

  void stopFor(long millis) {
    group.time.note(incarnation, "is stopped for " + millis + " ms");
    stopped = true;
    group.time.after(
        millis,
        () -> {
          stopped = false;
          group.deliver(this);
        });
  }

  private void again() {
    if (alive) {
      if (!stopped) {
        List.copyOf(unanswered.values()).forEach(message -> group.send(this, message));
      }
      group.time.after(AGAIN_MILLIS, this::again);
    }
  }

  private void say(String about, MemberMessage message) {
    unanswered.put(about, message);
    group.send(this, message);
  }

  /** Takes a message of the coordinator. */
  void on(CoordinatorMessage message) {
    if (message instanceof CoordinatorMessage.Fenced
        || message instanceof CoordinatorMessage.Refused) {
      die(message.toString());
    } else if (message instanceof CoordinatorMessage.Joined joined && joined.epoch() > epoch) {
      epoch = joined.epoch();
      cadence = new FollowedCadence(joined.cadence());
      unanswered.clear();
      say("offer", new MemberMessage.Offer(rank, epoch, group.offered(this, epoch)));
    } else if (message instanceof CoordinatorMessage.Verify verify && verify.epoch() == epoch) {
      unanswered.clear();
      String refusal = group.refusal(this, verify.id());
      say(
          "vote",
          new MemberMessage.Vote(rank, epoch, verify.id(), Optional.of(Level.STORE), refusal));
    } else if (message instanceof CoordinatorMessage.Resume resume && !training) {
      unanswered.clear();
      training = true;
      iteration = resume.id().map(CheckpointId::iteration).orElse(-1L);
      train();
    } else if (message instanceof CoordinatorMessage.Settled settled) {
      unanswered.remove(about(settled.iteration(), settled.level()));
    } else if (message instanceof CoordinatorMessage.CadencePlanned planned) {
      long version = planned.plan().version();
      boolean inTime = cadence.plan(planned.plan());
      say("cadence " + version, new MemberMessage.CadenceVote(rank, epoch, version, inTime));
    } else if (message instanceof CoordinatorMessage.CadenceDecided decided) {
      unanswered.remove("cadence " + decided.version());
      cadence.decided(decided.version(), decided.adopted());
    }
  }

  private void train() {
    group.time.after(5 + group.random.nextLong(40), this::step);
  }

  private void step() {
    if (!alive) {
      return;
    }
    if (!stopped) {
      iteration++;
      FollowedCadence.Due due = cadence.reach(iteration);
      group.truth.due(epoch, iteration, due);
      for (Level level : due.levels()) {
        long held = iteration;
        group.time.after(
            group.random.nextLong(80),
            () -> {
              if (due.inDoubt()) {
                giveUp(held, level, "the cadence is open");
              } else {
                hold(held, level);
              }
            });
      }
    }
    train();
  }

  private void giveUp(long held, Level level, String reason) {
    say(
        about(held, level),
        new MemberMessage.GaveUp(
            rank, epoch, held, level, MemberMessage.GaveUp.Why.SKIPPED, reason));
  }

  private void hold(long held, Level level) {
    if (!alive || stopped) {
      return;
    }
    if (group.random.nextInt(20) == 0) {
      giveUp(held, level, "no room on this node");
      return;
    }
    group.truth.holds(epoch, held, level, rank, incarnation);
    String name = "writer-" + incarnation + ".chunks";
    List<ContainerSummary> containers =
        List.of(
            new ContainerSummary(name, 1, INDEX, List.of(rank)),
            new ContainerSummary(name + "-rest", 1, INDEX, List.of(rank)));
    say(
        about(held, level),
        new MemberMessage.Held(rank, epoch, held, level, containers, measurement()));
  }

  /** Of iterations that take from some milliseconds to seconds: plans come early or late. */
  private Measurement measurement() {
    long nanos = 20_000_000L << group.random.nextInt(7);
    return new Measurement(nanos / 100, nanos / 10, nanos, Set.of());
  }

  private static String about(long held, Level level) {
    return held + " at " + level;
  }
}
