package io.cairn.engine.nodes;

import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.protocol.RankHolding;
import io.cairn.core.wire.NodeSite;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.engine.events.Repeats;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the other nodes of the job for their checkpoints: the desk for the processes that serve
 * them, then one process of each node, all at once. A process that gives no answer is passed over.
 * For {@value #QUIET_SECONDS} seconds only surveys ask it again, each with a short patience. Once
 * it answers one of these, it is not passed over any more. One that refuses is alive: it is asked
 * again for one patience, and never passed over. Thread-safe.
 */
final class OtherNodes {
  private static final Logger LOG = LoggerFactory.getLogger(OtherNodes.class);
  private static final long QUIET_SECONDS = 60;

  /** A process that recovered answers within this; one that is lost costs each survey no more. */
  private static final Duration SHORT_PATIENCE = Duration.ofMillis(500);

  private static final Duration PAUSE = Duration.ofMillis(250);

  /** Processes of one node that may leave a question unanswered; one that is gone costs no time. */
  private static final int MOST_SILENT = 2;

  private final Asking asking;
  private final NodeSite self;
  private final PeerAddress desk;
  private final LongSupplier nanoTime;
  private final Repeats repeats;

  /** Processes that gave no answer, the desk included, with the time of that. */
  private final Map<PeerAddress, Long> quiet = new ConcurrentHashMap<>();

  /** Surveys that a process refused last, with the time of the first refusal in a row. */
  private final Map<Refused, Long> refusing = new ConcurrentHashMap<>();

  /** Processes that left a read unanswered; an answer to a survey proves nothing about reads. */
  private final Map<PeerAddress, Long> unread = new ConcurrentHashMap<>();

  /** The processes of the desk's last answer. */
  private volatile List<NodeSite> known = List.of();

  /** Of a group at a level: another directory of the process may be sound. */
  private record Refused(PeerAddress process, Level level, GroupId group) {
    static Refused of(NodeSite site, PeerRequest.SurveyNode question) {
      return new Refused(site.address(), question.level(), question.member().group());
    }
  }

  /** The checkpoints at one node. */
  record Found(NodeSite site, List<RankHolding> holdings) {}

  /**
   * The answers of the other nodes.
   *
   * @param found the nodes with checkpoints
   * @param unanswered the other nodes that gave no answer, with how long they have given none
   */
  record Survey(List<Found> found, Map<String, Duration> unanswered) {
    /** Copies both. */
    Survey {
      found = List.copyOf(found);
      unanswered = Map.copyOf(unanswered);
    }

    /**
     * The failure if something is not found that a node may have which gave no answer.
     *
     * @param which node may have it
     * @param patience one that has given no answer for so long is lost
     */
    Optional<IOException> unknown(Predicate<String> which, Duration patience) {
      Duration longest = Duration.ofSeconds(QUIET_SECONDS); // older silence is not known
      Duration most = patience.compareTo(longest) < 0 ? patience : longest.minus(PAUSE);
      return unanswered.entrySet().stream()
          .filter(node -> which.test(node.getKey()) && node.getValue().compareTo(most) < 0)
          .map(Map.Entry::getKey)
          .sorted()
          .findFirst()
          .map(node -> new IOException(node + " gives no answer, and may have it"));
    }
  }

  /**
   * The nodes that this desk knows.
   *
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  OtherNodes(Asking asking, NodeSite self, PeerAddress desk, LongSupplier nanoTime) {
    this.asking = asking;
    this.self = self;
    this.desk = desk;
    this.nanoTime = nanoTime;
    this.repeats = new Repeats(nanoTime);
  }

  /**
   * Registers this process at the desk.
   *
   * @return the other processes that serve their nodes, which may be this one's
   * @throws IOException if the desk does not answer
   */
  List<NodeSite> register() throws IOException {
    return register(asking);
  }

  private List<NodeSite> register(Asking patient) throws IOException {
    List<NodeSite> sites =
        patient
            .await(
                patient.ask(desk, new PeerRequest.ServeNode(self), PeerReply.Nodes.class),
                "the desk at " + desk)
            .sites();
    quiet.remove(desk);
    known = sites;
    return sites;
  }

  /** This process. */
  NodeSite self() {
    return self;
  }

  /** The processes of other nodes by the desk's last answer, but those that gave no answer. */
  List<NodeSite> reachable() {
    return processes().stream().filter(site -> !site.node().equals(self.node())).toList();
  }

  /** Likewise, with the other processes of this node. */
  List<NodeSite> processes() {
    forgetQuiet();
    return known.stream().filter(site -> !quiet.containsKey(site.address())).toList();
  }

  /**
   * Whether a process of this node is registered, and neither gave no answer nor refused the last
   * survey; the own node is.
   */
  boolean isReached(String node) {
    if (node.equals(self.node())) {
      return true;
    }
    try {
      List<NodeSite> unused = sites();
    } catch (IOException e) {
      LOG.debug("the desk does not say whether {} is served", node, e);
      return false;
    }
    return reachable().stream().anyMatch(site -> site.node().equals(node) && !isRefusing(site));
  }

  private boolean isRefusing(NodeSite site) {
    return refusing.keySet().stream().anyMatch(each -> each.process().equals(site.address()));
  }

  /** Whether a process left a read unanswered a moment ago. */
  boolean leavesReadsUnanswered(NodeSite site) {
    forgetQuiet();
    return unread.containsKey(site.address());
  }

  /** Reads nothing from a process for a while, since it left a read unanswered. */
  void passOverReads(NodeSite site) {
    unread.putIfAbsent(site.address(), nanoTime.getAsLong());
    passOver(site);
  }

  /** Does not ask a process for a while, since it gave no answer. */
  void passOver(NodeSite site) {
    quiet.putIfAbsent(site.address(), nanoTime.getAsLong());
  }

  /** A process answers again. */
  void answers(NodeSite site) {
    quiet.remove(site.address());
  }

  /**
   * The checkpoints of a rank and its group at every other node that answers.
   *
   * @param level NODE, or PEER for copies that nodes keep for others
   * @param birth of the group
   * @throws IOException if the desk does not answer
   */
  Survey survey(Level level, Member member, String birth) throws IOException {
    forgetQuiet();
    PeerRequest.SurveyNode question = new PeerRequest.SurveyNode(level, member, birth);
    Map<String, List<NodeSite>> nodes = byNode(sites());
    Map<String, CompletableFuture<Found>> asked = new TreeMap<>();
    nodes.forEach((node, sites) -> asked.put(node, ask(sites, question)));
    List<Found> found = new ArrayList<>();
    Map<String, Duration> unanswered = new TreeMap<>();
    for (Map.Entry<String, CompletableFuture<Found>> answer : asked.entrySet()) {
      String node = answer.getKey();
      try {
        Found at = asking.await(answer.getValue(), node);
        if (!at.holdings().isEmpty()) {
          found.add(at);
        }
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException e) {
        LOG.debug("the checkpoints at {} are unknown", node, e);
        unanswered.put(node, silence(nodes.getOrDefault(node, List.of()), question));
      }
    }
    return new Survey(found, unanswered);
  }

  /** How long the processes of a node have given no answer, by the one that began last. */
  private Duration silence(List<NodeSite> sites, PeerRequest.SurveyNode question) {
    long now = nanoTime.getAsLong();
    return sites.stream()
        .flatMap(
            site ->
                Stream.concat(
                    Stream.ofNullable(quiet.get(site.address())),
                    Stream.ofNullable(refusing.get(Refused.of(site, question)))))
        .map(since -> Duration.ofNanos(now - since))
        .min(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  /** The other processes; a silent desk costs one long wait. */
  private List<NodeSite> sites() throws IOException {
    try {
      return register(patienceWith(desk));
    } catch (InterruptedIOException e) {
      throw e; // a cancelled rank proves nothing about the desk
    } catch (IOException e) {
      quiet.putIfAbsent(desk, nanoTime.getAsLong());
      throw e;
    }
  }

  /** Asks for a short time alone if a process or the desk left a question unanswered lately. */
  Asking patienceWith(PeerAddress peer) {
    forgetQuiet();
    return quiet.containsKey(peer) ? asking.within(SHORT_PATIENCE) : asking;
  }

  private void forgetQuiet() {
    long now = nanoTime.getAsLong();
    long quietNanos = Duration.ofSeconds(QUIET_SECONDS).toNanos();
    quiet.values().removeIf(since -> now - since >= quietNanos);
    refusing.values().removeIf(since -> now - since >= quietNanos);
    unread.values().removeIf(since -> now - since >= quietNanos);
  }

  /** The processes that are asked, by node. */
  private Map<String, List<NodeSite>> byNode(List<NodeSite> sites) {
    Map<String, List<NodeSite>> nodes = new TreeMap<>();
    for (NodeSite site : sites) {
      if (!site.node().equals(self.node())) {
        nodes.computeIfAbsent(site.node(), n -> new ArrayList<>()).add(site);
      }
    }
    return nodes;
  }

  private List<NodeSite> passedOverLast(List<NodeSite> sites) {
    Map<Boolean, List<NodeSite>> byQuiet =
        sites.stream().collect(Collectors.partitioningBy(s -> quiet.containsKey(s.address())));
    return byQuiet.values().stream().flatMap(List::stream).toList(); // false comes first
  }

  /** One node's answer. While a process of it refuses, as a busy one does, it is asked again. */
  private CompletableFuture<Found> ask(List<NodeSite> sites, PeerRequest.SurveyNode question) {
    return ask(passedOverLast(sites), question, MOST_SILENT)
        .exceptionallyCompose(
            failure ->
                isBusy(sites, question)
                    ? askLater(sites, question)
                    : CompletableFuture.failedFuture(failure));
  }

  private CompletableFuture<Found> askLater(List<NodeSite> sites, PeerRequest.SurveyNode question) {
    CompletableFuture<Void> pause = new CompletableFuture<>();
    asking.waits().runAfter(() -> pause.complete(null), PAUSE.toNanos());
    return pause.thenCompose(over -> ask(sites, question));
  }

  /** Whether a process has refused for less than one patience. */
  private boolean isBusy(List<NodeSite> sites, PeerRequest.SurveyNode question) {
    long now = nanoTime.getAsLong();
    return sites.stream()
        .flatMap(site -> Stream.ofNullable(refusing.get(Refused.of(site, question))))
        .anyMatch(since -> now - since < asking.patience().toNanos());
  }

  /** The answer of the first process that gives one; fails if none does. */
  private CompletableFuture<Found> ask(
      List<NodeSite> sites, PeerRequest.SurveyNode question, int mostSilent) {
    NodeSite first = sites.get(0);
    return patienceWith(first.address())
        .ask(first.address(), question, PeerReply.AtNode.class)
        .thenApply(answer -> found(first, question, answer))
        .exceptionallyCompose(
            failure -> {
              note(first, question, failure);
              boolean atOnce = Asking.isGone(failure) || Asking.isRefusal(failure);
              int left = atOnce ? mostSilent : mostSilent - 1;
              return sites.size() > 1 && left > 0
                  ? ask(sites.subList(1, sites.size()), question, left)
                  : CompletableFuture.failedFuture(failure);
            });
  }

  private Found found(NodeSite site, PeerRequest.SurveyNode question, PeerReply.AtNode answer) {
    for (RankHolding holding : answer.holdings()) {
      if (!holding.id().group().equals(question.member().group())) {
        throw new IllegalArgumentException(site + " answers with " + holding.id());
      }
    }
    answers(site);
    refusing.remove(Refused.of(site, question));
    return new Found(site, answer.holdings());
  }

  private void note(NodeSite site, PeerRequest.SurveyNode question, Throwable failure) {
    if (Asking.isRefusal(failure)) {
      refusing.putIfAbsent(Refused.of(site, question), nanoTime.getAsLong());
    } else {
      refusing.remove(Refused.of(site, question));
      passOver(site);
    }
    repeats
        .pass(site)
        .ifPresent(more -> LOG.warn("Checkpoints at {} are passed over{}", site, more, failure));
  }
}
