package io.cairn.core.flow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Instances with optima that were computed independently, from the resources beside the tests. */
record OracleInstance(String id, FlowProblem problem, JsonNode expected) {
  private static final ObjectMapper JSON = new ObjectMapper();

  double expected(String key) {
    return expected.get(key).asDouble();
  }

  boolean feasible() {
    return expected.get("feasible").asBoolean();
  }

  @Override
  public String toString() {
    return id;
  }

  static Stream<OracleInstance> all(String kind) {
    Map<String, JsonNode> expected = new HashMap<>();
    for (JsonNode line : lines("/oracles/" + kind + "-expected.jsonl")) {
      expected.put(line.get("id").asText(), line);
    }
    return lines("/oracles/" + kind + "-instances.jsonl").stream()
        .map(
            line -> {
              String id = line.get("id").asText();
              return new OracleInstance(
                  id, problem(line), Objects.requireNonNull(expected.get(id)));
            });
  }

  private static FlowProblem problem(JsonNode line) {
    int devices = line.get("devices").asInt();
    TopologyBuilder topology = Topology.builder(devices);
    line.get("linkBytesPerSecond")
        .forEach(l -> topology.link(l.get(0).asInt(), l.get(1).asInt(), l.get(2).asDouble()));
    for (int device = 0; device < devices; device++) {
      topology.host(device, line.get("hostLinkBytesPerSecond").get(device).asDouble());
      if (line.has("egressBytesPerSecond")) {
        topology.egress(device, line.get("egressBytesPerSecond").get(device).asDouble());
      }
      if (line.has("ingressBytesPerSecond")) {
        topology.ingress(device, line.get("ingressBytesPerSecond").get(device).asDouble());
      }
    }
    line.path("hostLinkGroups")
        .forEach(g -> topology.sharedHostLink(members(g), g.get("bytesPerSecond").asDouble()));
    line.path("nodes")
        .forEach(n -> topology.node(members(n), n.get("nicBytesPerSecond").asDouble()));
    return new FlowProblem(
        topology.build(),
        longs(line.get("remainderBytes")),
        longs(line.get("spareBytes")),
        line.get("chunkBytes").asLong());
  }

  private static List<Integer> members(JsonNode group) {
    List<Integer> members = new ArrayList<>();
    group.get("devices").forEach(device -> members.add(device.asInt()));
    return members;
  }

  private static long[] longs(JsonNode array) {
    long[] values = new long[array.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = array.get(i).asLong();
    }
    return values;
  }

  private static List<JsonNode> lines(String resource) {
    InputStream stream = OracleInstance.class.getResourceAsStream(resource);
    if (stream == null) {
      throw new IllegalStateException("no resource " + resource);
    }
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      List<JsonNode> lines = new ArrayList<>();
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(JSON.readTree(line));
      }
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
