package io.cairn.core.protocol;

import io.cairn.core.protocol.SimulatedFiles.Reply;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A store behind a network that fails. A request is applied at some later moment or never; its
 * answer may be lost, or an error although it was or will be applied; it may be applied twice, with
 * the answer of the second time; a client that gave up may see its request applied long after. The
 * store itself crashes and comes back.
 */
final class SimulatedStore {
  private static final long TIMEOUT_MILLIS = 100;
  private static final long LATEST_MILLIS = 4_000;

  /**
   * How bad the days are, as probabilities per request.
   *
   * @param never it is not applied
   * @param late it is applied after its client gave up
   * @param mute it is applied and not answered
   * @param error an error is answered, whatever comes of it
   * @param twice a library sends it again
   * @param journalMillis at most so long after a change it is durable; its answer waits for that,
   *     but others may see it before
   */
  record Faults(
      double never, double late, double mute, double error, double twice, int journalMillis) {
    static final Faults NONE = new Faults(0, 0, 0, 0, 0, 0);
  }

  final SimulatedFiles files = new SimulatedFiles();
  private final VirtualTime time;
  private final Random random;
  private Faults faults;
  private boolean ailing;
  private boolean down;
  private long crashes;

  SimulatedStore(VirtualTime time, Random random, Faults faults) {
    this.time = time;
    this.random = random;
    this.faults = faults;
  }

  /** From now on, except for what is under way. */
  void faults(Faults now) {
    faults = now;
  }

  /** Ails for a moment, in which its answers get lost, crashes, and comes back. */
  void crash(long backAfterMillis) {
    ailing = true;
    time.after(
        random.nextLong(60),
        () -> {
          time.note("store", "crashes");
          files.crash(random);
          crashes++;
          ailing = false;
          down = true;
        });
    time.after(
        60 + backAfterMillis,
        () -> {
          time.note("store", "is back");
          down = false;
        });
  }

  /** Sends a request; {@code answer} is called once, at a later moment. */
  void send(String who, String what, Supplier<Reply> operation, Consumer<Reply> answer) {
    boolean[] answered = {false};
    Consumer<Reply> once =
        reply -> {
          if (!answered[0]) {
            answered[0] = true;
            answer.accept(reply);
          }
        };
    time.after(TIMEOUT_MILLIS, () -> once.accept(new Reply.Lost("timeout of " + what)));
    if (happens(ailing ? 0.4 : faults.error())) {
      time.after(latency(), () -> once.accept(new Reply.Lost("connection reset in " + what)));
    }
    if (!happens(faults.never())) {
      boolean mute = happens(faults.mute());
      boolean twice = happens(faults.twice());
      Consumer<Reply> given = mute ? reply -> {} : once;
      Consumer<Reply> then =
          twice ? reply -> time.after(latency(), () -> apply(who, what, operation, given)) : given;
      long delay = happens(faults.late()) ? lateness() : latency();
      time.after(delay, () -> apply(who, what, operation, then));
    }
  }

  private void apply(String who, String what, Supplier<Reply> operation, Consumer<Reply> answer) {
    if (down) {
      if (random.nextBoolean()) {
        // a client library that tries again
        time.after(latency() * 10, () -> apply(who, what, operation, answer));
      }
      return;
    }
    long version = files.version();
    Reply reply = operation.get();
    if (files.version() == version) {
      time.after(latency(), () -> answer.accept(reply));
      return;
    }
    time.note(who, what + " (applied)");
    long before = crashes;
    time.after(
        faults.journalMillis() == 0 ? 0 : random.nextLong(faults.journalMillis()),
        () -> {
          if (crashes == before) {
            files.writeJournal();
            time.after(latency(), () -> answer.accept(reply));
          }
        });
  }

  private long lateness() {
    return 1 + random.nextLong(random.nextBoolean() ? 2 * TIMEOUT_MILLIS : LATEST_MILLIS);
  }

  private long latency() {
    return 1 + random.nextLong(8);
  }

  private boolean happens(double probability) {
    return random.nextDouble() < probability;
  }
}
