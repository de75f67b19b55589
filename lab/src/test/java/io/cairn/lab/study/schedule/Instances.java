package io.cairn.lab.study.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Problems as lines. */
final class Instances {
  static final ObjectMapper JSON = new ObjectMapper();

  private Instances() {}

  /** Copies a resource of independently computed optima, or their problems, into a file. */
  static Path oracle(String name, Path directory) throws IOException {
    Path file = directory.resolve(name);
    try (InputStream in =
        Objects.requireNonNull(Instances.class.getResourceAsStream("/oracles/" + name), name)) {
      Files.copy(in, file);
    }
    return file;
  }

  static List<JsonNode> parsed(List<String> lines) throws IOException {
    List<JsonNode> parsed = new ArrayList<>();
    for (String line : lines) {
      parsed.add(JSON.readTree(line));
    }
    return parsed;
  }

  /** The published example: two senders, two receivers, on a DGX-1 with links of 24 GB/s. */
  static ObjectNode published() {
    int[][] counts = {
      {0, 1, 1, 2, 2, 0, 0, 0},
      {1, 0, 2, 1, 0, 2, 0, 0},
      {1, 2, 0, 2, 0, 0, 1, 0},
      {2, 1, 2, 0, 0, 0, 0, 1},
      {2, 0, 0, 0, 0, 1, 1, 2},
      {0, 2, 0, 0, 1, 0, 2, 1},
      {0, 0, 1, 0, 1, 2, 0, 2},
      {0, 0, 0, 1, 2, 1, 2, 0}
    };
    List<List<Long>> links = new ArrayList<>();
    for (int from = 0; from < 8; from++) {
      for (int to = 0; to < 8; to++) {
        if (counts[from][to] > 0) {
          links.add(List.of((long) from, (long) to, counts[from][to] * 24_000_000_000L));
        }
      }
    }
    ObjectNode problem = JSON.createObjectNode().put("id", "published").put("devices", 8);
    problem.set(
        "remainderBytes",
        JSON.valueToTree(new long[] {480_000_000, 0, 0, 0, 0, 0, 240_000_000, 0}));
    problem.set(
        "spareBytes", JSON.valueToTree(new long[] {0, 200_000_000, 0, 0, 480_000_000, 0, 0, 0}));
    problem.set("linkBytesPerSecond", JSON.valueToTree(links));
    long[] host = new long[8];
    Arrays.fill(host, 12_000_000_000L);
    problem.set("hostLinkBytesPerSecond", JSON.valueToTree(host));
    return problem.put("chunkBytes", 1_000_000);
  }

  /** Two devices that are linked, the first with 1000 bytes too many. */
  static String small(String id) {
    return """
    {"id":"%s","devices":2,"remainderBytes":[1000,0],"spareBytes":[0,2000],\
    "linkBytesPerSecond":[[0,1,300]],"hostLinkBytesPerSecond":[100,100],"chunkBytes":1}\
    """
        .formatted(id);
  }
}
