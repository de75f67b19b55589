package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The committed PTX belongs to the sources, and has the kernels that the host launches. */
class PtxTest {
  private static final Path MAIN = Path.of("src/main");
  private static final String PTX = "resources/io/cairn/cache/memory/cuda/cairn.ptx";
  private static final Pattern HASH = Pattern.compile("([0-9a-f]{64})  (.*)");
  private static final Pattern ENTRY =
      Pattern.compile("\\.visible \\.entry (\\w+)\\(([^)]*)\\)\\s*\\.maxntid 512\\b");

  @Test
  void theHashesAreThoseOfTheFiles() throws IOException {
    Map<String, String> listed =
        Files.readAllLines(MAIN.resolve("cuda/kernels.sha256")).stream()
            .map(HASH::matcher)
            .filter(matcher -> matcher.matches())
            .collect(Collectors.toMap(hash -> hash.group(2), hash -> hash.group(1)));
    Map<String, String> files = new TreeMap<>(Map.of(PTX, sha256(MAIN.resolve(PTX))));
    try (Stream<Path> sources = Files.list(MAIN.resolve("cuda"))) {
      for (Path source : sources.filter(PtxTest::isSource).toList()) {
        files.put("cuda/" + source.getFileName(), sha256(source));
      }
    }
    assertThat(listed).as("run .ci/kernels --write").isEqualTo(files);
  }

  @Test
  void everyDriverSinceCuda11ReadsIt() throws IOException {
    assertThat(Files.readAllLines(MAIN.resolve(PTX))).contains(".version 7.0", ".target sm_80");
  }

  @Test
  void theKernelsHaveTheirParameters() throws IOException {
    List<String> table = List.of(".u64", ".u64", ".u32");
    Map<String, List<String>> entries =
        ENTRY
            .matcher(Files.readString(MAIN.resolve(PTX)))
            .results()
            .collect(Collectors.toMap(entry -> entry.group(1), entry -> types(entry.group(2))));
    assertThat(entries)
        .isEqualTo(
            Map.of(
                "cairn_copy_crc32c", plus(table, ".u64"),
                "cairn_divide", List.of(".u64", ".u32", ".u64", ".u64"),
                "cairn_hash128", plus(table, ".u64"),
                "cairn_hash128_roots", plus(table, ".u64", ".u64"),
                "cairn_differs", plus(table, ".u64"),
                "cairn_shuffle", plus(table, ".u32"),
                "cairn_unshuffle", plus(table, ".u32")));
  }

  private static boolean isSource(Path file) {
    return file.toString().matches(".*\\.(cu|h)");
  }

  private static List<String> types(String parameters) {
    return Pattern.compile("\\.param (?:\\.align \\d+ )?(\\.\\w+)")
        .matcher(parameters)
        .results()
        .map(parameter -> parameter.group(1))
        .toList();
  }

  private static List<String> plus(List<String> table, String... more) {
    return Stream.concat(table.stream(), Stream.of(more)).toList();
  }

  private static String sha256(Path file) throws IOException {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
