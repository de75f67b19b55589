package io.cairn.spark.ui;

import io.cairn.spark.ui.model.BoardView;
import io.cairn.spark.ui.page.Page;
import java.util.function.Supplier;
import org.apache.spark.ui.WebUIPage;
import org.json4s.JValue;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.List$;
import scala.collection.immutable.Seq;
import scala.xml.Node;
import scala.xml.Unparsed;

/**
 * The page of the tab. Spark 3 and Spark 4 differ in the package of a request, so the class has a
 * method for each; the one that Spark does not know is never called. Thread-safe.
 */
final class CheckpointsPage extends WebUIPage {
  private final CheckpointsTab tab;
  private final Supplier<BoardView> view;

  CheckpointsPage(CheckpointsTab tab, Supplier<BoardView> view) {
    super("");
    this.tab = tab;
    this.view = view;
  }

  /** For Spark 3. */
  @SuppressWarnings("MissingOverride") // Spark 4 has no such method
  public Seq<Node> render(javax.servlet.http.HttpServletRequest request) {
    return render(request, request.getParameter("all"));
  }

  /** For Spark 4. */
  @SuppressWarnings("MissingOverride") // Spark 3 has no such method
  public Seq<Node> render(jakarta.servlet.http.HttpServletRequest request) {
    return render(request, request.getParameter("all"));
  }

  /** For Spark 3. */
  public JValue renderJson(javax.servlet.http.HttpServletRequest request) {
    return json(request.getParameter("all"));
  }

  /** For Spark 4. */
  public JValue renderJson(jakarta.servlet.http.HttpServletRequest request) {
    return json(request.getParameter("all"));
  }

  private JValue json(@Nullable String all) {
    BoardView now = view.get();
    return Json.value("true".equals(all) ? now : now.withNewest(Page.MOST_IN_TABLE));
  }

  private Seq<Node> render(Object request, @Nullable String all) {
    String page = Page.of(view.get(), "true".equals(all));
    Seq<Node> content = List$.MODULE$.<Node>empty().$colon$colon(new Unparsed(page));
    return SparkHeader.around(request, "Checkpoints", content, tab);
  }
}
