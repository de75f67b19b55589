package io.cairn.core.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of states in {@code docs/LEASES.md} is what the lease book does. */
class LeasePageTest {
  private static final Path PAGE = Path.of("../docs/LEASES.md");
  private static final Path LEASE = Path.of("src/main/java/io/cairn/core/sharing/Lease.java");
  private static final String BEGIN = "<!-- states: begin -->\n";
  private static final String END = "<!-- states: end -->\n";

  private static final GroupId GROUP = new GroupId("job", "group");
  private static final LeaseId ID = id(1, 1);
  private static final LeaseId OF_THE_NEXT_EPOCH = id(2, 2);
  private static final FilledChunk CHUNK = new FilledChunk(0, 7, 4096, 99);
  private static final long FILL_NANOS = 100;
  private static final long MOVE_NANOS = 100;
  private static final long LONG_NANOS = 1_000;
  private static final List<Integer> IT = List.of(0);
  private static final List<Integer> NONE = List.of();

  /**
   * Events that pin a lease only delay the return of its slots, and a greeting changes no lease;
   * the page says so in words.
   */
  private static final Set<Class<?>> NOT_IN_THE_TABLE =
      Set.of(LeaseEvent.Pin.class, LeaseEvent.Unpin.class, LeaseEvent.BorrowerGreeted.class);

  /** An event as the table calls it, at a time. */
  private record Named(String name, long afterNanos, LongFunction<LeaseEvent> event) {
    static Named of(String name, LeaseEvent event) {
      return new Named(name, 0, now -> event);
    }
  }

  private static final Named ACQUIRE =
      Named.of("Acquire", new LeaseEvent.Offer(new LeaseRequest.Acquire(ID, 1), IT));

  private static final List<Named> EVENTS =
      List.of(
          Named.of("Filled", new LeaseRequest.Filled(ID, List.of(CHUNK))),
          Named.of("Verified, whole", new LeaseEvent.Verified(ID, IT, NONE)),
          Named.of("Verified, damaged", new LeaseEvent.Verified(ID, NONE, IT)),
          Named.of("Flushed", new LeaseEvent.Flushed(ID, IT)),
          new Named("Clock, after the deadline", LONG_NANOS, now -> new LeaseEvent.Clock()),
          Named.of("Acquire, of a later epoch", new LeaseRequest.Acquire(OF_THE_NEXT_EPOCH, 1)),
          new Named(
              "TakeBack, time is left", 0, now -> new LeaseEvent.TakeBack(1, now + MOVE_NANOS)),
          new Named("TakeBack, no time is left", 0, now -> new LeaseEvent.TakeBack(1, now)),
          Named.of("Moved", new LeaseEvent.Moved(ID, NONE)),
          Named.of("Moved, dropped", new LeaseEvent.Moved(ID, IT)),
          Named.of("Release", new LeaseRequest.Release(ID)),
          Named.of("BorrowerDead", new LeaseEvent.BorrowerDead(ID.holder())));

  private static LeaseId id(long nonce, long epoch) {
    return new LeaseId("borrower", nonce, new CheckpointId(GROUP, epoch, 1), 0);
  }

  /** A book with at most one lease, of one slot. */
  private static final class Run {
    private final LeaseBook book = new LeaseBook(1, new LeaseTerms(FILL_NANOS, 10));
    private long nowNanos;
    private boolean acquired;

    List<LeaseAction> on(Named named) {
      acquired = true;
      nowNanos += named.afterNanos();
      return book.on(named.event().apply(nowNanos), nowNanos);
    }

    String state() {
      Optional<Lease> lease = book.leases().stream().filter(l -> l.id.equals(ID)).findFirst();
      if (lease.isEmpty()) {
        return acquired ? "Returned" : "–";
      }
      Lease.State state =
          Arrays.stream(Lease.State.values())
              .filter(one -> lease.get().is(0, one))
              .findFirst()
              .orElseThrow();
      boolean keepsChunk = lease.get().holds(0) || state == Lease.State.AWAY;
      return name(state) + (keepsChunk && lease.get().isFlushed(0) ? ", at NODE" : "");
    }
  }

  /** A lease of which nothing is left exists only while a reader has it pinned. */
  private static String name(Lease.State state) {
    return state == Lease.State.GONE
        ? "Draining"
        : state.name().charAt(0) + state.name().substring(1).toLowerCase(Locale.ROOT);
  }

  private static Run replay(List<Named> path) {
    Run run = new Run();
    path.forEach(run::on);
    return run;
  }

  private record Line(String state, String event, String next, List<LeaseAction> actions) {
    boolean isListed() {
      return !state.equals(next) || actions.stream().anyMatch(LeaseAction.Return.class::isInstance);
    }

    @Override
    public String toString() {
      String asks = actions.stream().flatMap(LeasePageTest::asks).collect(Collectors.joining(", "));
      return "| %s | %s | %s | %s |\n".formatted(state, event, next, asks.isEmpty() ? "–" : asks);
    }
  }

  private static Stream<String> asks(LeaseAction action) {
    if (action instanceof LeaseAction.Send send) {
      return send.answer().id().equals(ID)
          ? Stream.of("send " + send.answer().getClass().getSimpleName())
          : Stream.empty();
    } else if (action instanceof LeaseAction.Return) {
      return Stream.of("return the slot");
    } else if (action instanceof LeaseAction.MoveOrDrop) {
      return Stream.of("move or drop");
    }
    return action instanceof LeaseAction.WakeAt || action instanceof LeaseAction.Over
        ? Stream.empty()
        : Stream.of(action.getClass().getSimpleName().toLowerCase(Locale.ROOT));
  }

  /**
   * Each event that changes a state, or returns a slot; states in the order in which they are met.
   */
  private static List<Line> lines() {
    List<Line> lines = new ArrayList<>();
    Set<String> met = new LinkedHashSet<>(Set.of("–", "Returned"));
    Queue<List<Named>> paths = new ArrayDeque<>();
    explore(List.of(), ACQUIRE, lines, met, paths);
    while (!paths.isEmpty()) {
      List<Named> path = paths.remove();
      EVENTS.forEach(event -> explore(path, event, lines, met, paths));
    }
    return lines;
  }

  private static void explore(
      List<Named> path, Named event, List<Line> lines, Set<String> met, Queue<List<Named>> paths) {
    Run run = replay(path);
    String before = run.state();
    List<LeaseAction> actions;
    try {
      actions = run.on(event);
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageContaining("no pin is open");
      return;
    }
    Line line = new Line(before, event.name(), run.state(), actions);
    if (line.isListed()) {
      lines.add(line);
    }
    if (met.add(line.next())) {
      paths.add(Stream.concat(path.stream(), Stream.of(event)).toList());
    }
  }

  private static String table() {
    return "| state | event | next | asks its carrier to |\n|---|---|---|---|\n"
        + lines().stream().map(Line::toString).collect(Collectors.joining());
  }

  private static String plain(String state) {
    return state.replace(", at NODE", "");
  }

  @Test
  void thePageHasTheTableOfTheBook() throws IOException {
    String page = Files.readString(PAGE);
    String table = table();

    int begin = page.indexOf(BEGIN) + BEGIN.length();

    assertThat(page.substring(begin, page.indexOf(END)))
        .as("docs/LEASES.md between its markers must be:\n%s", table)
        .isEqualTo(table);
  }

  @Test
  void everyStateIsMetAndExplained() throws IOException {
    Set<String> met =
        lines().stream()
            .map(Line::next)
            .map(LeasePageTest::plain)
            .collect(Collectors.toCollection(TreeSet::new));

    Set<String> all = new TreeSet<>(Set.of("Returned"));
    Arrays.stream(Lease.State.values()).forEach(state -> all.add(name(state)));

    assertThat(met).isEqualTo(all);
    String page = Files.readString(PAGE);
    assertThat(all).allSatisfy(state -> assertThat(page).contains("- **" + state + "**:"));
  }

  @Test
  void everyEventIsTriedOrPins() {
    Set<Class<?>> all = new LinkedHashSet<>();
    all.addAll(List.of(LeaseEvent.Local.class.getPermittedSubclasses()));
    all.addAll(List.of(LeaseRequest.class.getPermittedSubclasses()));
    all.removeAll(NOT_IN_THE_TABLE);

    Set<Class<?>> tried =
        Stream.concat(Stream.of(ACQUIRE), EVENTS.stream())
            .map(named -> named.event().apply(0).getClass())
            .collect(Collectors.toSet());

    assertThat(tried).isEqualTo(all);
  }

  /** The Javadoc of the states draws each transition, as "From => To: when ...". */
  @Test
  void theJavadocOfTheStatesDrawsTheSameTransitions() throws IOException {
    Set<String> drawn = new TreeSet<>();
    Matcher arrow =
        Pattern.compile("\\* +(?:<li>)?(\\w+) => (\\w+): ").matcher(Files.readString(LEASE));
    while (arrow.find()) {
      drawn.add(arrow.group(1) + " => " + arrow.group(2));
    }

    Set<String> taken =
        lines().stream()
            .filter(line -> !line.state().equals("–"))
            .map(line -> plain(line.state()) + " => " + plain(line.next()))
            .filter(pair -> !pair.matches("(\\w+) => \\1"))
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(drawn).isEqualTo(taken);
  }
}
