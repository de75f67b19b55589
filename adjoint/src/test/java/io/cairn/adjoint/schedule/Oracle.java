package io.cairn.adjoint.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;

/** Values that other programs computed: brute force, and programs written from the papers. */
record Oracle(JsonNode problem, JsonNode answer) {
  /** All cases of a kind. */
  static List<Oracle> of(String kind) {
    try (InputStream file = Oracle.class.getResourceAsStream("/oracles/adjoint.json")) {
      JsonNode all = new ObjectMapper().readTree(Objects.requireNonNull(file)).path("cases");
      return StreamSupport.stream(all.spliterator(), false)
          .filter(one -> one.path("kind").asText().equals(kind))
          .map(one -> new Oracle(one.path("problem"), one.path("answer")))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int given(String name) {
    return problem.required(name).asInt();
  }

  long expected(String name) {
    return answer.required(name).asLong();
  }
}
