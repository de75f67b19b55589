package io.cairn.lab.submit;

/**
 * The result of one job with a class path of its user.
 *
 * @param name of the class path
 * @param passed whether its result is the expected one
 * @param seconds from the submission to the result
 */
record ClassPathResult(String name, boolean passed, double seconds) {}
