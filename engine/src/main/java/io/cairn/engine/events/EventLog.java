package io.cairn.engine.events;

import io.cairn.CairnEvent;
import io.cairn.GroupId;
import io.cairn.Outcome;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the events that a user should notice to the log: checkpoints that are skipped, fenced,
 * failed or withdrawn, bad copies, and ranks that fall back. Each kind is written at once when it
 * begins, and then less and less often while it lasts, with the number of events in between.
 * Thread-safe.
 */
public final class EventLog implements Consumer<CairnEvent> {
  private static final Logger LOG = LoggerFactory.getLogger(EventLog.class);

  private final Repeats repeats;

  /** Events of one kind, such as the skips of one rank. */
  private record Key(GroupId group, int rank, String kind) {}

  /**
   * A log by this clock.
   *
   * @param nanoTime as {@link System#nanoTime}
   */
  public EventLog(LongSupplier nanoTime) {
    this.repeats = new Repeats(nanoTime);
  }

  @Override
  public void accept(CairnEvent event) {
    line(event).ifPresent(LOG::warn);
  }

  /** The line to write; empty if users need not notice the event, or its kind was just written. */
  Optional<String> line(CairnEvent event) {
    if (event instanceof CairnEvent.Settled settled) {
      Outcome outcome = settled.outcome();
      if (outcome instanceof Outcome.Skipped skipped) {
        return line(settled, "skipped", skipped.reason());
      } else if (outcome instanceof Outcome.Failed failed) {
        return line(settled, "failed", failed.reason());
      } else if (outcome instanceof Outcome.Fenced fenced) {
        return line(settled, "fenced", fenced.reason());
      }
    } else if (event instanceof CairnEvent.Withdrawn gone) {
      Key key = new Key(gone.id().group(), gone.member().rank(), "withdrawn");
      return repeats
          .pass(key, gone.id().iteration())
          .map(
              before -> "%s at DEVICE withdrawn: %s%s".formatted(gone.id(), gone.reason(), before));
    } else if (event instanceof CairnEvent.CacheShrank shrank) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              ("the device cache gives up %d bytes and keeps %d slots, since the device had only %d"
                  + " bytes free; device.reserve names what the training is to find"),
              shrank.bytes(),
              shrank.slots(),
              shrank.freeBytes()));
    } else if (event instanceof CairnEvent.FellBack fell) {
      return Optional.of(
          fell.member()
              + " falls back, since its last checkpoints found no room at DEVICE: those due at NODE"
              + " go there straight from its memory while its training waits, the others are"
              + " skipped. "
              + fell.id()
              + ": "
              + fell.reason());
    } else if (event instanceof CairnEvent.HasRoomAgain again) {
      return Optional.of(
          again.member() + " has room at DEVICE again, and no longer falls back: " + again.id());
    } else if (event instanceof CairnEvent.Quarantined bad) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "%s of rank %d at %s was bad and is set aside: %s: %s",
              bad.id(),
              bad.member().rank(),
              bad.level(),
              bad.file(),
              bad.reason()));
    } else if (event instanceof CairnEvent.Repaired good) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "%s of rank %d at %s has a good copy again, of %d bytes",
              good.id(),
              good.member().rank(),
              good.level(),
              good.bytes()));
    } else if (event instanceof CairnEvent.NotRepaired bad) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "%s of rank %d at %s has no good copy: %s",
              bad.id(),
              bad.member().rank(),
              bad.level(),
              bad.reason()));
    } else if (event instanceof CairnEvent.Hangs hangs) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "%s hangs: %s has lasted %d s on thread %s:%n\tat %s",
              hangs.member(),
              hangs.work(),
              hangs.lasts().toSeconds(),
              hangs.thread(),
              hangs.stack().stream()
                  .map(StackTraceElement::toString)
                  .collect(Collectors.joining(System.lineSeparator() + "\tat "))));
    } else if (event instanceof CairnEvent.UnknownRegions unknown) {
      return Optional.of(
          ("%s protects no region %s, which region.codec or region.loss names; if no other rank"
                  + " does, correct the name")
              .formatted(unknown.member(), String.join(", ", new TreeSet<>(unknown.names()))));
    } else if (event instanceof CairnEvent.Unused unused) {
      return Optional.of(
          unused.member()
              + " was closed without a checkpoint: its program asked for none. If it has trained,"
              + " its loop has to call checkpoint(), or what does so has to be attached to what"
              + " trains");
    }
    return Optional.empty();
  }

  private Optional<String> line(CairnEvent.Settled event, String kind, String reason) {
    Key key = new Key(event.id().group(), event.member().rank(), kind);
    return repeats
        .pass(key, event.id().iteration())
        .map(
            before ->
                "%s at %s %s: %s%s".formatted(event.id(), event.level(), kind, reason, before));
  }
}
