import { readFileSync } from "node:fs";

import fc from "fast-check";
import { expect, test } from "vitest";

import { composeBody, composeExactly, drawExactly, squaresOf } from "@/lib/contract/challenge-proof";
import { SubmissionBody } from "@/lib/contract/submission";
import captured from "@/lib/visits/risk/captures/chromium.json";

import { checkProof } from "./check-proof";
import { REPEAT_RULES } from "./evidence";

const TIMINGS = { total: 183, challenge: 41, signals: { worker: 96, canvas: 6, fonts: 23 } };
const ENVIRONMENT_ID = `env_${"0".repeat(32)}`;

const challenges = fc.stringMatching(/^[A-Za-z0-9_-]{68}$/);
const bodyFor = (challenge: string) => ({
  v: 1,
  environment_id: ENVIRONMENT_ID,
  challenge,
  surface: "sign-in",
  signals: captured.signals,
  timings: TIMINGS,
});

/** Findings about a body as received, after contract validation. */
function findingsOf(rawBody: string): string[] {
  const { challenge, proof, signals } = SubmissionBody.parse(JSON.parse(rawBody));
  return checkProof({ rawBody, challenge, proof, signals }).map(({ ruleId }) => ruleId);
}

test("a submission made for its challenge has no finding", () => {
  fc.assert(
    fc.property(challenges, (challenge) => {
      expect(findingsOf(composeExactly(bodyFor(challenge)))).toEqual([]);
    }),
  );
});

test("a submission recorded under one challenge is found under every other", () => {
  fc.assert(
    fc.property(challenges, challenges, (recorded, fresh) => {
      fc.pre(recorded !== fresh);
      const replayed = composeExactly(bodyFor(recorded)).replace(recorded, fresh);
      expect(findingsOf(replayed)).toEqual(["repeat.proof-wrong"]);
    }),
  );
});

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;

/** Paths of all strings, numbers and booleans below `value`. */
const leavesOf = (value: Json, path: string[] = []): string[][] =>
  Object.entries(value).flatMap(([name, inner]) =>
    isObject(inner) ? leavesOf(inner, [...path, name]) : [[...path, name]],
  );

/** Copies `value`, with a different value of the same type at `path`. */
function alteredAt(value: Json, [name = "", ...rest]: readonly string[]): Json {
  const inner = value[name];
  if (isObject(inner)) {
    const changed = alteredAt(inner, rest);
    return { ...value, [name]: Array.isArray(inner) ? Object.values(changed) : changed };
  }
  if (typeof inner === "boolean") return { ...value, [name]: !inner };
  return { ...value, [name]: typeof inner === "number" ? inner + 1 : `${String(inner)}0` };
}

const CHALLENGE = "Aa0_-".repeat(14);
const MADE = composeExactly(bodyFor(CHALLENGE));
const PARSED = JSON.parse(MADE) as Json;
const BOUND = ["signals", "timings", "surface"];
const LEAVES = leavesOf(PARSED).filter(([top = ""]) => BOUND.includes(top));

test("any altered value is found, even if the proof matches the altered submission", () => {
  expect(LEAVES.length).toBeGreaterThan(90);
  const { challenge, proof, signals } = SubmissionBody.parse(PARSED);
  for (const path of LEAVES) {
    const found = checkProof({ rawBody: JSON.stringify(alteredAt(PARSED, path)), challenge, proof, signals });
    expect([path.join("."), ...found.map(({ ruleId }) => ruleId)]).toEqual([path.join("."), "repeat.proof-wrong"]);
  }
});

test("any change to the text of a submission is found: a character changed, added or removed", () => {
  const place = fc.nat(MADE.length - 1);
  fc.assert(
    fc.property(place, fc.constantFrom(" ", "0", "a", ""), fc.boolean(), (at, put, isAdded) => {
      const rawBody = MADE.slice(0, at) + put + MADE.slice(isAdded ? at : at + 1);
      fc.pre(rawBody !== MADE);
      const { challenge, proof, signals } = SubmissionBody.parse(PARSED);
      expect(checkProof({ rawBody, challenge, proof, signals })).not.toEqual([]);
    }),
    { numRuns: 400 },
  );
});

test.each([
  ["a missing proof", JSON.stringify(bodyFor(CHALLENGE)), "repeat.proof-missing"],
  ["omitted groups", composeExactly(bodyFor(CHALLENGE)).replace(/,"fonts":\{[^}]*\}/, ""), "repeat.proof-wrong"],
  ["values after the proof", MADE.replace(/\}$/, ',"surface":"pay"}'), "repeat.proof-wrong"],
  ["a second proof", MADE.replace(/\}$/, /,"proof".*\}/.exec(MADE)?.[0] ?? ""), "repeat.proof-wrong"],
  [
    "a drawing of another challenge",
    composeBody(bodyFor(CHALLENGE), () => drawExactly(squaresOf("x"))),
    "repeat.drawing-wrong",
  ],
  ["no drawing, though the canvas works", composeBody(bodyFor(CHALLENGE), () => ""), "repeat.drawing-wrong"],
])("%s is found", (_what, rawBody, expected) => {
  expect(findingsOf(rawBody)).toEqual([expected]);
});

/** What a browser reads back if it changes each channel by up to `most`. */
const noisy = (most: number) => (squares: Parameters<typeof drawExactly>[0]) =>
  drawExactly(squares).replace(/../g, (channel, at: number) =>
    Math.min(255, Math.max(0, parseInt(channel, 16) + ((at * 7919) % (2 * most + 1)) - most))
      .toString(16)
      .padStart(2, "0"),
  );
const withCanvas = (canvas: object) => ({ ...bodyFor(CHALLENGE), signals: { ...captured.signals, canvas } });
const canvas = (value: object) => withCanvas({ state: "ok", value: { ...captured.signals.canvas.value, ...value } });

test.each([
  ["noise of a step or two, as Brave and Firefox add it", bodyFor(CHALLENGE), noisy(2)],
  [
    "random pixels under resistFingerprinting",
    canvas({ solidFillErrors: 256, isStable: false }),
    () => "12345678".repeat(6),
  ],
  ["a constant picture instead of the drawing", canvas({ solidFillErrors: 256 }), () => "ffffffff".repeat(6)],
  ["a canvas that blocks reading", withCanvas({ state: "blocked" }), () => ""],
  ["a browser without a canvas", withCanvas({ state: "absent" }), () => ""],
])("%s has no finding", (_what, body, draw) => {
  expect(findingsOf(composeBody(body, draw))).toEqual([]);
});

test("two challenges require different drawings", () => {
  fc.assert(
    fc.property(challenges, challenges, (one, other) => {
      fc.pre(one !== other);
      expect(drawExactly(squaresOf(one))).not.toBe(drawExactly(squaresOf(other)));
    }),
  );
});

test("the proof of 0.3.0 never changes, so pages pinned to it stay accepted", () => {
  expect(JSON.parse(composeExactly({ challenge: CHALLENGE, signals: {} }))).toEqual({
    challenge: CHALLENGE,
    signals: {},
    proof: {
      drawing: "ff7cf7c4ff6b179fff84f069ff84f069ffc6710fff7cf7c4",
      digest: "e11d3a0b668b6fdf",
    },
  });
});

test("docs/risk.md lists every rule with its reason", () => {
  const page = readFileSync(new URL("../../../../docs/risk.md", import.meta.url), "utf8");
  for (const [id, reason] of Object.entries(REPEAT_RULES)) expect(page).toContain(`| \`${id}\` | \`${reason}\` |`);
});
