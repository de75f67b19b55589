package io.cairn.lab.bench.collaborative;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerService;
import io.cairn.core.sharing.DeskMessage;
import io.cairn.core.sharing.DeskMessage.Report;
import io.cairn.core.sharing.PlanAnswer;
import io.cairn.core.sharing.PlanAnswer.PlannedLease;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.net.TcpPeerTransport;
import io.cairn.process.Command;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** A process of its own that speaks for some of a group's ranks. */
final class RankProcess {
  private static final String HOST = "127.0.0.1";
  private static final long PATIENCE_SECONDS = 60;

  private final TcpPeerTransport transport;
  private final Ranks ranks;
  private final PeerAddress desk;
  private final int first;
  private final int count;

  /** The open requests, as far as known, and the answers to come. */
  private final List<Report> reports = new ArrayList<>();

  private final List<CompletableFuture<byte[]>> open = new ArrayList<>();

  private RankProcess(
      TcpPeerTransport transport, Ranks ranks, PeerAddress desk, int first, int count) {
    this.transport = transport;
    this.ranks = ranks;
    this.desk = desk;
    this.first = first;
    this.count = count;
  }

  /**
   * Starts one for the ranks {@code first} to {@code first + count - 1}, at the desk of a port.
   *
   * @param elsewhere whether it stands for other machines: then it runs when nobody else does
   */
  static Child start(Ranks ranks, int port, int first, int count, boolean elsewhere)
      throws IOException {
    Command command =
        Command.java(RankProcess.class, port, ranks.size(), ranks.seed(), first, count).small(256);
    return Child.start(elsewhere ? command.inside(List.of("nice", "-n", "19")) : command);
  }

  /** The process's entry; see {@link #start}. */
  public static void main(String[] arguments) throws IOException {
    int[] numbers = new int[5];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = Integer.parseInt(arguments[i]);
    }
    PeerLimits limits = CoordinatorBenchmark.LIMITS;
    try (TcpPeerTransport transport =
        TcpPeerTransport.open(HOST, 0, CoordinatorBenchmark.SECRET, new NoService(), limits)) {
      RankProcess process =
          new RankProcess(
              transport,
              new Ranks(numbers[1], numbers[2]),
              new PeerAddress(HOST, numbers[0]),
              numbers[3],
              numbers[4]);
      Child.serve(System.in, System.out, process::handle);
    }
  }

  private String handle(List<String> words) throws Exception {
    return switch (words.get(0)) {
      case "register" -> register();
      case "report" -> report(Long.parseLong(words.get(1)), Integer.parseInt(words.get(2)));
      case "await" -> awaitAnswers();
      case "rounds" -> rounds(Long.parseLong(words.get(1)), Integer.parseInt(words.get(2)));
      default -> throw new IllegalArgumentException("there is no command " + words);
    };
  }

  private CompletableFuture<byte[]> ask(DeskMessage message) {
    return transport.ask(desk, Wire.encode(new PeerRequest.Desk(message))).toCompletableFuture();
  }

  private String register() throws Exception {
    List<CompletableFuture<byte[]>> asked = new ArrayList<>();
    for (int rank = first; rank < first + count; rank++) {
      asked.add(ask(new DeskMessage.Registered(ranks.site(rank))));
    }
    for (CompletableFuture<byte[]> one : asked) {
      get(one);
    }
    return "registered";
  }

  /** Reports all ranks but the last {@code without}. */
  private String report(long iteration, int without) {
    for (int rank = first + reports.size(); rank < first + count - without; rank++) {
      Report report = ranks.report(rank, iteration);
      reports.add(report);
      open.add(ask(report));
    }
    return "reported";
  }

  private String awaitAnswers() throws Exception {
    for (int i = 0; i < open.size(); i++) {
      check(reports.get(i), get(open.get(i)));
    }
    open.clear();
    reports.clear();
    return "answered";
  }

  /** One report after the other, each as soon as the one before is answered; the times of all. */
  private String rounds(long firstIteration, int rounds) throws Exception {
    List<Long> nanos = new ArrayList<>();
    for (long iteration = firstIteration; iteration < firstIteration + rounds; iteration++) {
      Report report = ranks.report(first, iteration);
      byte[] question = Wire.encode(new PeerRequest.Desk(report));
      long start = System.nanoTime();
      byte[] answer = get(transport.ask(desk, question).toCompletableFuture());
      nanos.add(System.nanoTime() - start);
      check(report, answer);
    }
    return nanos.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }

  private static byte[] get(CompletableFuture<byte[]> stage)
      throws ExecutionException, InterruptedException, TimeoutException {
    return stage.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /** Everything of the remainder has a place, by a plan. */
  private static void check(Report report, byte[] bytes) {
    PlanAnswer answer = Wire.decode(bytes, PeerReply.Planned.class).answer();
    if (answer instanceof PlanAnswer.Part part && part.reason().isEmpty()) {
      int placed = part.hostChunks() + part.leases().stream().mapToInt(PlannedLease::chunks).sum();
      if (placed == report.remainderChunks()) {
        return;
      }
    }
    throw new IllegalStateException(report + " was answered by " + answer);
  }

  /** Ranks serve nobody. */
  private static final class NoService implements PeerService {
    @Override
    public CompletionStage<byte[]> answer(byte[] request) {
      return CompletableFuture.failedFuture(new IOException("ranks answer no questions"));
    }
  }
}
