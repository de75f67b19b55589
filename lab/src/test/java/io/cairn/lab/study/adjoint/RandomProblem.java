package io.cairn.lab.study.adjoint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Random;

/** Small problems, as lines of input. */
final class RandomProblem {
  private final Random random;
  private final ObjectNode line = JsonNodeFactory.instance.objectNode();
  private final ObjectNode problem;

  private RandomProblem(String kind, int seed) {
    random = new Random(seed);
    line.put("id", seed).put("kind", kind);
    problem = line.putObject("problem");
  }

  /** Of a kind whose actions are printed; every second one is of tiers, ordered or not. */
  static ObjectNode of(int seed) {
    return switch (seed % 8) {
      case 0 -> new RandomProblem("binomial", seed).upTo("n", 1, 200).upTo("s", 1, 10).line;
      case 2 -> new RandomProblem("online", seed).upTo("n", 1, 200).upTo("s", 1, 10).line;
      case 4 -> new RandomProblem("disk", seed).upTo("n", 1, 100).upTo("ram", 1, 8).disk().line;
      case 6 -> new RandomProblem("overlap", seed).upTo("n", 1, 200).costs().tiers().line;
      default -> new RandomProblem("tiers", seed).upTo("n", 1, 16).costs().tiers().line;
    };
  }

  /** Of the kind that has a period. */
  static ObjectNode periodic(int seed) {
    return new RandomProblem("periodic", seed)
        .upTo("n", 1, 200)
        .upTo("period", 1, 60)
        .upTo("ram", 0, 6)
        .line;
  }

  private RandomProblem upTo(String name, int least, int most) {
    problem.put(name, least + random.nextInt(most - least + 1));
    return this;
  }

  private RandomProblem costs() {
    return upTo("uf", 0, 9).upTo("ub", 0, 9);
  }

  private RandomProblem disk() {
    return costs().upTo("wd", 0, 20).upTo("rd", 0, 20);
  }

  /** One to three tiers, the first one with a slot. */
  private RandomProblem tiers() {
    ArrayNode caps = problem.putArray("caps");
    ArrayNode writes = problem.putArray("w");
    ArrayNode reads = problem.putArray("r");
    int tiers = 1 + random.nextInt(3);
    int scale = 1 + random.nextInt(20);
    boolean isOrdered = random.nextInt(3) == 0;
    for (int tier = 0, write = 0, read = 0; tier < tiers; tier++) {
      int slots = tier == 0 ? 1 + random.nextInt(3) : random.nextInt(5) - 1;
      if (slots < 0) {
        caps.addNull();
      } else {
        caps.add(slots);
      }
      write = random.nextInt(scale) + (isOrdered ? write : 0);
      read = random.nextInt(scale) + (isOrdered ? read : 0);
      writes.add(write);
      reads.add(read);
    }
    return this;
  }
}
