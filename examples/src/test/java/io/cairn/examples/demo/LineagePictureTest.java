package io.cairn.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.Level;
import io.cairn.examples.demo.FoldHistory.Attempt;
import io.cairn.examples.demo.FoldHistory.Checkpoint;
import io.cairn.examples.demo.FoldHistory.Kill;
import io.cairn.examples.demo.FoldHistory.Point;
import io.cairn.examples.demo.FoldHistory.Resume;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class LineagePictureTest {
  private static final double PER_SECOND = 16;

  @TempDir Path directory;

  private final List<Attempt> attempts = new ArrayList<>();
  private final List<Checkpoint> checkpoints = new ArrayList<>();
  private final List<Kill> kills = new ArrayList<>();
  private final List<Resume> resumes = new ArrayList<>();

  @Test
  void theSvgIsWellFormedAndShowsWhatHappened() throws Exception {
    String svg = new LineagePicture("Lineage of 4 folds <&>", folds()).svg();
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(svg)));
    assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
    assertThat(svg)
        .contains("executor 0 killed at iteration 170", "from NODE at 170")
        .contains("machine lost at", "from STORE at")
        .contains("epoch 3", "sealed at STORE", "seconds since the start", ">fold-3<");
  }

  @Test
  void thePngHoldsThePicture() throws IOException {
    Path file = directory.resolve("lineage.png");
    new LineagePicture("Four folds, killed twice: iterations over time", folds()).writePng(file);
    BufferedImage image = ImageIO.read(file.toFile());
    assertThat(image.getWidth()).isEqualTo(2400);
    assertThat(image.getRGB(0, 0) & 0xffffff).isEqualTo(0xffffff);
    assertThat(count(image, LineageColors.epoch(1))).isGreaterThan(1000);
    assertThat(count(image, LineageColors.RED)).isGreaterThan(100);
  }

  @Test
  void aFoldThatDidNotStartYetIsDrawnEmpty() {
    FoldHistory waiting = new FoldHistory("f", List.of(), List.of(), List.of(), List.of());
    assertThat(new LineagePicture("t", List.of(waiting)).svg()).contains(">f<");
  }

  /** As of a fold that had ended, and resumed from its end. */
  @Test
  void theLegendHasTheEpochsOfWhichSomethingIsDrawn() {
    train(1, 2, 0, 60);
    attempts.add(new Attempt(3, List.of()));
    FoldHistory ended = fold("fold-0");
    train(1, 2, 0, 5);
    train(4, 12, 0, 60);
    attempts.add(new Attempt(6, List.of(new Point(40, 60))));

    String svg = new LineagePicture("t", List.of(ended, fold("fold-1"))).svg();

    assertThat(svg)
        .contains(">epoch 1<", ">epoch 4<")
        .doesNotContain(">epoch 2<", ">epoch 3<", ">epoch 5<", ">epoch 6<");
  }

  @Test
  void theTimeGoesOnToTheLastResume() {
    train(1, 2, 0, 60);
    resume(50, Level.STORE, 50);

    assertThat(fold("fold-0").endSeconds()).isEqualTo(50);
  }

  @Test
  void noFoldsAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new LineagePicture("t", List.of()));
  }

  /** As a run on two executors looks: two folds at a time, one blow of each kind. */
  private List<FoldHistory> folds() {
    train(1, 2, 0, 170);
    kill(12.7, "executor 0", 170);
    resume(19, Level.NODE, 170);
    train(2, 19, 170, 420);
    FoldHistory first = fold("fold-0");
    train(1, 2.2, 0, 420);
    FoldHistory second = fold("fold-1");
    train(1, 29, 0, 187);
    kill(40.7, "machine", 187);
    resume(55.5, Level.STORE, 150);
    train(2, 55.5, 150, 420);
    FoldHistory third = fold("fold-2");
    train(1, 34.8, 0, 33);
    kill(36.9, "executor 0", 33);
    train(2, 39.2, 0, 24);
    kill(40.7, "machine", 24);
    train(3, 57, 0, 420);
    return List.of(first, second, third, fold("fold-3"));
  }

  private void train(long epoch, double from, long after, long until) {
    List<Point> points = new ArrayList<>();
    for (long i = after; i <= until; i++) {
      double seconds = from + (i - after) / PER_SECOND + 0.1 * Math.sin(i / 9.0);
      points.add(new Point(seconds, i));
      if (i > after && i % 10 == 0) {
        checkpoints.add(new Checkpoint(seconds, i, i % 50 == 0 ? Level.STORE : Level.NODE));
      }
      if (i > after && i % 50 == 0) {
        checkpoints.add(new Checkpoint(seconds, i, Level.NODE));
      }
    }
    attempts.add(new Attempt(epoch, points));
  }

  private void kill(double seconds, String target, long iteration) {
    kills.add(new Kill(seconds, target, 4711, iteration));
  }

  private void resume(double seconds, Level level, long iteration) {
    resumes.add(new Resume(seconds, level, iteration));
  }

  private FoldHistory fold(String name) {
    FoldHistory fold = new FoldHistory(name, attempts, checkpoints, kills, resumes);
    attempts.clear();
    checkpoints.clear();
    kills.clear();
    resumes.clear();
    return fold;
  }

  private static int count(BufferedImage image, int rgb) {
    int count = 0;
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        count += (image.getRGB(x, y) & 0xffffff) == rgb ? 1 : 0;
      }
    }
    return count;
  }
}
