package io.cairn.cli;

import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointFacts;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.Holder;
import io.cairn.flush.format.ContainerScan;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A checkpoint, or one file of it, as its files show it.
 *
 * @param name of the checkpoint with its group, or of the file
 * @param place of the store, or of the file's directory
 * @param good whether all is as it was written, as far as it can be known
 * @param manifests one, or one for each rank at NODE
 * @param files containers, in the order of the manifests, then those that no manifest names
 * @param otherFiles names of further files
 * @param breaks the places that are damaged, those of manifests and containers included
 */
record Inspection(
    String name,
    String place,
    boolean good,
    List<Manifest> manifests,
    List<Container> files,
    List<String> otherFiles,
    List<ContainerScan.Break> breaks) {

  /**
   * A manifest. Of a damaged one only file, length, digest, version and lines are known.
   *
   * @param version as its first line says
   * @param lines that stand before the damage; all of them if there is none
   * @param parent the checkpoint before it; empty if there is none
   * @param ancestors each older epoch, and the iteration at which it was left
   * @param score that the training gave; null if it gave none
   * @param sealed when it was written at STORE (ISO 8601, UTC); empty if it does not say
   * @param programs the entries of each container, by its file
   */
  record Manifest(
      String file,
      long bytes,
      String sha256,
      String version,
      long lines,
      int size,
      String nonce,
      String parent,
      List<String> ancestors,
      @Nullable Double score,
      String sealed,
      String label,
      Map<String, SortedMap<String, String>> programs) {
    static Manifest of(ManifestFile read) {
      Manifest damaged =
          new Manifest(
              read.file(),
              read.bytes(),
              read.digest(),
              read.version(),
              read.readableLines(),
              0,
              "",
              "",
              List.of(),
              null,
              "",
              "",
              Map.of());
      return read.manifest().map(damaged::with).orElse(damaged);
    }

    private Manifest with(CheckpointManifest of) {
      Fingerprint program = of.fingerprintOf(of.containers().get(0).ranks().get(0));
      CheckpointFacts facts = CheckpointFacts.of(program);
      Map<String, SortedMap<String, String>> programs = new TreeMap<>();
      of.containers().forEach(each -> programs.put(each.file(), each.fingerprint().entries()));
      return new Manifest(
          file,
          bytes,
          sha256,
          version,
          lines,
          of.size(),
          of.nonce(),
          of.parent().map(parent -> parent.id().label()).orElse(""),
          of.ancestry().steps().stream().map(Manifest::step).toList(),
          facts.score().isPresent() ? facts.score().getAsDouble() : null,
          facts.sealed().map(Instant::toString).orElse(""),
          program.entries().getOrDefault("label", ""),
          programs);
    }

    private static String step(Ancestry.Step step) {
      return "e" + step.epoch() + "-i" + step.iteration();
    }
  }

  /**
   * A container.
   *
   * @param named whether a manifest names it, so that length and index are proven
   * @param head content of its header; null if that is damaged
   * @param index place of its index; null if none was found
   * @param holders older containers that have some of the chunks, by their numbers from 1 on
   * @param breaks damage of this file and of the chunks in its holders
   */
  record Container(
      String file,
      long bytes,
      boolean named,
      ContainerScan.@Nullable Head head,
      ContainerScan.@Nullable IndexPlace index,
      List<HolderFile> holders,
      List<Region> regions,
      List<ContainerScan.Break> breaks) {
    static Container of(String file, ContainerScan scan, @Nullable ContainerSummary entry) {
      Fingerprint program = entry == null ? Fingerprint.NONE : entry.fingerprint();
      return new Container(
          file,
          scan.bytes(),
          entry != null,
          scan.head().orElse(null),
          scan.index().orElse(null),
          entry == null ? List.of() : entry.holders().stream().map(HolderFile::of).toList(),
          scan.regions().stream().map(each -> Region.of(each, program)).toList(),
          scan.breaks());
    }

    /** Chunks that this file or a holder has. */
    long chunks() {
      return regions.stream().mapToLong(each -> each.here() + each.leaned()).sum();
    }

    /** Those of them that can be read. */
    long goodChunks() {
      return chunks() - regions.stream().mapToLong(each -> each.badChunks().size()).sum();
    }
  }

  /** A container of an older checkpoint. */
  record HolderFile(String checkpoint, String file, long bytes) {
    static HolderFile of(Holder holder) {
      String label = "e" + holder.epoch() + "-i" + holder.iteration();
      return new HolderFile(label, holder.file(), holder.bytes());
    }
  }

  /**
   * One region of one rank.
   *
   * @param kind elements and their number, or {@code blob}; empty if the manifest does not say
   * @param layout part in the state of the group; empty if it belongs to its rank alone
   * @param codec that the region asked for; empty if none
   * @param lossy element and bound, if its numbers were rounded; else empty
   * @param here chunks in the file
   * @param leaned chunks in older containers
   * @param elsewhere chunks in other containers of the rank
   * @param storedBytes of the chunks in the file
   * @param encodings of its chunks, and how many have each
   * @param badChunks those that cannot be read
   */
  record Region(
      int rank,
      String name,
      String kind,
      String layout,
      String codec,
      String lossy,
      long bytes,
      int chunkBytes,
      int chunks,
      int here,
      int leaned,
      int elsewhere,
      long storedBytes,
      SortedMap<String, Integer> encodings,
      List<Integer> badChunks) {
    static Region of(ContainerScan.RegionScan scan, Fingerprint program) {
      String name = scan.image().name();
      SortedMap<String, String> entries = program.entries();
      SortedMap<String, Integer> encodings = new TreeMap<>();
      scan.encodings()
          .forEach((each, count) -> encodings.put(each.name().toLowerCase(Locale.ROOT), count));
      String layout = entries.getOrDefault(Fingerprint.LAYOUT, "");
      return new Region(
          scan.rank(),
          name,
          entries.getOrDefault("region." + name, ""),
          entries.getOrDefault(Fingerprint.LAYOUT + "." + name, layout),
          entries.getOrDefault("codec." + name, ""),
          entries.getOrDefault("lossy." + name, ""),
          scan.image().bytes(),
          scan.image().chunkBytes(),
          scan.image().chunks(),
          scan.here(),
          scan.leaned().values().stream().mapToInt(Integer::intValue).sum(),
          scan.elsewhere(),
          scan.storedBytes(),
          encodings,
          scan.badChunks());
    }
  }
}
