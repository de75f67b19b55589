package io.cairn.core.wire;

import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.Measurement;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.CheckpointManifest.Parent;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Digest;
import io.cairn.core.model.GroupId;
import io.cairn.core.model.Level;
import io.cairn.core.protocol.Candidate;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.session.Outcome;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Seeded messages of every kind. */
public final class RandomMessages {
  /** Kinds of messages that a member sends. */
  public static final int MEMBER_KINDS = 8;

  /** Kinds of messages that a coordinator sends. */
  public static final int COORDINATOR_KINDS = 9;

  private static final List<Level> LEVELS = List.of(Level.values());

  private final SplittableRandom random;

  /** The messages of one seed. */
  public RandomMessages(long seed) {
    random = new SplittableRandom(seed);
  }

  /** A message of kind 0 to {@link #MEMBER_KINDS} - 1. */
  public MemberMessage member(int kind) {
    int rank = random.nextInt(1000);
    return switch (kind) {
      case 0 -> new MemberMessage.Join(rank, random.nextInt(1, 2000), text());
      case 1 -> new MemberMessage.Offer(rank, number(), list(this::candidate));
      case 2 -> new MemberMessage.Vote(rank, number(), id(), maybe(this::level), text());
      case 3 ->
          new MemberMessage.Held(
              rank, number(), number(), level(), maybe(this::container), measured());
      case 4 ->
          new MemberMessage.GaveUp(rank, number(), number(), level(), random.nextBoolean(), text());
      case 5 -> new MemberMessage.Leave(rank, number());
      case 6 -> new MemberMessage.Endangered(rank, number());
      default -> new MemberMessage.CadenceVote(rank, number(), number(), random.nextBoolean());
    };
  }

  /** A message of kind 0 to {@link #COORDINATOR_KINDS} - 1. */
  public CoordinatorMessage coordinator(int kind) {
    return switch (kind) {
      case 0 -> new CoordinatorMessage.Joined(number(), cadence());
      case 1 -> new CoordinatorMessage.Refused(text());
      case 2 -> new CoordinatorMessage.Fenced(text());
      case 3 -> new CoordinatorMessage.Verify(number(), id());
      case 4 ->
          new CoordinatorMessage.Resume(
              number(),
              maybe(this::id),
              maybe(() -> new Parent(id(), digest())),
              ancestry(),
              text());
      case 5 -> new CoordinatorMessage.Settled(number(), number(), level(), outcome());
      case 6 -> new CoordinatorMessage.CadencePlanned(number(), cadence());
      case 7 -> new CoordinatorMessage.Rescue(number(), number());
      default -> new CoordinatorMessage.CadenceDecided(number(), number(), random.nextBoolean());
    };
  }

  private long number() {
    return random.nextLong(1, CheckpointId.MAX_NUMBER);
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    for (int left = random.nextInt(40); left > 0; left--) {
      text.append((char) random.nextInt(1, 0xD800));
    }
    return text.toString();
  }

  private CheckpointId id() {
    GroupId group = new GroupId("job-" + random.nextInt(100), "group." + random.nextInt(100));
    return new CheckpointId(group, number(), number());
  }

  private Digest digest() {
    byte[] bytes = new byte[8];
    random.nextBytes(bytes);
    return Digest.of(bytes);
  }

  private Ancestry ancestry() {
    List<Ancestry.Step> steps = new ArrayList<>();
    long epoch = 0;
    for (int left = random.nextInt(6); left > 0; left--) {
      epoch += random.nextLong(1, 1000);
      steps.add(new Ancestry.Step(epoch, random.nextLong(1_000_000)));
    }
    return new Ancestry(steps);
  }

  private Candidate candidate() {
    return new Candidate(id(), digest(), ancestry());
  }

  private ContainerSummary container() {
    List<Integer> ranks = new ArrayList<>(list(() -> random.nextInt(1000)));
    ranks.add(random.nextInt(1000));
    return new ContainerSummary("writer-" + random.nextInt(99), number(), digest(), ranks);
  }

  private CadencePlan cadence() {
    Map<Level, Long> periods = new EnumMap<>(Level.class);
    long period = random.nextLong(1, 10);
    for (Level level : levels()) {
      period *= random.nextLong(1, 10);
      periods.put(level, period);
    }
    periods.put(Level.STORE, period * random.nextLong(1, 10));
    return new CadencePlan(number(), number(), periods);
  }

  private Measurement measured() {
    return new Measurement(number(), number(), number(), levels());
  }

  private Set<Level> levels() {
    Set<Level> levels = EnumSet.noneOf(Level.class);
    LEVELS.stream().filter(level -> random.nextBoolean()).forEach(levels::add);
    return levels;
  }

  private Level level() {
    return LEVELS.get(random.nextInt(LEVELS.size()));
  }

  private Outcome outcome() {
    return switch (random.nextInt(3)) {
      case 0 -> new Outcome.Sealed(level());
      case 1 -> new Outcome.Skipped(text());
      default -> new Outcome.Failed(text());
    };
  }

  private <T> List<T> list(Supplier<T> element) {
    List<T> list = new ArrayList<>();
    for (int left = random.nextInt(5); left > 0; left--) {
      list.add(element.get());
    }
    return list;
  }

  private <T> Optional<T> maybe(Supplier<T> value) {
    return random.nextBoolean() ? Optional.of(value.get()) : Optional.empty();
  }
}
