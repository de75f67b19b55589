package io.cairn.core.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Digest;
import io.cairn.core.protocol.Commit.Event;
import io.cairn.core.protocol.Commit.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every state of a commit against every event: what happens, or that it is refused. */
class CommitTest {
  private static final Digest OURS = Digest.of("ours".getBytes(UTF_8));
  private static final Digest OTHERS = Digest.of("another's".getBytes(UTF_8));

  private static final Map<String, Event> EVENTS =
      Map.of(
          "Begin", new Event.Begin(),
          "Written", new Event.Written(),
          "Published", new Event.Published(),
          "Exists", new Event.Exists(),
          "Read ours", new Event.Read(Optional.of(OURS)),
          "Read another's", new Event.Read(Optional.of(OTHERS)),
          "Read nothing", new Event.Read(Optional.empty()),
          "Deleted", new Event.Deleted(),
          "Missing", new Event.Missing(),
          "Lost", new Event.Lost("timeout"));

  private static final List<State> STATES =
      List.of(
          new State.Ready(),
          new State.Writing(),
          new State.Publishing(),
          new State.ReadingBack(),
          new State.Doubting("doubt"),
          new State.Withdrawing("reason"),
          new State.Confirming("reason"),
          new State.Settling("doubt"),
          new State.Tidying(),
          new State.Done(new CommitOutcome.Committed()),
          new State.Done(new CommitOutcome.Failed("reason")),
          new State.Done(new CommitOutcome.Unknown("reason")));

  /** State, event, next state or outcome, action; every other pair is refused. */
  private static final String TABLE =
      """
      Ready        | Begin          | Writing      | WRITE
      Writing      | Written        | Publishing   | PUBLISH
      Writing      | Lost           | Withdrawing  | DELETE
      Publishing   | Published      | ReadingBack  | READ
      Publishing   | Exists         | Doubting     | READ
      Publishing   | Lost           | Doubting     | READ
      ReadingBack  | Read ours      | Committed    |
      ReadingBack  | Read another's | Withdrawing  | DELETE
      ReadingBack  | Read nothing   | Withdrawing  | DELETE
      ReadingBack  | Lost           | Unknown      |
      Doubting     | Read ours      | Settling     | WRITE
      Doubting     | Read another's | Withdrawing  | DELETE
      Doubting     | Read nothing   | Withdrawing  | DELETE
      Doubting     | Lost           | Unknown      |
      Withdrawing  | Deleted        | Confirming   | READ
      Withdrawing  | Missing        | Unknown      |
      Withdrawing  | Lost           | Unknown      |
      Confirming   | Read ours      | Settling     | WRITE
      Confirming   | Read another's | Failed       |
      Confirming   | Read nothing   | Failed       |
      Confirming   | Lost           | Unknown      |
      Settling     | Written        | Tidying      | DELETE
      Settling     | Lost           | Unknown      |
      Tidying      | Deleted        | Committed    |
      Tidying      | Missing        | Committed    |
      Tidying      | Lost           | Committed    |
      """;

  private record Row(String next, List<Commit.Action> actions) {}

  static Stream<Arguments> pairs() {
    Map<String, Row> rows =
        TABLE
            .lines()
            .map(line -> line.split("\\|", -1))
            .collect(Collectors.toMap(CommitTest::key, CommitTest::row));
    List<Arguments> pairs = new ArrayList<>();
    for (State state : STATES) {
      for (String event : EVENTS.keySet().stream().sorted().toList()) {
        String key = name(state) + " | " + event;
        pairs.add(Arguments.of(state, event, Optional.ofNullable(rows.get(key))));
      }
    }
    return pairs.stream();
  }

  @ParameterizedTest(name = "{0} on {1}: {2}")
  @MethodSource("pairs")
  void everyStateTakesOrRefusesEveryEvent(State state, String event, Optional<Row> expected) {
    Commit commit = new Commit(state, OURS);
    Event happens = Optional.ofNullable(EVENTS.get(event)).orElseThrow();
    if (expected.isEmpty()) {
      assertThatThrownBy(() -> commit.on(happens))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(state.toString())
          .hasMessageContaining(happens.toString());
      return;
    }
    Commit.Step step = commit.on(happens);
    assertThat(nameOf(step.next())).isEqualTo(expected.get().next());
    assertThat(step.actions()).isEqualTo(expected.get().actions());
    assertThat(step.next().ours()).isEqualTo(OURS);
  }

  @Test
  void tableNamesNoPairThatDoesNotExist() {
    long found = pairs().filter(pair -> ((Optional<?>) pair.get()[2]).isPresent()).count();
    assertThat(found).isEqualTo(TABLE.lines().count());
  }

  @Test
  void tableCoversEverySealedSubtype() {
    assertThat(STATES.stream().map(Object::getClass).distinct())
        .containsExactlyInAnyOrder(State.class.getPermittedSubclasses());
    assertThat(EVENTS.values().stream().map(Object::getClass).distinct())
        .containsExactlyInAnyOrder(Event.class.getPermittedSubclasses());
  }

  @Test
  void anUnknownOutcomeSaysWhy() {
    Commit.Step step =
        Commit.of(OURS)
            .on(new Event.Begin())
            .next()
            .on(new Event.Written())
            .next()
            .on(new Event.Lost("connection reset"))
            .next()
            .on(new Event.Lost("timeout"));
    assertThat(step.next().outcome())
        .contains(
            new CommitOutcome.Unknown(
                "publish unanswered: connection reset, and not read back: timeout"));
  }

  @Test
  void hasNoOutcomeBeforeItIsOver() {
    assertThat(Commit.of(OURS).outcome()).isEmpty();
    assertThat(Commit.of(OURS).on(new Event.Begin()).next().outcome()).isEmpty();
  }

  private static String key(String[] line) {
    return line[0].strip() + " | " + line[1].strip();
  }

  private static Row row(String[] line) {
    String action = line[3].strip();
    return new Row(
        line[2].strip(), action.isEmpty() ? List.of() : List.of(Commit.Action.valueOf(action)));
  }

  private static String nameOf(Commit commit) {
    return commit.outcome().map(CommitTest::name).orElseGet(() -> name(commit.state()));
  }

  private static String name(Object value) {
    return value.getClass().getSimpleName();
  }
}
