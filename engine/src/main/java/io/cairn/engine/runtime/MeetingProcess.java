package io.cairn.engine.runtime;

import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerTransport;
import io.cairn.engine.config.SharingSettings;
import io.cairn.engine.sharing.Sharing;
import io.cairn.engine.sharing.SharingTerms;
import io.cairn.engine.sharing.SharingThreads;
import java.io.IOException;
import java.time.Duration;

/**
 * A process as the others of its job meet it, on Spark and without. Immutable.
 *
 * @param name unique among these processes
 * @param machine equal for processes that can share memory
 * @param device index of the process's device on the machine
 * @param desk the address of the desk
 * @param transports opens a transport at an address that the others reach; called once
 * @param withoutDesk called when a service makes no connection to the desk, which this process may
 *     host then
 */
public record MeetingProcess(
    String name,
    String machine,
    int device,
    PeerAddress desk,
    PeerTransport.Opening transports,
    Runnable withoutDesk) {
  /** Time for a borrower to fill a lease; one that takes longer is suspended or dead. */
  private static final Duration FILL = Duration.ofSeconds(30);

  private static final Duration REVOCATION = Duration.ofSeconds(10);

  /** Its part in sharing, with this cache in this memory, served by this transport. */
  Sharing share(
      SharingSettings settings,
      ChunkCache cache,
      DeviceMemory memory,
      PeerTransport.Opening serving,
      SharingThreads threads)
      throws IOException {
    SharingTerms terms =
        new SharingTerms(
            settings.patience(),
            FILL,
            REVOCATION,
            SharingTerms.QUARTER_OF_THE_CACHE,
            settings.silence());
    Sharing sharing =
        new Sharing(terms, name, cache, memory, machine, device, desk, serving, threads);
    sharing.withoutDesk(withoutDesk);
    return sharing;
  }
}
