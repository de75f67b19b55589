package io.cairn.spark.ui;

import io.cairn.spark.ui.model.BoardView;
import io.cairn.spark.ui.page.Page;
import java.util.function.Supplier;
import org.apache.spark.ui.WebUIPage;
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
    return render(request, request.getParameter("all"), request.getParameter("json"));
  }

  /** For Spark 4. */
  @SuppressWarnings("MissingOverride") // Spark 3 has no such method
  public Seq<Node> render(jakarta.servlet.http.HttpServletRequest request) {
    return render(request, request.getParameter("all"), request.getParameter("json"));
  }

  private Seq<Node> render(Object request, @Nullable String all, @Nullable String json) {
    BoardView now = view.get();
    boolean whole = "true".equals(all);
    String content =
        "true".equals(json)
            ? PageJson.element(whole ? now : now.withNewest(Page.MOST_IN_TABLE))
            : Page.of(now, whole);
    Seq<Node> nodes = List$.MODULE$.<Node>empty().$colon$colon(new Unparsed(content));
    return SparkHeader.around(request, "Checkpoints", nodes, tab);
  }
}
