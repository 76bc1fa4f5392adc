import { Writable } from "node:stream";

import { DrizzleQueryError } from "drizzle-orm/errors";
import { expect, test } from "vitest";

import { createLog, SECRET_FIELDS } from "./log";

const CANARY = "canary-3f9c1d77";

function capture(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  write(createLog(sink, "info"));
  return lines.join("");
}

const nest = (field: string, depth: number): Record<string, unknown> =>
  depth === 0 ? { [field]: CANARY } : { inner: nest(field, depth - 1) };

test.each(SECRET_FIELDS.flatMap((field) => [0, 1, 2, 3].map((depth) => [field, depth] as const)))(
  "%s never reaches the log at depth %i",
  (field, depth) => {
    const text = capture((log) => {
      log.error(nest(field, depth), "a message");
    });
    expect(text).toContain("a message");
    expect(text).toContain("[redacted]");
    expect(text).not.toContain(CANARY);
  },
);

test("a failed query tells its SQLSTATE and nothing of the statement or its parameters", () => {
  const cause = Object.assign(new Error(`duplicate key ${CANARY}`), { code: "23505", severity_local: "ERROR" });
  const text = capture((log) => {
    log.error(
      { err: new DrizzleQueryError("select * from api_key_lookup where key_hash = $1", [CANARY], cause) },
      "failed",
    );
  });
  expect(text).toContain("23505");
  expect(text).not.toContain(CANARY);
  expect(text).not.toContain("api_key_lookup");
});
