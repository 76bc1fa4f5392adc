import { expect, test } from "vitest";

import { isLateDriverWrite } from "./client";

/** The error that the driver throws in its own frame when its connection's socket is gone. */
const thrownIn = (frame: string) => {
  const error = new TypeError("Cannot read properties of null (reading 'write')");
  error.stack = `${String(error)}\n    at Immediate.${frame}\n    at process.processImmediate (node:internal/timers:478:21)`;
  return error;
};

test.each([
  [
    "the driver's write to a closed connection",
    thrownIn("nextWrite (file:///app/node_modules/postgres/src/connection.js:255:22)"),
    true,
  ],
  ["the same function name elsewhere", thrownIn("nextWrite (file:///app/lib/queue.js:255:22)"), false],
  [
    "another function of the driver",
    thrownIn("parse (file:///app/node_modules/postgres/src/connection.js:300:1)"),
    false,
  ],
  ["a text", "nextWrite /postgres/", false],
])("%s is distinguished from an error of our own", (_what, error, expected) => {
  expect(isLateDriverWrite(error)).toBe(expected);
});
