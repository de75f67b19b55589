package io.cairn.spark.ui.collect;

import io.cairn.CairnEvent;
import io.cairn.Member;
import io.cairn.Outcome;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/** Tells events that a user should look at from all others. */
final class Alarms {
  private Alarms() {}

  /** An alarm without its time. */
  record Alarm(String kind, String place, String text) {}

  static Optional<Alarm> of(CairnEvent event, String process) {
    if (event instanceof CairnEvent.Settled settled) {
      return settled(settled);
    } else if (event instanceof CairnEvent.Stale stale) {
      String text =
          stale.id().label()
              + " has the bytes of its predecessor in "
              + String.join(", ", new TreeSet<>(stale.regions()));
      return alarm("freshness", stale.member(), text);
    } else if (event instanceof CairnEvent.Withdrawn gone) {
      return alarm("lost at DEVICE", gone.member(), gone.id().label() + ": " + gone.reason());
    } else if (event instanceof CairnEvent.FellBack fell) {
      return alarm("overload", fell.member(), "falls back past DEVICE: " + fell.reason());
    } else if (event instanceof CairnEvent.Quarantined bad) {
      String text = bad.id().label() + " at " + bad.level() + ": " + bad.reason();
      return alarm("quarantine", bad.member(), text);
    } else if (event instanceof CairnEvent.NotRepaired bad) {
      String text = bad.id().label() + " at " + bad.level() + ": " + bad.reason();
      return alarm("not repaired", bad.member(), text);
    } else if (event instanceof CairnEvent.Hangs hangs) {
      String text =
          String.format(
              Locale.ROOT,
              "%s has lasted %d s on thread %s; its log has the stack",
              hangs.work(),
              hangs.lasts().toSeconds(),
              hangs.thread());
      return alarm("hangs", hangs.member(), text);
    } else if (event instanceof CairnEvent.Unused unused) {
      return alarm("unused", unused.member(), "closed without a checkpoint");
    } else if (event instanceof CairnEvent.CacheShrank shrank) {
      String text =
          String.format(
              Locale.ROOT, "gave up %d bytes, keeps %d slots", shrank.bytes(), shrank.slots());
      return Optional.of(new Alarm("cache shrank", "process " + process, text));
    }
    return Optional.empty();
  }

  private static Optional<Alarm> settled(CairnEvent.Settled settled) {
    String where = settled.id().label() + " at " + settled.level() + ": ";
    if (settled.outcome() instanceof Outcome.Failed failed) {
      return alarm("failed at " + settled.level(), settled.member(), where + failed.reason());
    } else if (settled.outcome() instanceof Outcome.Skipped skipped) {
      return alarm("overload", settled.member(), where + skipped.reason());
    }
    return Optional.empty();
  }

  private static Optional<Alarm> alarm(String kind, Member member, String text) {
    return Optional.of(new Alarm(kind, member.group().group() + " rank " + member.rank(), text));
  }
}
