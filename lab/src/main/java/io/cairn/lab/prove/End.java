package io.cairn.lab.prove;

/** How the first part of a training ends. */
enum End {
  /** It returns after its first epoch. */
  RETURN,

  /** A listener throws in the middle of the second epoch. */
  EXCEPTION,

  /** The process is killed there, and another one resumes. */
  SIGKILL
}
