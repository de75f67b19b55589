package io.cairn.examples.demo;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Follows the {@link FoldLog}s of a run as they grow. Not thread-safe. */
final class Timeline {
  private final Path directory;
  private final Map<Path, Long> read = new HashMap<>();
  private final Map<Path, Attempt> attempts = new TreeMap<>();

  Timeline(Path directory) {
    this.directory = directory;
  }

  /** Takes in every whole line that is new; returns those events, with their attempts. */
  List<News> poll() throws IOException {
    List<News> news = new ArrayList<>();
    if (Files.isDirectory(directory)) {
      try (Stream<Path> files = Files.list(directory)) {
        for (Path file : files.sorted().toList()) {
          follow(file, news);
        }
      }
    }
    news.sort(Comparator.comparingLong(one -> one.at().millis()));
    return news;
  }

  /** An event of an attempt. */
  record News(Attempt attempt, FoldEvent.At at) {}

  private void follow(Path file, List<News> news) throws IOException {
    String text = newText(file);
    int end = text.lastIndexOf('\n') + 1;
    read.merge(
        file, (long) text.substring(0, end).getBytes(StandardCharsets.UTF_8).length, Long::sum);
    for (String line : text.substring(0, end).lines().toList()) {
      FoldEvent.parse(line).ifPresent(at -> news.add(new News(take(file, at), at)));
    }
  }

  private String newText(Path file) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
      long from = read.getOrDefault(file, 0L);
      byte[] bytes = new byte[Math.toIntExact(open.length() - from)];
      open.seek(from);
      open.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  private Attempt take(Path file, FoldEvent.At at) {
    if (at.event() instanceof FoldEvent.Start start) {
      attempts.put(file, new Attempt(start, at.millis()));
    }
    Attempt attempt = attempts.get(file);
    if (attempt == null) {
      throw new IllegalStateException(file + " does not begin with its start");
    }
    attempt.take(at);
    return attempt;
  }

  /** A fold's attempts, in the order of their starts. */
  List<Attempt> attempts(int fold) {
    return attempts.values().stream()
        .filter(attempt -> attempt.fold() == fold)
        .sorted(Comparator.comparingLong(Attempt::startMillis))
        .toList();
  }

  /** A fold's newest attempt. */
  Optional<Attempt> newest(int fold) {
    List<Attempt> all = attempts(fold);
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
  }

  /** The digest that a fold ended with, if it ended. */
  Optional<String> digest(int fold) {
    return done(fold).map(FoldEvent.Done::digest);
  }

  /** How a fold ended, if it did. */
  Optional<FoldEvent.Done> done(int fold) {
    return attempts(fold).stream().flatMap(attempt -> attempt.done().stream()).reduce((a, b) -> b);
  }
}
