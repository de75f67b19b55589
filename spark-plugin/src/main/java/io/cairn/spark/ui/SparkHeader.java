package io.cairn.spark.ui;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.apache.spark.ui.SparkUITab;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Function0;
import scala.collection.immutable.Seq;
import scala.xml.Node;

/**
 * Spark's header with its tabs, around a page. The method that makes it has other parameters in
 * each line of Spark; those beyond the first four have defaults, which are asked for.
 */
final class SparkHeader {
  private static final Logger LOG = LoggerFactory.getLogger(SparkHeader.class);
  private static final String METHOD = "headerSparkPage";
  private static final String MAKER = "org.apache.spark.ui.UIUtils";

  private SparkHeader() {}

  /** The whole page; the content alone, with a line in the log, if this version does not fit. */
  static Seq<Node> around(Object request, String title, Seq<Node> content, SparkUITab tab) {
    try {
      Class<?> maker = Class.forName(MAKER);
      Method method =
          Arrays.stream(maker.getMethods())
              .filter(each -> each.getName().equals(METHOD))
              .findFirst()
              .orElseThrow(() -> new NoSuchMethodException(METHOD));
      Object[] arguments = new Object[method.getParameterCount()];
      Function0<Seq<Node>> lazy = () -> content;
      Object[] known = {request, title, lazy, tab};
      System.arraycopy(known, 0, arguments, 0, known.length);
      for (int i = known.length; i < arguments.length; i++) {
        arguments[i] = maker.getMethod(METHOD + "$default$" + (i + 1)).invoke(null);
      }
      return nodes(method.invoke(null, arguments));
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn("The page of checkpoints lacks Spark's header: this version does not fit", e);
      return content;
    }
  }

  @SuppressWarnings("unchecked") // the method's return type says so
  private static Seq<Node> nodes(Object page) {
    return (Seq<Node>) page;
  }
}
