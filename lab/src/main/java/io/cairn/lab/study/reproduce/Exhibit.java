package io.cairn.lab.study.reproduce;

import java.io.IOException;
import java.util.List;

/** Tables and figures that are computed together. */
interface Exhibit {
  /** How often {@link #reproduce} calls {@link Workshop#step}. */
  int steps();

  /** Computes them and writes their pictures. */
  List<Finding> reproduce(Workshop workshop) throws IOException, InterruptedException;
}
