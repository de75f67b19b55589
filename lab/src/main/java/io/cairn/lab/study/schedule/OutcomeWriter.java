package io.cairn.lab.study.schedule;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import io.cairn.core.flow.CutCertificate;
import io.cairn.core.flow.Infeasible;
import io.cairn.core.flow.TightCapacity;
import io.cairn.core.flow.Transfer;
import io.cairn.core.flow.TransferPlan;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes outcomes as lines of JSON. Flushes each line, so that a reader at the other end of a pipe
 * need not wait. Numbers are written so that they are read back as the same. Not thread-safe.
 */
final class OutcomeWriter {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

  /** Below this a double holds every whole number. */
  private static final double WHOLE = 1L << 53;

  private final PrintWriter out;

  OutcomeWriter(PrintWriter out) {
    this.out = out;
  }

  void plan(@Nullable String id, int devices, TransferPlan plan, long solveNanos)
      throws IOException {
    line(
        json -> {
          json.writeStringField("id", id);
          json.writeBooleanField("feasible", true);
          number(json, "blockingSeconds", plan.blockingSeconds());
          json.writeArrayFieldStart("senderSeconds");
          for (int device = 0; device < devices; device++) {
            number(json, plan.senderSeconds(device));
          }
          json.writeEndArray();
          transfers(json, plan.transfers());
          certificate(json, plan.certificate().orElse(null));
          json.writeNumberField("solveMicros", solveNanos / 1e3);
        });
  }

  void infeasible(@Nullable String id, Infeasible outcome, long solveNanos) throws IOException {
    line(
        json -> {
          json.writeStringField("id", id);
          json.writeBooleanField("feasible", false);
          json.writeStringField("reason", outcome.reason());
          certificate(json, outcome.certificate().orElse(null));
          json.writeNumberField("solveMicros", solveNanos / 1e3);
        });
  }

  void error(long number, @Nullable String id, String error) throws IOException {
    line(
        json -> {
          json.writeNumberField("line", number);
          json.writeStringField("id", id);
          json.writeStringField("error", error);
        });
  }

  private interface Members {
    void write(JsonGenerator json) throws IOException;
  }

  private void line(Members members) throws IOException {
    try (JsonGenerator json = FACTORY.createGenerator(out)) {
      json.writeStartObject();
      members.write(json);
      json.writeEndObject();
    }
    out.print('\n');
    if (out.checkError()) { // flushes too
      throw new IOException("the output takes no more; its reader is gone, or its disk is full");
    }
  }

  private static void transfers(JsonGenerator json, List<Transfer> transfers) throws IOException {
    json.writeArrayFieldStart("transfers");
    for (Transfer transfer : transfers) {
      json.writeStartObject();
      json.writeNumberField("from", transfer.from());
      if (transfer.toHost()) {
        json.writeStringField("to", "host");
      } else {
        json.writeNumberField("to", transfer.to());
      }
      number(json, "bytes", transfer.bytes());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void certificate(JsonGenerator json, @Nullable CutCertificate certificate)
      throws IOException {
    json.writeFieldName("certificate");
    if (certificate == null) {
      json.writeNull();
      return;
    }
    json.writeStartObject();
    integers(json, "senders", certificate.senders());
    integers(json, "receivers", certificate.receivers());
    json.writeArrayFieldStart("tight");
    for (TightCapacity capacity : certificate.tight()) {
      tight(json, capacity);
    }
    json.writeEndArray();
    number(json, "lowerBoundSeconds", certificate.lowerBoundSeconds());
    json.writeEndObject();
  }

  private static void tight(JsonGenerator json, TightCapacity capacity) throws IOException {
    json.writeStartObject();
    json.writeStringField("kind", name(capacity.kind()));
    deviceOrNull(json, "from", capacity.from());
    if (capacity.kind() == TightCapacity.Kind.HOST) {
      json.writeStringField("to", "host");
    } else {
      deviceOrNull(json, "to", capacity.to());
    }
    integers(json, "members", capacity.members());
    number(json, "bytesPerSecond", capacity.bytesPerSecond());
    json.writeEndObject();
  }

  private static void integers(JsonGenerator json, String name, List<Integer> values)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (int value : values) {
      json.writeNumber(value);
    }
    json.writeEndArray();
  }

  private static void deviceOrNull(JsonGenerator json, String name, int device) throws IOException {
    json.writeFieldName(name);
    if (device < 0) {
      json.writeNull();
    } else {
      json.writeNumber(device);
    }
  }

  private static void number(JsonGenerator json, String name, double value) throws IOException {
    json.writeFieldName(name);
    number(json, value);
  }

  /** Whole numbers without a point; what JSON has no number for as null. */
  private static void number(JsonGenerator json, double value) throws IOException {
    if (!Double.isFinite(value)) {
      json.writeNull();
    } else if (value == Math.rint(value) && Math.abs(value) < WHOLE) {
      json.writeNumber((long) value);
    } else {
      json.writeNumber(value);
    }
  }

  /** Kinds are named as the keys of problems are. */
  private static String name(TightCapacity.Kind kind) {
    return switch (kind) {
      case LINK -> "link";
      case HOST -> "host";
      case SHARED_HOST -> "hostGroup";
      case EGRESS -> "egress";
      case INGRESS -> "ingress";
      case NIC_OUT -> "nicOut";
      case NIC_IN -> "nicIn";
    };
  }
}
