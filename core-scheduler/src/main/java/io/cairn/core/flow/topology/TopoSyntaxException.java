package io.cairn.core.flow.topology;

/**
 * Text that is no matrix of {@code nvidia-smi topo -m}; the message begins with the line's number.
 */
final class TopoSyntaxException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  TopoSyntaxException(int line, String message) {
    super("line " + line + ": " + message);
  }
}
