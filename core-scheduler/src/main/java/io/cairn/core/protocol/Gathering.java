package io.cairn.core.protocol;

import io.cairn.core.protocol.CoordinatorAction.ClaimEpoch;
import io.cairn.core.protocol.CoordinatorAction.Remind;
import io.cairn.core.protocol.CoordinatorAction.ReportTrouble;
import io.cairn.core.protocol.CoordinatorAction.TakeLater;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The wait of a group for all of its ranks, until an epoch begins: who waits, the claim of an epoch
 * once nobody is missing, and the reports and the end of a wait that lasts. Not thread-safe.
 */
final class Gathering {
  private final Roster roster;
  private final JoinWatch watch;
  private final ActionList actions;

  /** Of the join that came last, by rank. */
  private final Map<Integer, Origin> origins = new TreeMap<>();

  /** Joins of another birth than the ranks that wait or are members, by incarnation. */
  private final Map<String, MemberMessage.Join> strangers = new LinkedHashMap<>();

  /** Of the group, as those say that wait or are members. */
  private String birth = "";

  private boolean remindsLater;

  Gathering(Roster roster, int size, Duration joinTimeout, ActionList actions) {
    this.roster = roster;
    this.watch = new JoinWatch(size, joinTimeout.toNanos());
    this.actions = actions;
  }

  /**
   * Sets a join aside whose rank found another birth of the group than the others did. It ends and
   * replaces nothing before the carrier has looked which is the right one.
   *
   * @return whether it did
   */
  boolean setsAside(MemberMessage.Join join) {
    boolean alone = !roster.anyWaits() && !roster.anyIsMember();
    if (alone || join.origin().birth().equals(birth)) {
      return false;
    }
    if (strangers.isEmpty()) {
      actions.add(new CoordinatorAction.FindBirth());
    }
    strangers.put(join.incarnation(), join);
    return true;
  }

  /** The nodes by rank of the joins that came last. */
  List<String> nodes() {
    return origins.values().stream().map(Origin::node).toList();
  }

  /** Whether a join is set aside. */
  boolean hasStrangers() {
    return !strangers.isEmpty();
  }

  /** A join that was set aside was given up. */
  void forget(String incarnation) {
    strangers.remove(incarnation);
  }

  /** The joins that were set aside, of which the caller decides. */
  List<MemberMessage.Join> takeStrangers() {
    List<MemberMessage.Join> taken = List.copyOf(strangers.values());
    strangers.clear();
    return taken;
  }

  /** Whether those that wait or are members found this birth. */
  boolean isOf(String found) {
    return birth.equals(found);
  }

  /** The ranks that wait found another birth, and cannot join. */
  void refuseOthers(Function<Integer, String> reason) {
    roster
        .refuseWaiting()
        .forEach(
            (rank, incarnation) ->
                actions.send(
                    rank, incarnation, new CoordinatorMessage.Refused(reason.apply(rank))));
  }

  /** An incarnation waits from now on, in the place of an earlier one of its rank. */
  void await(MemberMessage.Join join, long nowNanos) {
    int rank = join.rank();
    String incarnation = join.incarnation();
    birth = join.origin().birth();
    origins.put(rank, join.origin());
    if (!roster.isWaiting(rank, incarnation)) {
      watch.restart(nowNanos);
    }
    roster
        .await(rank, incarnation)
        .ifPresent(
            before ->
                actions.send(
                    rank, before, new CoordinatorMessage.Fenced("a later attempt joined")));
    claimIfComplete();
    remindLater(nowNanos);
  }

  /** The members of an epoch that begins no more wait for a later one. */
  void awaitAgain(long epoch, long nowNanos) {
    origins.replaceAll((rank, origin) -> origin.atLeast(epoch));
    roster.awaitAgain();
    watch.restart(nowNanos);
    remindLater(nowNanos);
  }

  /** The claim succeeded; returns whether the epoch begins with those that it was for. */
  boolean begins(long nowNanos) {
    if (!roster.begin()) {
      claimIfComplete();
      return false;
    }
    watch.restart(nowNanos);
    return true;
  }

  /**
   * Asks for an epoch above that of a checkpoint, in the place of one that has begun.
   *
   * @param instead the epoch that has begun
   * @param above the epoch of the checkpoint
   */
  void takeLater(long instead, long above) {
    Map<Integer, Origin> raised = new TreeMap<>();
    origins.forEach((rank, origin) -> raised.put(rank, origin.atLeast(above)));
    actions.add(new TakeLater(instead, raised));
  }

  /** The ranks that wait are over, for this reason. */
  void fence(String reason) {
    actions.sendAll(roster.refuseWaiting(), new CoordinatorMessage.Fenced(reason));
  }

  /** The claim was refused, for this reason, which concerns those alone that it was for. */
  void claimRefused(String reason) {
    if (roster.claimRefused()) {
      refuse(reason);
    } else {
      claimIfComplete();
    }
  }

  /** No rank can join, for this reason. */
  private void refuse(String reason) {
    actions.sendAll(roster.refuseWaiting(), new CoordinatorMessage.Refused(reason));
  }

  /** Time has passed: reports the wait, or ends it. */
  void reminded(RestoreAgreement agreement, long nowNanos) {
    remindsLater = false;
    watch.expired(roster, nowNanos).ifPresent(this::refuse);
    watch
        .report(roster, agreement, nowNanos)
        .ifPresent(reason -> actions.add(new ReportTrouble(reason)));
    if (roster.anyWaits() || (roster.anyIsMember() && !agreement.decided())) {
      remindLater(nowNanos);
    }
  }

  private void remindLater(long nowNanos) {
    if (!remindsLater) {
      remindsLater = true;
      actions.add(new Remind(watch.nextNanos(nowNanos)));
    }
  }

  private void claimIfComplete() {
    if (roster.claim()) {
      actions.add(new ClaimEpoch(origins));
    }
  }
}
