package io.cairn.cache.capture;

import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.HeldBytes;
import io.cairn.core.model.MappedBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Reads some regions of a checkpoint.
 *
 * @param all reads all regions
 * @param numbers of the selected regions there, by their number here
 */
record SelectedRegions(ChunkReader all, List<Integer> numbers) implements ChunkReader {
  @Override
  public Optional<MappedBytes> staging(int bytes) {
    return all.staging(bytes);
  }

  @Override
  public boolean verifies() {
    return all.verifies();
  }

  @Override
  public void read(int region, int chunk, ByteBuffer into) throws IOException {
    all.read(numbers.get(region), chunk, into);
  }

  @Override
  public Optional<MappedBytes> inPlace(int region, int chunk) throws IOException {
    return all.inPlace(numbers.get(region), chunk);
  }

  @Override
  public Optional<? extends HeldBytes> held(int region, int chunk) throws IOException {
    return all.held(numbers.get(region), chunk);
  }

  @Override
  public Reading start(int region, int chunk, ByteBuffer into) throws IOException {
    return all.start(numbers.get(region), chunk, into);
  }
}
