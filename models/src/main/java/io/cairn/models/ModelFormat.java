package io.cairn.models;

import io.cairn.core.model.CheckpointId;
import io.cairn.dl4j.SavedTraining;
import io.cairn.dl4j.files.Dl4jZip;
import io.cairn.dl4j.files.Safetensors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The formats of files, by their names on the command line. */
enum ModelFormat {
  DL4J_ZIP {
    @Override
    void write(SavedTraining training, CheckpointId from, Path file) throws IOException {
      Dl4jZip.write(training, file);
    }

    @Override
    SavedTraining read(Path file, Optional<String> configuration, List<String> trusted)
        throws IOException {
      if (configuration.isPresent()) {
        throw new IllegalArgumentException(
            file + " has a configuration of its own: leave --configuration out");
      }
      return Dl4jZip.read(file, trusted);
    }

    @Override
    boolean hasUpdaterState(Path file) throws IOException {
      return Dl4jZip.hasUpdaterState(file);
    }
  },

  SAFETENSORS {
    @Override
    void write(SavedTraining training, CheckpointId from, Path file) throws IOException {
      Safetensors.write(
          training, Map.of("group", from.group().toString(), "checkpoint", from.label()), file);
    }

    @Override
    SavedTraining read(Path file, Optional<String> configuration, List<String> trusted)
        throws IOException {
      return Safetensors.read(file, configuration, trusted);
    }

    @Override
    boolean hasUpdaterState(Path file) {
      return false;
    }
  };

  /** Writes a network as a file. */
  abstract void write(SavedTraining training, CheckpointId from, Path file) throws IOException;

  /** Reads a network, of classes of DL4J's and of these packages. */
  abstract SavedTraining read(Path file, Optional<String> configuration, List<String> trusted)
      throws IOException;

  /** Whether a file of this format has the updater's state. */
  abstract boolean hasUpdaterState(Path file) throws IOException;

  /** The format of a file by its first bytes: a zip's are known. */
  static ModelFormat of(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] first = in.readNBytes(2);
      return first.length == 2 && first[0] == 'P' && first[1] == 'K' ? DL4J_ZIP : SAFETENSORS;
    }
  }

  /** Such as {@code dl4j-zip}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
