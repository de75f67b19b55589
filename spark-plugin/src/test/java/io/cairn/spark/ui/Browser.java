package io.cairn.spark.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Reads pages as a browser does that runs no scripts. */
public final class Browser {
  private static final long PATIENCE_SECONDS = 300;

  private final HttpClient client =
      HttpClient.newBuilder().followRedirects(HttpClient.Redirect.ALWAYS).build();

  /** The page at an address, which has to be there. */
  public String page(String address) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(URI.create(address)).build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as("%s: %s", address, answer.body()).isEqualTo(200);
    return answer.body();
  }

  /** The page's text, for the message of a failure. */
  private static String text(String page) {
    String content = page.substring(Math.max(0, page.lastIndexOf("</style>")));
    return content.replaceAll("<[^>]+>", " ").replaceAll("\\s+", " ");
  }

  /** The page, as soon as it fulfils a condition. */
  public String await(String address, Predicate<String> wanted)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    String page = page(address);
    while (!wanted.test(page)) {
      assertThat(System.nanoTime()).as("waited in vain: %s", text(page)).isLessThan(end);
      LockSupport.parkNanos(200_000_000);
      page = page(address);
    }
    return page;
  }
}
