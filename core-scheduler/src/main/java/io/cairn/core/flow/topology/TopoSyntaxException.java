package io.cairn.core.flow.topology;

/**
 * Text that is not a matrix of {@code nvidia-smi topo -m}; the message begins with the line number.
 */
final class TopoSyntaxException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  TopoSyntaxException(int line, String message) {
    super("line " + line + ": " + message);
  }
}
