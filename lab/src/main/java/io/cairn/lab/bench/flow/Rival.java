package io.cairn.lab.bench.flow;

import io.cairn.core.flow.FlowOutcome;
import io.cairn.core.flow.FlowProblem;
import io.cairn.core.flow.FlowScheduler;
import io.cairn.core.flow.MinTimeMaxFlowScheduler;
import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.flow.TransferPlan;
import java.util.function.DoubleSupplier;
import org.jgrapht.alg.flow.DinicMFImpl;
import org.jgrapht.alg.flow.PushRelabelMFImpl;

/** Other ways to the same optimum. */
enum Rival {
  /** The published optimal algorithm, chunk by chunk; ours, too. */
  MIN_TIME("Algorithm 2", true) {
    @Override
    DoubleSupplier on(FlowProblem problem) {
      MinTimeMaxFlowScheduler scheduler = new MinTimeMaxFlowScheduler();
      return () -> blockingSeconds(scheduler, problem);
    }
  },

  /** Newton's method over JGraphT's maximum flow by Dinic. */
  DINIC("JGraphT, Dinic", false) {
    @Override
    DoubleSupplier on(FlowProblem problem) {
      return new GraphNewton(problem, DinicMFImpl::new);
    }
  },

  /** Newton's method over JGraphT's maximum flow by preflows. */
  PUSH_RELABEL("JGraphT, push-relabel", false) {
    @Override
    DoubleSupplier on(FlowProblem problem) {
      return new GraphNewton(problem, PushRelabelMFImpl::new);
    }
  },

  /** A linear program, solved by ojAlgo. */
  LINEAR_PROGRAM("linear program, ojAlgo", false) {
    @Override
    DoubleSupplier on(FlowProblem problem) {
      return () -> DenseLinearProgram.seconds(problem);
    }
  };

  private final String title;
  private final boolean wholeChunks;

  Rival(String title, boolean wholeChunks) {
    this.title = title;
    this.wholeChunks = wholeChunks;
  }

  /** Its name for people. */
  String title() {
    return title;
  }

  /** Whether its optimum is that in whole chunks. */
  boolean wholeChunks() {
    return wholeChunks;
  }

  /** Prepares what can be kept from solve to solve; each call then finds the least time anew. */
  abstract DoubleSupplier on(FlowProblem problem);

  /** The optimum by our exact scheduler, which the rival must find, in seconds. */
  double expectedSeconds(FlowProblem problem) {
    return blockingSeconds(new ParametricFlowScheduler(wholeChunks, false), problem);
  }

  private static double blockingSeconds(FlowScheduler scheduler, FlowProblem problem) {
    FlowOutcome outcome = scheduler.schedule(problem);
    if (outcome instanceof TransferPlan plan) {
      return plan.blockingSeconds();
    }
    throw new IllegalStateException("no plan where every device has a host: " + outcome);
  }
}
