package io.cairn.lab.fuzz;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.cairn.Digest;
import io.cairn.core.cadence.Learned;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.engine.config.CairnConfig;
import io.cairn.flush.format.LearnedCodec;
import io.cairn.flush.format.ManifestCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/** Texts from files and users. */
class TextFuzzTest {
  /** The digest of the text is right, so only its lines decide. A legal one has one spelling. */
  @FuzzTest
  void manifest(byte[] lines) {
    byte[] last = ("sha256 " + Digest.of(lines).hex() + "\n").getBytes(StandardCharsets.US_ASCII);
    byte[] text = Arrays.copyOf(lines, lines.length + last.length);
    System.arraycopy(last, 0, text, lines.length, last.length);
    AnyBytes.read(
        text.length,
        IOException.class,
        () -> {
          CheckpointManifest manifest = ManifestCodec.decode(text, "memory");
          assertThat(ManifestCodec.encode(manifest)).isEqualTo(text);
        });
  }

  @FuzzTest
  void measurements(byte[] text) {
    AnyBytes.read(
        text.length,
        IOException.class,
        () -> {
          Optional<Learned> learned = LearnedCodec.decode(text);
          learned.ifPresent(
              known ->
                  assertThat(LearnedCodec.decode(LearnedCodec.encode(known))).isEqualTo(learned));
        });
  }

  /** Lines of names and values. */
  @FuzzTest
  void settings(byte[] text) {
    Map<String, String> values =
        new String(text, StandardCharsets.UTF_8)
            .lines()
            .map(line -> line.split("=", 2))
            .filter(words -> words.length == 2)
            .collect(toMap(words -> words[0], words -> words[1], (first, second) -> second));
    AnyBytes.read(text.length, IllegalArgumentException.class, () -> CairnConfig.of(values));
  }
}
