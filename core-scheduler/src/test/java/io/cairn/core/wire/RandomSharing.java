package io.cairn.core.wire;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.GroupId;
import io.cairn.core.model.Member;
import io.cairn.core.sharing.DeskMessage;
import io.cairn.core.sharing.FilledChunk;
import io.cairn.core.sharing.HolderSite;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.sharing.PlanAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Seeded messages of every kind. */
public final class RandomSharing {
  private final SplittableRandom random;

  /** The messages of one seed. */
  public RandomSharing(long seed) {
    random = new SplittableRandom(seed);
  }

  /** One of each kind. */
  public List<LeaseRequest> requests() {
    return List.of(
        new LeaseRequest.Acquire(id(), count()),
        new LeaseRequest.Filled(id(), atLeastOne(this::chunk)),
        new LeaseRequest.ReleaseSome(id(), list(this::count)),
        new LeaseRequest.Release(id()));
  }

  /** One of each kind. */
  public List<LeaseAnswer> answers() {
    return List.of(
        new LeaseAnswer.Granted(id(), atLeastOne(this::count), random.nextLong(1, 1L << 50)),
        new LeaseAnswer.Refused(id(), text()),
        new LeaseAnswer.Acknowledged(id(), list(this::count)),
        new LeaseAnswer.Rejected(id(), list(this::count), text()),
        new LeaseAnswer.Revoked(id(), list(this::count), text()),
        new LeaseAnswer.ReleasedSome(id(), list(this::count)),
        new LeaseAnswer.Released(id()));
  }

  /** One of each kind. */
  public List<DeskMessage> deskMessages() {
    HolderSite site = new HolderSite(name(), name(), random.nextInt(1024));
    GroupId group = checkpoint().group();
    int size = random.nextInt(1, 20_000);
    return List.of(
        new DeskMessage.Registered(site),
        new DeskMessage.Spare(name(), count(), random.nextLong(1, 1L << 36)),
        new DeskMessage.Report(
            new Member(group, random.nextInt(size), size),
            number(),
            number(),
            name(),
            count(),
            count(),
            random.nextLong(1, 1L << 36)));
  }

  /** One of each kind. */
  public List<PlanAnswer> planAnswers() {
    return List.of(
        new PlanAnswer.Part(
            checkpoint(),
            random.nextInt(20_000),
            list(() -> new PlanAnswer.PlannedLease(name(), count())),
            count(),
            text()),
        new PlanAnswer.Refused(checkpoint(), random.nextInt(20_000), text()));
  }

  private int count() {
    return random.nextInt(1, 1_000_000);
  }

  private long number() {
    return random.nextLong(1, CheckpointId.MAX_NUMBER);
  }

  private CheckpointId checkpoint() {
    GroupId group = new GroupId("job-" + random.nextInt(100), "group." + random.nextInt(100));
    return new CheckpointId(group, number(), number());
  }

  private LeaseId id() {
    return new LeaseId(name(), number(), checkpoint(), random.nextInt(20_000));
  }

  private FilledChunk chunk() {
    return new FilledChunk(
        random.nextInt(100_000), random.nextInt(1 << 30), count(), random.nextInt());
  }

  private String name() {
    return "executor-" + random.nextInt(1000) + ":" + text() + "x";
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    for (int left = random.nextInt(40); left > 0; left--) {
      text.append((char) random.nextInt(1, 0xD800));
    }
    return text.toString();
  }

  private <T> List<T> list(Supplier<T> element) {
    List<T> list = new ArrayList<>();
    for (int left = random.nextInt(6); left > 0; left--) {
      list.add(element.get());
    }
    return list;
  }

  private <T> List<T> atLeastOne(Supplier<T> element) {
    List<T> list = list(element);
    list.add(element.get());
    return list;
  }
}
