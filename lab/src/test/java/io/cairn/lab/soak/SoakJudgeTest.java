package io.cairn.lab.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.soak.SoakEvent.Executor;
import io.cairn.lab.soak.SoakEvent.What;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs in which something is wrong, and such as look wrong and are not. */
class SoakJudgeTest {
  private static final Executor FIRST = new Executor(100, "0");

  private final List<SoakEvent> log = new ArrayList<>();

  private void told(What what, int rank, long epoch, long iteration, String level) {
    log.add(new SoakEvent(what, rank, FIRST, epoch, iteration, level));
  }

  private void blow(What what) {
    log.add(SoakEvent.blow(what, 0, FIRST));
  }

  /** A run of one rank up to iteration 20: at NODE up to 15, at STORE up to 10. */
  private void begin() {
    told(What.START, 0, 1, -1, SoakEvent.NONE);
    told(What.SEALED, 0, 1, 10, "NODE");
    told(What.SEALED, 0, 1, 10, "STORE");
    told(What.SEALED, 0, 1, 15, "NODE");
  }

  private void goesOn(What what, long epoch, long iteration, String level) {
    told(what, 0, epoch, iteration, level);
    told(What.END, 0, epoch, -1, SoakEvent.NONE);
  }

  private List<String> problems(int ranks) {
    SoakGroup group = new SoakGroup("group", Collections.nCopies(ranks, 1));
    return SoakJudge.of(group, log).problems();
  }

  @Test
  void whoGoesOnFromTheNewestIsRight() {
    begin();
    blow(What.KILL);
    goesOn(What.START, 2, 15, "NODE");
    assertThat(problems(1)).isEmpty();
    SoakJudge judge = SoakJudge.of(new SoakGroup("group", List.of(1)), log);
    assertThat(judge.sources()).containsOnlyKeys("first start: none", "kill: NODE");
  }

  @Test
  void whoGoesOnFromAnOlderOneIsNot() {
    begin();
    blow(What.KILL);
    goesOn(What.START, 2, 14, "NODE");
    assertThat(problems(1)).singleElement().asString().contains("15 was sealed below DEVICE");
  }

  @Test
  void whatWasSealedAtNodeIsLostWithTheMachineAndWhatWasAtTheStoreIsNot() {
    begin();
    blow(What.LOSE);
    goesOn(What.START, 2, 10, "STORE");
    assertThat(problems(1)).isEmpty();
    log.clear();
    begin();
    blow(What.LOSE);
    goesOn(What.START, 2, 9, "STORE");
    assertThat(problems(1)).singleElement().asString().contains("10 was sealed below DEVICE");
  }

  @Test
  void afterTheLossOfAsManyMachinesAsPeerSurvivesItsNewestIsWanted() {
    begin();
    told(What.SEALED, 0, 1, 12, "PEER");
    blow(What.LOSE_SOME);
    goesOn(What.START, 2, 12, "PEER");

    assertThat(problems(1)).isEmpty();
  }

  @Test
  void afterThatLossAnOlderOneOfStoreIsNot() {
    begin();
    told(What.SEALED, 0, 1, 12, "PEER");
    blow(What.LOSE_SOME);
    goesOn(What.START, 2, 10, "STORE");

    assertThat(problems(1)).singleElement().asString().contains("12 was sealed below DEVICE");
  }

  /** A survivor reports a seal after the loss. */
  @Test
  void afterTheLossOfOneMachineMoreTheNewestOfStoreIsRight() {
    begin();
    told(What.SEALED, 0, 1, 12, "PEER");
    blow(What.LOSE_MORE);
    told(What.SEALED, 0, 1, 14, "PEER");
    goesOn(What.START, 2, 10, "STORE");

    assertThat(problems(1)).isEmpty();
  }

  @Test
  void afterThatLossAnOlderOneIsNot() {
    begin();
    blow(What.LOSE_MORE);
    goesOn(What.START, 2, 9, "STORE");

    assertThat(problems(1)).singleElement().asString().contains("10 was sealed below DEVICE");
  }

  @Test
  void afterABadStepTheLastAtDeviceIsWanted() {
    begin();
    told(What.BAD_STEP, 0, 1, 20, "DEVICE");
    goesOn(What.AGAIN, 2, 19, "DEVICE");
    assertThat(problems(1)).singleElement().asString().contains("20 was at DEVICE");
  }

  @Test
  void afterABadStepThatFollowsALossItIsNot() {
    begin();
    told(What.BAD_STEP, 0, 1, 20, "DEVICE");
    blow(What.KILL);
    goesOn(What.AGAIN, 2, 15, "NODE");
    assertThat(problems(1)).isEmpty();
    log.clear();
    begin();
    told(What.BAD_STEP, 0, 1, 20, "DEVICE");
    told(What.WITHDRAWN, 0, 1, 20, "DEVICE");
    goesOn(What.AGAIN, 2, 15, "NODE");
    assertThat(problems(1)).isEmpty();
  }

  @Test
  void ranksOfAGroupResumeFromTheSame() {
    told(What.START, 0, 1, -1, SoakEvent.NONE);
    told(What.START, 1, 1, -1, SoakEvent.NONE);
    told(What.START, 0, 2, 10, "NODE");
    told(What.START, 1, 2, 11, "NODE");
    told(What.END, 0, 2, -1, SoakEvent.NONE);
    told(What.END, 1, 2, -1, SoakEvent.NONE);
    assertThat(problems(2)).singleElement().asString().contains("not all ranks resumed from 10");
  }

  @Test
  void damageAndRanksThatDoNotEndAreTold() {
    begin();
    told(What.DAMAGED, 0, 1, 15, "NODE");
    assertThat(problems(1)).hasSize(2);
  }

  /** What a zombie of an older epoch tells changes nothing. */
  @Test
  void onlyTheNewestEpochCounts() {
    begin();
    blow(What.STOP);
    told(What.START, 0, 2, 15, "NODE");
    told(What.SEALED, 0, 1, 18, "NODE");
    goesOn(What.START, 3, 15, "NODE");
    assertThat(problems(1)).isEmpty();
  }

  @Test
  void whatIsToldIsReadAndWhereRanksTrainFollowsFromIt(@TempDir Path directory) {
    SoakLog written = new SoakLog(directory, "group");
    Whereabouts whereabouts = new Whereabouts(written, 2);
    assertThat(whereabouts.of(0)).isEmpty();
    Executor living = new Executor(ProcessHandle.current().pid(), "7");
    SoakEvent start = new SoakEvent(What.START, 0, living, 1, -1, SoakEvent.NONE);
    written.report(start);
    SoakEvent blow = SoakEvent.blow(What.LOSE, 0, Executor.ALL);
    written.report(blow);
    assertThat(written.events()).containsExactly(start, blow);
    assertThat(whereabouts.of(0)).contains(living);
    assertThat(whereabouts.of(1)).isEmpty();
    written.report(new SoakEvent(What.AGAIN, 0, Executor.ALL, 2, 5, "NODE"));
    assertThat(whereabouts.of(0)).isEmpty();
  }
}
