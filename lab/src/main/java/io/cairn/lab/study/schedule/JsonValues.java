package io.cairn.lab.study.schedule;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.cairn.lab.study.schedule.ProblemDraft.Group;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/**
 * Reads values at a parser's current token and checks each as it comes. An {@link
 * IllegalArgumentException} says where within the value, and what is wrong there; whoever knows the
 * value's name puts it in front.
 */
final class JsonValues {
  private final JsonParser parser;

  JsonValues(JsonParser parser) {
    this.parser = parser;
  }

  String text() throws IOException {
    if (parser.currentToken() != JsonToken.VALUE_STRING) {
      throw mustBe("a text");
    }
    return parser.getText();
  }

  /** A whole number in these bounds; 1e6 is one too. */
  long whole(long least, long greatest) throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT
        && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
      long value = parser.getLongValue();
      if (value >= least && value <= greatest) {
        return value;
      }
    } else if (parser.currentToken() == JsonToken.VALUE_NUMBER_FLOAT) {
      double value = parser.getDoubleValue();
      if (value >= least && value <= greatest && value == Math.rint(value)) {
        return (long) value;
      }
    }
    throw mustBe(String.format(Locale.ROOT, "a whole number from %d to %d", least, greatest));
  }

  /** Bytes per second. */
  double rate() throws IOException {
    double rate = parser.currentToken().isNumeric() ? parser.getDoubleValue() : Double.NaN;
    if (rate == 0 || (rate >= Limits.LEAST_RATE && rate <= Limits.GREATEST_RATE)) {
      return Math.abs(rate);
    }
    throw mustBe("0 or a number from %s to %s".formatted(Limits.LEAST_RATE, Limits.GREATEST_RATE));
  }

  /** A size per device. */
  long[] sizes() throws IOException {
    LongStream.Builder sizes = LongStream.builder();
    forEach(Limits.DEVICES, at -> sizes.add(whole(0, Limits.BYTES)));
    return sizes.build().toArray();
  }

  /** A rate per device. */
  double[] rates() throws IOException {
    DoubleStream.Builder rates = DoubleStream.builder();
    forEach(Limits.DEVICES, at -> rates.add(rate()));
    return rates.build().toArray();
  }

  /** An array of {@code [from, to, rate]}. */
  LinkList links() throws IOException {
    LinkList links = new LinkList();
    forEach(Limits.LINKS, at -> readLink(links));
    links.requireOnce();
    return links;
  }

  /** An array of {@code {"devices": […], rateKey: rate}}. */
  void groups(String rateKey, Consumer<Group> each) throws IOException {
    int[] members = {0};
    forEach(
        Limits.DEVICES,
        at -> {
          Group group = group(rateKey);
          members[0] += group.devices().size();
          if (members[0] > Limits.DEVICES) {
            throw new IllegalArgumentException(" is one group too many");
          }
          each.accept(group);
        });
  }

  private void readLink(LinkList into) throws IOException {
    double[] link = {-1, -1, -1};
    forEach(3, at -> link[at] = at < 2 ? whole(0, Limits.DEVICES - 1L) : rate());
    if (link[2] < 0) {
      throw new IllegalArgumentException(" must be [from, to, bytesPerSecond]");
    }
    into.add((int) link[0], (int) link[1], link[2]);
  }

  private Group group(String rateKey) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw mustBe("an object");
    }
    List<Integer> devices = new ArrayList<>();
    double rate = -1;
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      parser.nextToken();
      if (name.equals(rateKey)) {
        rate = rate();
      } else if (name.equals("devices")) {
        forEach(Limits.DEVICES, at -> devices.add((int) whole(0, Limits.DEVICES - 1L)));
      } else {
        throw new IllegalArgumentException(
            " has an unknown key '" + name + "'; it has 'devices' and '" + rateKey + "'");
      }
    }
    if (devices.isEmpty() || rate < 0) {
      throw new IllegalArgumentException(" needs 'devices', at least one, and '" + rateKey + "'");
    }
    return new Group(devices, rate);
  }

  /** Reads one element. */
  private interface Element {
    void read(int at) throws IOException;
  }

  private void forEach(int limit, Element element) throws IOException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw mustBe("an array");
    }
    for (int at = 0; parser.nextToken() != JsonToken.END_ARRAY; at++) {
      if (at == limit) {
        throw new IllegalArgumentException(" has more than " + limit + " entries");
      }
      try {
        element.read(at);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("[" + at + "]" + e.getMessage(), e);
      }
    }
  }

  private IllegalArgumentException mustBe(String what) throws IOException {
    JsonToken token = parser.currentToken();
    String text = parser.getText();
    String is =
        token.isScalarValue()
            ? (text.length() > 40 ? text.substring(0, 40) + "…" : text)
            : "an " + (token == JsonToken.START_ARRAY ? "array" : "object");
    return new IllegalArgumentException(" must be " + what + ", but is " + is);
  }
}
