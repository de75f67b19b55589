package io.cairn.spark.ui.collect;

import io.cairn.core.flow.FlowProblem;
import io.cairn.core.flow.Topology;
import io.cairn.core.flow.Transfer;
import io.cairn.core.sharing.DeskPlan;
import io.cairn.core.sharing.HolderSite;
import io.cairn.engine.sharing.desk.SiteTopology;
import io.cairn.engine.sharing.peer.HolderId;
import io.cairn.spark.ui.model.PlanRow;
import io.cairn.spark.ui.model.PlanRow.SiteRow;
import io.cairn.spark.ui.model.PlanRow.TransferRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/** Keeps the last plan of the desk for the next round. Thread-safe. */
public final class PlanRows {
  private final LongSupplier nowMillis;
  private final AtomicReference<Optional<PlanRow>> newest = new AtomicReference<>(Optional.empty());

  /**
   * No plan was made.
   *
   * @param nowMillis as {@link System#currentTimeMillis}
   */
  public PlanRows(LongSupplier nowMillis) {
    this.nowMillis = nowMillis;
  }

  /** Takes a plan; linear in its devices and transfers. */
  public void made(DeskPlan plan) {
    newest.set(Optional.of(row(plan, nowMillis.getAsLong())));
  }

  /** The last plan since the last call. */
  public Optional<PlanRow> take() {
    return newest.getAndSet(Optional.empty());
  }

  /** Devices that neither send nor receive are left out. */
  static PlanRow row(DeskPlan plan, long atMillis) {
    Map<Integer, Integer> numbers = new LinkedHashMap<>();
    List<TransferRow> transfers = new ArrayList<>();
    double longest = Double.NaN;
    for (Transfer transfer : plan.plan().transfers()) {
      double seconds = seconds(plan, transfer);
      longest = Double.isNaN(longest) || seconds > longest ? seconds : longest;
      transfers.add(
          new TransferRow(
              number(transfer.from(), numbers),
              transfer.toHost() ? -1 : number(transfer.to(), numbers),
              Math.round(transfer.bytes()),
              seconds));
    }
    List<SiteRow> sites = numbers.keySet().stream().map(device -> site(plan, device)).toList();
    return new PlanRow(atMillis, plan.first().toString(), sites, transfers, longest);
  }

  /** The time of the sender; NaN for bytes that found no place, since nobody keeps any there. */
  private static double seconds(DeskPlan plan, Transfer transfer) {
    Topology links = plan.problem().topology();
    int from = transfer.from();
    if (links.hostBytesPerSecond(from) > SiteTopology.NO_HOST) {
      return plan.plan().senderSeconds(from);
    }
    double rate = transfer.toHost() ? 0 : links.linkBytesPerSecond(from, transfer.to());
    boolean misses =
        plan.plan().transfers().stream().anyMatch(each -> each.from() == from && each.toHost());
    if (!misses) {
      return plan.plan().senderSeconds(from);
    }
    return rate > 0 ? transfer.bytes() / rate : Double.NaN;
  }

  private static int number(int device, Map<Integer, Integer> numbers) {
    Integer known = numbers.get(device);
    int number = known == null ? numbers.size() : known;
    numbers.putIfAbsent(device, number);
    return number;
  }

  private static SiteRow site(DeskPlan plan, int device) {
    HolderSite site = plan.sites().get(device);
    FlowProblem problem = plan.problem();
    return new SiteRow(
        HolderId.parse(site.holder()).process(),
        site.node(),
        site.device(),
        problem.remainderBytes(device),
        problem.spareBytes(device));
  }
}
