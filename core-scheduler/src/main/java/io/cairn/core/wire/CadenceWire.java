package io.cairn.core.wire;

import io.cairn.Level;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.Measurement;
import java.io.IOException;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Plans and measurements within messages, field by field; levels by name. */
final class CadenceWire {
  private CadenceWire() {}

  static void write(FieldWriter out, CadencePlan plan) throws IOException {
    out.writeLong(plan.version());
    out.writeLong(plan.fromIteration());
    write(out, plan.periods().keySet());
    for (long period : plan.periods().values()) {
      out.writeLong(period);
    }
  }

  static CadencePlan readPlan(FieldReader in) throws IOException {
    long version = in.readLong();
    long from = in.readLong();
    Map<Level, Long> periods = new EnumMap<>(Level.class);
    for (Level level : readLevels(in)) {
      periods.put(level, in.readLong());
    }
    return new CadencePlan(version, from, periods);
  }

  static void write(FieldWriter out, Measurement measured) throws IOException {
    out.writeLong(measured.blockedNanos());
    out.writeLong(measured.latencyNanos());
    out.writeLong(measured.workNanos());
    write(out, measured.flushing());
  }

  static Measurement readMeasurement(FieldReader in) throws IOException {
    return new Measurement(in.readLong(), in.readLong(), in.readLong(), readLevels(in));
  }

  static void write(FieldWriter out, Set<Level> levels) throws IOException {
    out.writeByte(levels.size());
    for (Level level : levels) {
      out.writeLevel(level);
    }
  }

  /** Keeps the order in which the levels were written, which is that of the periods. */
  static Set<Level> readLevels(FieldReader in) throws IOException {
    Set<Level> levels = new LinkedHashSet<>();
    for (int left = in.readUnsignedByte(); left > 0; left--) {
      levels.add(in.readLevel());
    }
    return levels;
  }
}
