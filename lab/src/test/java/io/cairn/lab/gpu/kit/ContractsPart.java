package io.cairn.lab.gpu.kit;

import io.cairn.cache.memory.cuda.GivenDriver;
import java.io.IOException;
import java.util.Locale;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The suites that every device memory fulfils, on the driver of this machine. */
final class ContractsPart implements KitPart.Program {
  @Override
  public void run(KitOptions options, Findings findings) throws IOException {
    System.setProperty(GivenDriver.LIBRARY, options.library());
    System.setProperty(GivenDriver.ORDINAL, Integer.toString(options.ordinal()));
    LauncherDiscoveryRequest suites =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(GivenDriver.SUITES.stream().map(DiscoverySelectors::selectClass).toList())
            .build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(suites, listener);
    TestExecutionSummary summary = listener.getSummary();
    for (TestExecutionSummary.Failure failure : summary.getFailures()) {
      findings.say(failure.getTestIdentifier().getDisplayName() + ": " + failure.getException());
    }
    findings.figure("tests", (double) summary.getTestsSucceededCount(), "");
    long failed = summary.getTotalFailureCount();
    if (failed > 0 || summary.getTestsSucceededCount() == 0) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%d of %d tests failed; the log has the reasons",
              failed,
              summary.getTestsFoundCount()));
    }
  }
}
