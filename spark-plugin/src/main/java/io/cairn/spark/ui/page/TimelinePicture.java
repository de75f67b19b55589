package io.cairn.spark.ui.page;

import static io.cairn.spark.ui.page.PageUnits.format;

import io.cairn.Level;
import io.cairn.core.model.LevelSpec;
import io.cairn.spark.ui.model.BoardView;
import io.cairn.spark.ui.model.CheckpointRow;
import io.cairn.spark.ui.model.ProcessView;
import io.cairn.spark.ui.model.RankName;
import io.cairn.spark.ui.model.RestoreRow;
import java.util.BitSet;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * A lane per rank: each checkpoint a stroke at the time of its capture, the higher and darker the
 * farther the level that holds it. Checkpoints of one pixel are drawn once, so the picture is
 * bounded by its width. Linear in the checkpoints.
 */
final class TimelinePicture {
  static final int MOST_LANES = 48;
  private static final int LEFT = 190;
  private static final int WIDTH = 900;
  private static final int RIGHT = 36;
  private static final int TOP = 26;
  private static final int LANE = 26;
  private static final int STROKE = 2;
  private static final int LONGEST_LABEL = 26;

  /**
   * The height of the strokes of the lowest level, and by how much those of the next are higher.
   */
  private static final int LOWEST = 7;

  private static final int HIGHER = 4;

  /** The room of the label of an executor that is gone. */
  private static final int LABEL = 140;

  private final BoardView view;
  private final long from;
  private final long until;
  private final Map<RankName, Lane> lanes = new LinkedHashMap<>();

  /** The strokes of a rank, by their positions. */
  private static final class Lane {
    final int top;
    final Map<Level, BitSet> sealed = new EnumMap<>(Level.class);
    final BitSet captured = new BitSet();
    final BitSet failed = new BitSet();

    Lane(int index) {
      top = TOP + index * LANE;
    }

    void add(CheckpointRow row, int at) {
      captured.set(at);
      row.sealed().forEach(level -> sealed.computeIfAbsent(level, l -> new BitSet()).set(at));
      if (row.failed()) {
        failed.set(at);
      }
    }
  }

  TimelinePicture(BoardView view) {
    this.view = view;
    view.ranks().stream()
        .limit(MOST_LANES)
        .forEach(rank -> lanes.put(rank.name(), new Lane(lanes.size())));
    from = view.checkpoints().stream().mapToLong(CheckpointRow::atMillis).min().orElse(0);
    until = Math.max(last(view), from + 1_000);
    for (CheckpointRow row : view.checkpoints()) {
      Optional.ofNullable(lanes.get(row.name()))
          .ifPresent(lane -> lane.add(row, at(row.atMillis())));
    }
  }

  private static long last(BoardView view) {
    LongStream shown =
        LongStream.concat(
            view.checkpoints().stream().mapToLong(CheckpointRow::atMillis),
            LongStream.concat(
                view.restores().stream().mapToLong(RestoreRow::atMillis),
                view.processes().stream().mapToLong(ProcessView::goneMillis)));
    return shown.max().orElse(0);
  }

  /** The stroke of a time; strokes are counted from the left. */
  private int at(long millis) {
    double part = (double) (millis - from) / (until - from);
    return (int) Math.round(Math.max(0, Math.min(1, part)) * (WIDTH / STROKE - 1));
  }

  private int x(long millis) {
    return LEFT + STROKE * at(millis);
  }

  void draw(Html html) {
    int bottom = TOP + lanes.size() * LANE;
    html.open(
        "svg",
        "viewBox",
        format("0 0 %d %d", LEFT + WIDTH + RIGHT, bottom + 24),
        "class",
        "cairn-picture",
        "role",
        "img",
        "aria-label",
        "checkpoints of each rank over time");
    axis(html, bottom);
    lanes.forEach((rank, lane) -> lane(html, rank, lane));
    List<ProcessView> gone =
        view.processes().stream()
            .filter(each -> each.isGone() && each.goneMillis() >= from)
            .filter(each -> each.goneMillis() <= until)
            .sorted(Comparator.comparingLong(ProcessView::goneMillis))
            .toList();
    gone.forEach(each -> gone(html, each, bottom));
    goneLabels(html, gone);
    view.restores().forEach(restore -> restore(html, restore));
    html.close();
  }

  private void axis(Html html, int bottom) {
    int steps = 6;
    for (int step = 0; step <= steps; step++) {
      long millis = from + (until - from) * step / steps;
      int x = x(millis);
      html.shape("line", "x1", x, "x2", x, "y1", TOP, "y2", bottom, "stroke", Colors.LINE);
      text(html, x, bottom + 16, "middle", Colors.FAINT, PageUnits.clock(millis));
    }
  }

  private static void text(Html html, int x, int y, String anchor, String color, String text) {
    html.leaf("text", text, "x", x, "y", y, "text-anchor", anchor, "fill", color);
  }

  private void lane(Html html, RankName rank, Lane lane) {
    int base = lane.top + LANE - 3;
    String label = rank.group() + " · " + rank.rank();
    html.open("g").leaf("title", label);
    text(html, LEFT - 10, base - 5, "end", Colors.TEXT, clipped(label, LONGEST_LABEL));
    html.close();
    html.shape(
        "line", "x1", LEFT, "x2", LEFT + WIDTH, "y1", base, "y2", base, "stroke", Colors.LINE);
    strokes(html, lane.captured, base, 4, Colors.WAITING);
    lane.sealed.forEach(
        (level, strokes) -> strokes(html, strokes, base, height(level), Colors.of(level)));
    strokes(html, lane.failed, base, LANE - 6, Colors.BAD);
  }

  private static int height(Level level) {
    return LOWEST + HIGHER * LevelSpec.ALL.indexOf(LevelSpec.of(level));
  }

  /** Neighbouring strokes are one. */
  private static void strokes(Html html, BitSet strokes, int base, int height, String color) {
    StringBuilder path = new StringBuilder();
    for (int at = strokes.nextSetBit(0); at >= 0; ) {
      int end = strokes.nextClearBit(at);
      int width = STROKE * (end - at);
      path.append('M').append(LEFT + STROKE * at).append(' ').append(base);
      path.append('v')
          .append(-height)
          .append('h')
          .append(width)
          .append('v')
          .append(height)
          .append('z');
      at = strokes.nextSetBit(end);
    }
    if (!path.isEmpty()) {
      html.shape("path", "d", path, "fill", color);
    }
  }

  private void gone(Html html, ProcessView gone, int bottom) {
    int x = x(gone.goneMillis());
    html.open("g").leaf("title", "executor " + gone.process() + " is gone: " + gone.goneReason());
    html.shape(
        "line",
        "x1",
        x,
        "x2",
        x,
        "y1",
        TOP - 6,
        "y2",
        bottom,
        "stroke",
        Colors.BAD,
        "stroke-width",
        1.5,
        "stroke-dasharray",
        "4 3");
    html.close();
  }

  /** Labels that would cover each other are one. */
  private void goneLabels(Html html, List<ProcessView> gone) {
    int end;
    for (int first = 0; first < gone.size(); first = end) {
      int x = x(gone.get(first).goneMillis());
      end = first + 1;
      while (end < gone.size() && x(gone.get(end).goneMillis()) - x < LABEL) {
        end++;
      }
      int last = x(gone.get(end - 1).goneMillis());
      boolean isRight = last > LEFT + WIDTH - LABEL / 2;
      String label =
          end - first == 1
              ? "executor " + clipped(gone.get(first).process(), 10) + " gone"
              : (end - first) + " executors gone";
      text(html, isRight ? last : x, TOP - 11, isRight ? "end" : "start", Colors.BAD, label);
    }
  }

  private static String clipped(String label, int longest) {
    return label.length() > longest ? label.substring(0, longest - 1) + "…" : label;
  }

  private void restore(Html html, RestoreRow restore) {
    Lane lane = lanes.get(restore.name());
    if (lane == null || restore.atMillis() < from || restore.atMillis() > until) {
      return;
    }
    int x = x(restore.atMillis());
    int y = lane.top + LANE - 3;
    String points = format("%d,%d %d,%d %d,%d", x, y - 12, x - 6, y, x + 6, y);
    html.titled(
        "polygon",
        format(
            "restored at %s from iteration %d at %s",
            PageUnits.clock(restore.atMillis()), restore.iteration(), restore.level()),
        "points",
        points,
        "fill",
        Colors.PAPER,
        "stroke",
        Colors.TEXT,
        "stroke-width",
        1.5);
  }

  /** The colours of the picture. */
  static Map<String, String> colors() {
    Map<String, String> colors = new LinkedHashMap<>();
    colors.put("not sealed", Colors.WAITING);
    colors.putAll(Colors.levels());
    colors.put("failed", Colors.BAD);
    return colors;
  }

  /** Ranks without a lane. */
  static int left(List<?> ranks) {
    return Math.max(0, ranks.size() - MOST_LANES);
  }
}
