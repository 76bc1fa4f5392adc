import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";

import { DrizzleQueryError } from "drizzle-orm/errors";
import { expect, test } from "vitest";

import { MAX_FRAMED_PER_SECOND } from "./describe-error";
import { createLog, openDestination, SECRET_FIELDS } from "./log";

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

type LoggedError = { name: string; code?: string; message?: string; frames?: string[]; cause?: LoggedError };

const errorsIn = (text: string): LoggedError[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { err: LoggedError }).err);

test.each(SECRET_FIELDS.flatMap((field) => [0, 1, 2, 3, 6].map((depth) => [field, depth] as const)))(
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

test("a failed query is logged with its SQLSTATE and SQL, without its parameters", () => {
  const cause = Object.assign(new Error(`duplicate key ${CANARY}`), { code: "23505", severity_local: "ERROR" });
  const text = capture((log) => {
    log.error(
      { err: new DrizzleQueryError("select * from api_key_lookup where key_hash = $1", [CANARY], cause) },
      "failed",
    );
  });
  expect(text).toContain("23505");
  expect(text).not.toContain(CANARY);
  expect(text).toContain("select * from api_key_lookup where key_hash = $1");
});

test("a secret is found in lists, in class instances, under names in other case and at excessive depth", () => {
  class Holder {
    token = CANARY;
    since = new Date(0);
  }
  const endless: Record<string, unknown> = { Authorization: CANARY };
  endless["self"] = endless;
  const text = capture((log) => {
    log.error({ headers: [{ "X-API-Key": CANARY }, [{ Cookie: CANARY }]], endless, held: new Holder() }, "a message");
  });
  expect(JSON.parse(text)).toMatchObject({ held: { token: "[redacted]", since: "1970-01-01T00:00:00.000Z" } });
  expect(text).not.toContain(CANARY);
});

test("an error is described wherever it occurs, and any other thrown value is logged by its type only", () => {
  const failure = Object.assign(new Error("Failed query"), { query: CANARY, parameters: [CANARY] });
  const text = capture((log) => {
    log.error({ reason: { inner: failure }, err: CANARY, cause: { token: CANARY } }, "failed");
  });
  expect(JSON.parse(text)).toMatchObject({
    reason: { inner: { name: "Error", frames: expect.any(Array) as unknown } },
    err: { name: "string" },
    cause: { name: "object" },
  });
  expect(text).not.toContain(CANARY);
});

test("an error with a circular cause is logged", () => {
  const error = new Error("first");
  error.cause = new TypeError("second", { cause: error });
  const text = capture((log) => {
    log.error({ err: error }, "failed");
  });
  expect(errorsIn(text)[0]).toMatchObject({ message: "first", cause: { name: "TypeError", message: "second" } });
});

test("in an outage every failure is logged, the first ones of each second with stack frames", () => {
  const failures = 2_000;
  const startedAt = performance.now();
  const text = capture((log) => {
    for (let index = 0; index < failures; index += 1) {
      const cause = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
      log.error({ err: new DrizzleQueryError("select", [], cause), requestId: `req_${index}` }, "request failed");
    }
    log.error({ err: new TypeError("another one") }, "request failed");
  });
  const seconds = Math.ceil((performance.now() - startedAt) / 1000) + 1;
  const told = errorsIn(text);
  expect(text).toContain(`req_${failures - 1}`);
  expect(told.slice(0, -1).map(({ cause }) => cause?.code)).toEqual(
    Array.from({ length: failures }, () => "ECONNREFUSED"),
  );
  expect(told[0]?.frames?.length).toBeGreaterThan(0);
  const framed = told.filter(({ cause }) => cause?.frames !== undefined).length;
  expect(framed).toBeGreaterThanOrEqual(MAX_FRAMED_PER_SECOND);
  expect(framed).toBeLessThanOrEqual(MAX_FRAMED_PER_SECOND * seconds);
  expect(told.at(-1)).toMatchObject({ name: "TypeError", frames: expect.any(Array) as unknown });
});

test("a log that cannot be written, as on a full disk, crashes nothing; some lines are buffered and written later", () => {
  const folder = mkdtempSync(join(tmpdir(), "imprint-log-"));
  const file = join(folder, "log");
  const writable = openSync(file, "a");
  const closed = openSync(file, "r");
  const destination = openDestination(closed);
  const log = createLog(destination, "info");
  const padding = "x".repeat(1_000);
  for (let line = 0; line < 5_000; line += 1) log.info({ line, padding }, "a line");
  Object.assign(destination, { fd: writable });
  log.info("the last line");
  const written = readFileSync(file, "utf8");
  expect(written).toMatch(/^\{"level":30,"time":\d+,"line":0,/);
  expect(written.length).toBeLessThan(2 * 1024 * 1024);
  for (const fileDescriptor of [writable, closed]) closeSync(fileDescriptor);
  rmSync(folder, { recursive: true });
});
