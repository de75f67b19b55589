package io.cairn.lab.study.adjoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cairn.adjoint.schedule.Tier;
import io.cairn.lab.study.line.LineCommand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The problem of a line. Each method reads a member, and says which one is wrong by an {@link
 * IllegalArgumentException}.
 *
 * @param members by name
 */
record Problem(JsonNode members) {
  /** The most entries of a list. */
  static final int LONGEST_LIST = 100_000;

  static Problem of(ObjectNode line) {
    JsonNode members = line.path("problem");
    if (!members.isObject()) {
      throw new IllegalArgumentException("\"problem\" must be an object");
    }
    return new Problem(members);
  }

  /** A whole number. */
  int whole(String name, int least, int most) {
    int value = LineCommand.integer(members, name);
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "\"%s\" must be from %d to %d, not %d", name, least, most, value));
    }
    return value;
  }

  /** A cost of the schedules. */
  int cost(String name) {
    return whole(name, 0, (int) Tier.MOST_COST);
  }

  /** A list of whole numbers. */
  int[] wholes(String name, int least, int most) {
    JsonNode list = list(name);
    int[] values = new int[list.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = entry(list.get(i), name, i, least, most);
    }
    return values;
  }

  /** So many whole numbers: a list, or one number for all. */
  int[] each(String name, int count, int least, int most) {
    if (!members.path(name).isArray()) {
      int[] values = new int[count];
      Arrays.fill(values, whole(name, least, most));
      return values;
    }
    int[] values = wholes(name, least, most);
    if (values.length != count) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "\"%s\" must have %d entries, not %d", name, count, values.length));
    }
    return values;
  }

  /** The slots of tiers; null is {@link Tier#UNLIMITED}. */
  int[] slots(String name) {
    JsonNode list = list(name);
    int[] values = new int[list.size()];
    for (int i = 0; i < values.length; i++) {
      JsonNode slots = list.get(i);
      values[i] = slots.isNull() ? Tier.UNLIMITED : entry(slots, name, i, 0, Integer.MAX_VALUE);
    }
    return values;
  }

  /** The tiers of {@code caps}, {@code w} and {@code r}. */
  List<Tier> tiers() {
    int[] slots = slots("caps");
    int[] writeCosts = each("w", slots.length, 0, (int) Tier.MOST_COST);
    int[] readCosts = each("r", slots.length, 0, (int) Tier.MOST_COST);
    List<Tier> tiers = new ArrayList<>();
    for (int i = 0; i < slots.length; i++) {
      tiers.add(new Tier("tier " + i, slots[i], writeCosts[i], readCosts[i]));
    }
    return tiers;
  }

  private JsonNode list(String name) {
    JsonNode list = members.path(name);
    if (!list.isArray() || list.isEmpty() || list.size() > LONGEST_LIST) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "\"%s\" must be a list of 1 to %d entries", name, LONGEST_LIST));
    }
    return list;
  }

  private static int entry(JsonNode value, String name, int at, int least, int most) {
    if (!value.canConvertToExactIntegral()
        || !value.canConvertToInt()
        || value.intValue() < least
        || value.intValue() > most) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "\"%s\"[%d] must be from %d to %d, not %s",
              name,
              at,
              least,
              most,
              value));
    }
    return value.intValue();
  }
}
