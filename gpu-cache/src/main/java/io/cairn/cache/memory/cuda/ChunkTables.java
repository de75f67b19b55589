package io.cairn.cache.memory.cuda;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The chunk tables of one device, each used again and again, since to free memory of a GPU makes
 * all of it wait. There are as many as launches are under way at once. Thread-safe.
 */
final class ChunkTables {
  private static final int SMALLEST = 1024;

  private final List<ChunkTable> all = new ArrayList<>();
  private final List<ChunkTable> free = new ArrayList<>();

  /** An empty table; the caller gives it back when no launch uses it. */
  synchronized ChunkTable take(CurrentContext calls, int chunks) throws CudaException {
    for (Iterator<ChunkTable> each = free.iterator(); each.hasNext(); ) {
      ChunkTable table = each.next();
      if (table.capacity() >= chunks) {
        each.remove();
        table.clear();
        return table;
      }
    }
    int capacity = Math.max(SMALLEST, Math.max(1, Integer.highestOneBit(chunks)) * 2);
    ChunkTable made = ChunkTable.allocate(calls, capacity);
    all.add(made);
    return made;
  }

  synchronized void give(ChunkTable table) {
    free.add(table);
  }

  /** Ends all tables, those that were not given back included. */
  synchronized void free(CurrentContext calls) throws CudaException {
    for (ChunkTable table : all) {
      table.free(calls);
    }
    all.clear();
    free.clear();
  }
}
