package io.cairn.flush.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Digest;
import io.cairn.core.protocol.Commit;
import io.cairn.core.protocol.CommitOutcome;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of states in {@code docs/COMMIT.md} is the one that the sealed types give. */
class CommitPageTest {
  private static final Path PAGE = Path.of("../docs/COMMIT.md");
  private static final String BEGIN = "<!-- states: begin -->\n";
  private static final String END = "<!-- states: end -->\n";
  private static final Digest OURS = Digest.of(new byte[] {1});
  private static final Digest ANOTHER = Digest.of(new byte[] {2});

  /** An event, and how the table calls it. */
  private record Named(String name, Commit.Event event) {}

  private static <T> T instance(Class<T> type) throws ReflectiveOperationException {
    List<Object> arguments = new ArrayList<>();
    List<Class<?>> types = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      types.add(component.getType());
      arguments.add(
          component.getType() == CommitOutcome.class ? new CommitOutcome.Committed() : "why");
    }
    return type.getDeclaredConstructor(types.toArray(Class<?>[]::new))
        .newInstance(arguments.toArray());
  }

  private static List<Named> events() throws ReflectiveOperationException {
    List<Named> events = new ArrayList<>();
    for (Class<?> type : Commit.Event.class.getPermittedSubclasses()) {
      if (type == Commit.Event.Read.class) {
        events.add(new Named("Read, ours", new Commit.Event.Read(Optional.of(OURS))));
        events.add(new Named("Read, another's", new Commit.Event.Read(Optional.of(ANOTHER))));
        events.add(new Named("Read, absent", new Commit.Event.Read(Optional.empty())));
      } else {
        events.add(new Named(type.getSimpleName(), (Commit.Event) instance(type)));
      }
    }
    events.sort(
        Comparator.comparing((Named named) -> named.event() instanceof Commit.Event.Lost)
            .thenComparing(Named::name));
    return events;
  }

  private static String name(Commit.State state) {
    return state instanceof Commit.State.Done done
        ? "**" + done.outcome().getClass().getSimpleName() + "**"
        : state.getClass().getSimpleName();
  }

  /** One line for each event that each state takes; states in the order in which they are met. */
  private static String table(Set<String> met) throws ReflectiveOperationException {
    StringBuilder table = new StringBuilder("| state | event | next | asks the store to |\n");
    table.append("|---|---|---|---|\n");
    Queue<Commit.State> states = new ArrayDeque<>(List.of(new Commit.State.Ready()));
    met.add(name(states.element()));
    while (!states.isEmpty()) {
      Commit.State state = states.remove();
      for (Named named : events()) {
        Optional<Commit.Step> step = step(state, named.event());
        if (step.isPresent()) {
          Commit.State next = step.get().next().state();
          line(table, name(state), named.name(), name(next), asks(step.get()));
          if (met.add(name(next))) {
            states.add(next);
          }
        }
      }
    }
    return table.toString();
  }

  private static Optional<Commit.Step> step(Commit.State state, Commit.Event event) {
    try {
      return Optional.of(new Commit(state, OURS).on(event));
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageContaining("cannot take");
      return Optional.empty();
    }
  }

  private static String asks(Commit.Step step) {
    return step.actions().isEmpty()
        ? "–"
        : step.actions().stream()
            .map(action -> action.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
  }

  private static void line(StringBuilder table, String... cells) {
    table.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  @Test
  void theTableOnThePageIsThatOfTheTypes() throws Exception {
    String page = Files.readString(PAGE);
    String table = table(new TreeSet<>());
    int begin = page.indexOf(BEGIN) + BEGIN.length();
    assertThat(page.substring(begin, page.indexOf(END)))
        .as("docs/COMMIT.md between its markers must be:\n%s", table)
        .isEqualTo(table);
  }

  @Test
  void everyStateAndEveryOutcomeIsMet() throws Exception {
    Set<String> met = new TreeSet<>();
    table(met);
    Set<String> all =
        Arrays.stream(Commit.State.class.getPermittedSubclasses())
            .map(Class::getSimpleName)
            .filter(name -> !name.equals("Done"))
            .collect(Collectors.toCollection(TreeSet::new));
    for (Class<?> outcome : CommitOutcome.class.getPermittedSubclasses()) {
      all.add("**" + outcome.getSimpleName() + "**");
    }
    assertThat(met).isEqualTo(all);
  }

  @Test
  void thePageNamesEveryOutcome() throws IOException {
    for (Class<?> outcome : CommitOutcome.class.getPermittedSubclasses()) {
      assertThat(Files.readString(PAGE)).contains("- **" + outcome.getSimpleName() + "**:");
    }
  }
}
