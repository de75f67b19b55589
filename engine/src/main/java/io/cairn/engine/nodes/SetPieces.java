package io.cairn.engine.nodes;

import io.cairn.CheckpointId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.OpenParts;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.redundancy.ParityHeader;
import io.cairn.flush.redundancy.ParityInput;
import io.cairn.flush.redundancy.RebuiltRank;
import io.cairn.flush.store.ReadableStore;
import io.cairn.flush.store.StoreInput;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The pieces of one rank's set that were found, from which the rank is rebuilt. The caller closes
 * them until {@link #rebuild} has taken them over. Not thread-safe.
 */
final class SetPieces {
  private final int rank;
  private final SortedMap<Integer, StoreInput> pieces = new TreeMap<>();
  private final Map<Integer, String> where = new HashMap<>();
  private final List<IOException> failures = new ArrayList<>();
  private @Nullable ParityHeader header;

  private SetPieces(int rank) {
    this.rank = rank;
  }

  /** No piece yet of the set of this rank. */
  static SetPieces of(int rank) {
    return new SetPieces(rank);
  }

  /** Adds a parity; one that is damaged, or of another set than the first, is passed over. */
  void addParity(ReadableStore store, CheckpointId id, ContainerSummary file) {
    try {
      ParityInput parity = ParityInput.open(store, id, file);
      ParityHeader found = parity.header();
      ParityHeader first = header == null ? found : header;
      int index = found.members().size() + found.index();
      if (first.sameSet(found) && found.ranks().contains(rank) && !pieces.containsKey(index)) {
        header = first;
        add(index, parity, store);
      } else {
        parity.close();
      }
    } catch (IOException e) {
      failures.add(e);
    }
  }

  /**
   * Adds the data of another rank of the set; data that cannot be opened is passed over.
   *
   * @return whether it was added
   */
  boolean addData(int index, CheckpointManifest part, ReadableStore store) {
    try {
      add(index, ParityInput.data(store, part), store);
      return true;
    } catch (IOException e) {
      failures.add(e);
      return false;
    }
  }

  /** A piece that was not found may be at a node that could not be asked. */
  void unread(IOException failure) {
    failures.add(failure);
  }

  private void add(int index, StoreInput piece, ReadableStore store) {
    pieces.put(index, piece);
    where.put(index, store.describe());
  }

  /** Whether a parity can be used. */
  boolean hasHeader() {
    return header != null;
  }

  /**
   * The header of the parities.
   *
   * @throws IOException if no parity can be used
   */
  ParityHeader requireHeader() throws IOException {
    ParityHeader found = header;
    if (found == null) {
      throw failed("no parity of the set of rank " + rank + " can be used");
    }
    return found;
  }

  /**
   * The rank's containers, computed from as many pieces as that takes; the others are spare. Data
   * is preferred to parities.
   *
   * @throws IOException if there are too few; names the machines that are missing
   */
  RebuiltRank rebuild() throws IOException {
    ParityHeader of = requireHeader();
    int needed = of.members().size();
    if (pieces.size() < needed) {
      throw failed(
          String.format(
              Locale.ROOT,
              "rank %d cannot be rebuilt: its set needs %d pieces, and %d are left; missing: %s",
              rank,
              needed,
              pieces.size(),
              missing(of)));
    }
    List<String> from =
        pieces.keySet().stream()
            .limit(needed)
            .map(index -> where.getOrDefault(index, ""))
            .sorted()
            .distinct()
            .toList();
    return new RebuiltRank("PEER, rebuilt from " + String.join(", ", from), of, rank, pieces);
  }

  /** Pieces that no node has are gone, as a file is; one that could not be read may come back. */
  private IOException failed(String reason) {
    if (failures.stream().allMatch(SetPieces::isLasting)) {
      return new NoSuchFileException("PEER", null, reason);
    }
    IOException failure = new IOException(reason + "; " + failures.get(0).getMessage());
    failures.forEach(failure::addSuppressed);
    return failure;
  }

  private static boolean isLasting(IOException failure) {
    return failure instanceof FormatException || failure instanceof NoSuchFileException;
  }

  private List<String> missing(ParityHeader of) {
    List<String> missing = new ArrayList<>();
    for (int index = 0; index < of.members().size() + of.holders().size(); index++) {
      int parity = index - of.members().size();
      if (pieces.containsKey(index)) {
        continue;
      }
      missing.add(
          parity < 0
              ? String.format(
                  Locale.ROOT,
                  "rank %d of %s",
                  of.ranks().get(index),
                  of.members().get(index).node())
              : String.format(Locale.ROOT, "parity %d of %s", parity, of.holders().get(parity)));
    }
    return missing;
  }

  /** Closes the pieces after a failure, which keeps other failures of closing. */
  void closeAfter(Exception cause) {
    OpenParts.closeAllAfter(pieces.values(), cause);
  }
}
