package io.cairn.lab.study.failure;

/**
 * Where failures come from: their moments and their levels. Levels are numbered from 1; a failure
 * of level ℓ destroys every checkpoint of a level below ℓ. A source is data; it is immutable and
 * may be shared.
 */
public sealed interface FailureSource
    permits ExponentialFailures, WeibullFailures, RecordedFailures {
  /** The highest level whose failures the source can produce, at least 1. */
  int levels();
}
