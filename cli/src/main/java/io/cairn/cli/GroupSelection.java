package io.cairn.cli;

import io.cairn.GroupId;
import io.cairn.engine.promotion.NodeDirectory;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Which groups of a store a command looks at: all of them, of one job, or of one name. Not
 * thread-safe.
 */
public final class GroupSelection {
  @Parameters(
      index = "0",
      paramLabel = "STORE",
      description = "A directory, or the URI of any Hadoop file system (hdfs://host:port/path).")
  private String store = "";

  @Option(names = "--job", paramLabel = "JOB", description = "Only this job.")
  private String job = "";

  @Option(names = "--group", paramLabel = "GROUP", description = "Only groups of this name.")
  private String group = "";

  @Mixin private HadoopOption hadoop = new HadoopOption();

  /** Made by the command line. */
  public GroupSelection() {}

  /** The store as the user named it. */
  public String store() {
    return store;
  }

  /** The keys of its Hadoop configuration that the user gave. */
  Map<String, String> hadoop() {
    return hadoop.keys();
  }

  /**
   * Opens the store, as {@link CheckpointStores#openForReading(String, Map)} says. The directory of
   * a node stands for its copies of a store, if it has those of one store alone.
   *
   * @throws IllegalArgumentException naming them, if it has copies of several stores
   */
  public CheckpointStore openForReading() throws IOException {
    return CheckpointStores.openForReading(place(), hadoop.keys());
  }

  /** Opens the store, as {@link CheckpointStores#openExisting(String, Map)} says. */
  CheckpointStore openExisting() throws IOException {
    return CheckpointStores.openExisting(place(), hadoop.keys());
  }

  /** The store as the user named it, or the copies of one that a node's directory has. */
  String place() throws IOException {
    Optional<Path> root = CheckpointStores.localRoot(store);
    Map<Path, List<String>> copies = root.isPresent() ? NodeDirectory.copies(root.get()) : Map.of();
    if (copies.size() > 1) {
      throw new IllegalArgumentException(
          store + " is a node's directory with copies of several stores; name one: " + copies);
    }
    return copies.keySet().stream().findFirst().map(Path::toString).orElse(store);
  }

  /**
   * The groups, by job and name; empty only for a store without any.
   *
   * @throws IllegalArgumentException naming what there is instead, if there is no such job or group
   */
  public List<GroupId> groups(CheckpointStore in) throws IOException {
    List<GroupId> groups = new ArrayList<>();
    List<String> jobs = chosen("job", job, Inventory.jobs(in), in);
    for (String each : jobs) {
      groups.addAll(Inventory.groups(in, each));
    }
    List<String> names = groups.stream().map(GroupId::group).distinct().toList();
    List<String> kept = chosen("group", group, names, in);
    return groups.stream().filter(each -> kept.contains(each.group())).toList();
  }

  /**
   * The one group that is meant.
   *
   * @param in stores that together hold it
   * @throws IllegalArgumentException naming what there is, if that is not one group
   */
  public GroupId only(List<CheckpointStore> in) throws IOException {
    Set<GroupId> known = new LinkedHashSet<>();
    for (CheckpointStore each : in) {
      for (String name : Inventory.jobs(each)) {
        known.addAll(Inventory.groups(each, name));
      }
    }
    List<GroupId> found = known.stream().filter(this::isMeant).toList();
    if (found.size() == 1) {
      return found.get(0);
    }
    throw new IllegalArgumentException(
        found.isEmpty()
            ? "no such group in " + store + "; it has " + known
            : "several groups in " + store + "; say which by --job and --group: " + found);
  }

  private boolean isMeant(GroupId id) {
    return (job.isEmpty() || id.job().equals(job)) && (group.isEmpty() || id.group().equals(group));
  }

  /** All names if none was asked for, else the one. */
  static List<String> chosen(String what, String asked, List<String> names, CheckpointStore in) {
    if (asked.isEmpty()) {
      return names;
    }
    if (!names.contains(asked)) {
      String others = names.isEmpty() ? "nor any other" : "it has " + String.join(", ", names);
      throw new IllegalArgumentException(
          in.describe() + " has no " + what + " '" + asked + "'; " + others);
    }
    return List.of(asked);
  }
}
