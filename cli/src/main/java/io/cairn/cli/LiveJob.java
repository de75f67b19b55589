package io.cairn.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/**
 * Reads the figures of a job's tab "Checkpoints" from Spark's UI or history server. Not
 * thread-safe.
 */
final class LiveJob {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int MOST_BYTES = 16 << 20;
  private static final int OK = 200;
  private static final String BEGIN = "<script type=\"application/json\" id=\"cairn\">";
  private static final String END = "</script>";
  private static final int NOT_FOUND = 404;

  private final URI address;
  private final HttpClient client =
      HttpClient.newBuilder()
          .connectTimeout(PATIENCE)
          .followRedirects(HttpClient.Redirect.NORMAL)
          .build();

  /**
   * A job.
   *
   * @param ui the address of its UI, such as {@code http://driver:4040}
   * @throws IllegalArgumentException if it is no address of HTTP
   */
  LiveJob(String ui) {
    URI base = URI.create(ui);
    if (base.getHost() == null || !String.valueOf(base.getScheme()).matches("https?")) {
      throw new IllegalArgumentException(
          ui + " is no address of a Spark UI, such as http://driver:4040");
    }
    address = URI.create(ui.replaceFirst("/+$", "") + "/checkpoints/?json=true");
  }

  /**
   * The present figures, one object.
   *
   * @throws IOException naming the address and the remedy, if there are none
   */
  JsonNode read() throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(address).timeout(PATIENCE).build();
    HttpResponse<InputStream> response;
    try {
      response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
    } catch (IOException e) {
      throw new IOException(
          "no Spark UI answers at " + address + ": does the application run? " + e, e);
    }
    try (InputStream body = response.body()) {
      byte[] bytes = body.readNBytes(MOST_BYTES + 1);
      if (response.statusCode() != OK) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "%s answers %d%s",
                address,
                response.statusCode(),
                response.statusCode() == NOT_FOUND
                    ? ": the application does not use the plugin io.cairn.spark.CairnPlugin"
                    : ""));
      } else if (bytes.length > MOST_BYTES) {
        throw new IOException(address + " answers with more than " + MOST_BYTES + " bytes");
      }
      return figures(new String(bytes, StandardCharsets.UTF_8));
    }
  }

  private JsonNode figures(String page) throws IOException {
    int begin = page.indexOf(BEGIN);
    int end = page.indexOf(END, begin + 1);
    if (begin < 0 || end < 0) {
      throw new IOException(address + " has no figures: is it another version of Cairn?");
    }
    try {
      JsonNode tree = Json.tree(page.substring(begin + BEGIN.length(), end));
      if (tree.isObject() && tree.path("ranks").isArray()) {
        return tree;
      }
    } catch (JsonProcessingException e) {
      throw new IOException(address + " answers with no JSON: " + e.getOriginalMessage(), e);
    }
    throw new IOException(address + " answers with JSON of something else");
  }
}
