package io.cairn.core.flow.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.flow.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** Damaged dumps are read, or refused with the number of a line; nothing else happens. */
class NvidiaSmiFuzzTest {
  private static final String[] SCRAPS = {
    "",
    " ",
    "\t",
    "\n",
    "\r",
    "X",
    "NV",
    "NV1",
    "NV18",
    "PIX",
    "SYS",
    "GPU",
    "GPU0",
    "GPU7",
    "NIC0",
    "mlx5_0",
    "Legend:",
    "\u001B[4m",
    "\u001B[",
    "\u0000",
    "\uD83D",
    "99999999999",
    "GPU99999",
    "-"
  };

  @RepeatedTest(60)
  void damageIsReadOrNamedByLine(RepetitionInfo repetition) {
    int read = 0;
    int refused = 0;
    for (int round = 0; round < 100; round++) {
      long seed = repetition.getCurrentRepetition() * 1_000L + round;
      Random random = new Random(seed);
      String dump = Dumps.NAMES.get(random.nextInt(Dumps.NAMES.size()));
      String text = damaged(Dumps.read(dump + ".txt"), random);
      try {
        Topology topology = NvidiaSmiTopology.parse(text, rates(random));
        assertThat(topology.devices()).as("seed %d, %s", seed, dump).isBetween(1, 256);
        read++;
      } catch (IllegalArgumentException e) {
        int lines = text.split("\n", -1).length;
        assertThat(e).as("seed %d, %s", seed, dump).message().matches("(?s)line \\d+: .+");
        assertThat(
                Integer.parseInt(
                    String.valueOf(e.getMessage()).replaceAll("(?s)^line (\\d+).*", "$1")))
            .as("seed %d, %s", seed, dump)
            .isBetween(1, lines);
        refused++;
      }
    }
    assertThat(read).as("some damage is harmless").isPositive();
    assertThat(refused).as("some damage is not").isPositive();
  }

  private static LinkRates rates(Random random) {
    return random.nextBoolean() ? LinkRates.UNKNOWN : LinkRates.V100;
  }

  private static String damaged(String text, Random random) {
    String result = text;
    for (int times = 1 + random.nextInt(3); times > 0; times--) {
      result = random.nextBoolean() ? ofCharacters(result, random) : ofLines(result, random);
    }
    return result;
  }

  private static String ofCharacters(String text, Random random) {
    int at = random.nextInt(text.length() + 1);
    int end = Math.min(text.length(), at + random.nextInt(4));
    return text.substring(0, at) + SCRAPS[random.nextInt(SCRAPS.length)] + text.substring(end);
  }

  private static String ofLines(String text, Random random) {
    List<String> lines = new ArrayList<>(Arrays.asList(text.split("\n", -1)));
    int at = random.nextInt(lines.size());
    switch (random.nextInt(4)) {
      case 0 -> lines.remove(at);
      case 1 -> lines.add(random.nextInt(lines.size()), lines.get(at));
      case 2 -> Collections.swap(lines, at, random.nextInt(lines.size()));
      default -> lines.subList(at, lines.size()).clear();
    }
    return String.join("\n", lines);
  }
}
