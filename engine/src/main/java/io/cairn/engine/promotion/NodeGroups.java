package io.cairn.engine.promotion;

import io.cairn.GroupId;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import io.cairn.flush.store.SubdirectoryStore;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The groups at NODE. Each has a directory per {@linkplain GroupBirth birth}, which is a store of
 * its own. So copies of a group that was deleted at STORE and began afresh are not read: their
 * epochs are numbered independently. Thread-safe.
 */
public final class NodeGroups {
  private static final Logger LOG = LoggerFactory.getLogger(NodeGroups.class);

  private final CheckpointStore node;
  private final CheckpointStore store;

  /** Of the groups that joined in this process, and have not ended in order. */
  private final Map<GroupId, String> births = new ConcurrentHashMap<>();

  /**
   * The groups below a root.
   *
   * @param node the directory for STORE on this node; stays the caller's to close
   * @param store STORE, which knows the births; likewise
   */
  public NodeGroups(CheckpointStore node, CheckpointStore store) {
    this.node = node;
    this.store = store;
  }

  /** The root of NODE, for people. */
  String describe() {
    return node.describe();
  }

  /**
   * Learns the birth of a group that is about to join, and makes it at STORE if there is none.
   *
   * @param home knows the name of STORE, without which no group is born
   * @return the birth
   * @throws IOException if STORE does not show it
   */
  String enter(GroupId group, NodeDirectory home) throws IOException {
    String birth =
        GroupBirth.of(
            store,
            group,
            new GroupBirth.AtNode() {
              @Override
              public List<String> births() throws IOException {
                return lives(group);
              }

              @Override
              public void beforeBirth() throws IOException {
                home.requireKnown();
              }
            });
    births.put(group, birth);
    return birth;
  }

  private List<String> lives(GroupId group) throws IOException {
    return node.list(StoreNames.group(group)).stream()
        .filter(StoreEntry::directory)
        .map(StoreEntry::name)
        .filter(StoreNames::isBirth)
        .toList();
  }

  /** Forgets a group whose training ended, with nothing of it on the way to NODE. */
  void ended(GroupId group) {
    births.remove(group);
  }

  /**
   * This node's copies of a group. A group that did not join in this process costs a look at STORE.
   *
   * @throws NoSuchFileException if STORE does not know the group
   * @throws IOException if STORE does not show its birth
   */
  public CheckpointStore of(GroupId group) throws IOException {
    return new SubdirectoryStore(node, StoreNames.life(group, birth(group)));
  }

  /**
   * The birth of a group, of which alone copies at NODE count. Fails as {@link #of} does.
   *
   * @throws NoSuchFileException if STORE does not know the group
   * @throws IOException if STORE does not show its birth
   */
  public String birth(GroupId group) throws IOException {
    String known = births.get(group);
    return known != null
        ? known
        : GroupBirth.find(store, group)
            .orElseThrow(
                () ->
                    new NoSuchFileException(
                        store.describe() + "/" + StoreNames.birth(group),
                        null,
                        "STORE does not know the group, so its copies at NODE mean nothing"));
  }

  /**
   * The directories of a group that belong to another of its births. A restore never reads them.
   *
   * @throws IOException if the node cannot be listed
   */
  List<String> strange(GroupId group) throws IOException {
    return node.list(StoreNames.group(group)).stream()
        .filter(StoreEntry::directory)
        .map(StoreEntry::name)
        .filter(StoreNames::isBirth)
        .filter(name -> !name.equals(births.get(group)))
        .map(name -> StoreNames.group(group) + "/" + name)
        .toList();
  }

  /**
   * Deletes what {@link #strange} returns, unless this process itself belongs to an earlier birth.
   *
   * @throws IOException if STORE does not show the birth, or a directory cannot be deleted
   */
  void deleteStrange(GroupId group) throws IOException {
    List<String> strange = strange(group);
    if (!strange.isEmpty()
        && GroupBirth.find(store, group).equals(Optional.ofNullable(births.get(group)))) {
      for (String directory : strange) {
        node.deleteDirectory(directory);
        LOG.info("Deleted {}/{}, of an earlier birth of {}", node.describe(), directory, group);
      }
    }
  }
}
