import fc from "fast-check";

import { randomOf } from "../common/random";

/** Random choices that depend only on the seed and the request's number. */
export type Draw = {
  /** A whole number from 0 to `count` - 1. */
  below: (count: number) => number;
  chance: (probability: number) => boolean;
  pick: <T>(values: readonly T[]) => T;
  /** One value from a fast-check arbitrary. */
  from: <T>(arbitrary: fc.Arbitrary<T>) => T;
};

const SEED_STEP = 0x9e3779b1;
const REQUEST_STEP = 0x85ebca6b;

export function drawOf(seed: number, index: number): Draw {
  const random = randomOf((Math.imul(seed, SEED_STEP) ^ Math.imul(index + 1, REQUEST_STEP)) >>> 0);
  const below = (count: number) => Math.floor(random() * count);
  const from = <T>(arbitrary: fc.Arbitrary<T>): T => {
    const [value] = fc.sample(arbitrary, { seed: below(2 ** 31), numRuns: 1 });
    return value as T; // safe: one run gives one value
  };
  const pick = <T>(values: readonly T[]): T => {
    if (values.length === 0) throw new Error("there is nothing to choose from");
    return values[below(values.length)] as T; // safe: below the length
  };
  return { below, chance: (probability) => random() < probability, pick, from };
}

/** Would be executed if a page contained it unescaped. */
export const SCRIPT_MARK = "<script>alert(1)</script>";
const FOREIGN_HOST = "evil.example";

const PLACES = [
  ...[`//${FOREIGN_HOST}`, `/.//${FOREIGN_HOST}`, `/a/..//${FOREIGN_HOST}`, `/\\${FOREIGN_HOST}`],
  ...[`\\\\${FOREIGN_HOST}`, `\\x`, `/\t/${FOREIGN_HOST}`, `https://${FOREIGN_HOST}`, `https:${FOREIGN_HOST}`],
  ...[`http://localhost@${FOREIGN_HOST}/`, "javascript:alert(1)", "data:text/html,x", "search-ms:query=x", "intent:#x"],
  ...["http://[::1", "/w/ws_x/../../sign-in", "/%2e%2e//x", "?", "#"],
];
const NUMBERS = [
  "NaN",
  "Infinity",
  "-0",
  "1e999",
  "1.5",
  "-1",
  "0x10",
  "2147483648",
  "9223372036854775808",
  "0".repeat(40),
];
const DAYS = [
  ...["0000-01-01", "0000-00-00", "0001-01-01", "-000001-01-01", "9999-12-31", "10000-01-01", "+275760-09-13"],
  ...["2026-02-29", "2026-13-01", "1969-12-31", "2026-01-01T25:00:00Z", "0000-01-01T00:00", "294277-01-01T00:00:00Z"],
];
const NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "then",
  "null",
  "undefined",
  "true",
];
const UNSTORABLE = ["\0", "a\0b", "\uD800", "x\uDFFF", "\uDC00\uD800"];
const MARKUP = [
  SCRIPT_MARK,
  `"><img src=x onerror=alert(1)>`,
  "' or 1=1 --",
  "'; select pg_sleep(9) --",
  "${7*7}",
  "{{7*7}}",
];
const SPELLINGS = [
  "",
  " ",
  "%",
  "%00",
  "%E0%A4%A",
  "../../../../etc/passwd",
  "\r\nSet-Cookie: x=1",
  "\u202e",
  "\uFEFF",
  "İ",
  "\uFFFF",
];
const LONG = ["a".repeat(129), "a".repeat(1_025), "😀".repeat(70), "﷽".repeat(200), "a".repeat(9_000)];

/** Strings that break careless code. */
const HOSTILE_TEXTS: readonly string[] = [
  ...PLACES,
  ...NUMBERS,
  ...DAYS,
  ...NAMES,
  ...UNSTORABLE,
  ...MARKUP,
  ...SPELLINGS,
  ...LONG,
];

/** Whether a string can be encoded as UTF-8. */
export const isWellFormed = (text: string): boolean => !/\p{Cs}/u.test(text);

/** An unexpected string. */
export const hostileText = (draw: Draw): string =>
  draw.chance(0.8) ? draw.pick(HOSTILE_TEXTS) : draw.from(fc.string({ unit: "binary", maxLength: 40 }));

const HOSTILE_VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 5e-324],
  ...[[], {}, [[]], [null], { a: { b: {} } }],
];

function nested(draw: Draw): unknown {
  let value: unknown = "deep";
  for (let depth = draw.pick([5, 19, 20, 21, 500]); depth > 0; depth -= 1)
    value = draw.chance(0.5) ? [value] : { a: value };
  return value;
}

export function hostileValue(draw: Draw): unknown {
  const kind = draw.below(10);
  if (kind < 5) return hostileText(draw);
  if (kind < 8) return draw.pick(HOSTILE_VALUES);
  return kind === 8 ? draw.from(fc.jsonValue({ maxDepth: 3, stringUnit: "binary" })) : nested(draw);
}

type Holder = Record<string, unknown>;
const isHolder = (value: unknown): value is Holder => typeof value === "object" && value !== null;

/** Every object and array in a value, including itself. */
function holdersIn(value: unknown): Holder[] {
  return isHolder(value) ? [value, ...Object.values(value).flatMap(holdersIn)] : [];
}

/** Sets an own property, including `__proto__`. */
const setOwn = (holder: Holder, name: string, value: unknown) =>
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });

/** A copy of a JSON value with one defect. */
export function mutate(draw: Draw, value: unknown): unknown {
  const copy = structuredClone(value);
  const holders = holdersIn(copy);
  if (holders.length === 0 || draw.chance(0.05)) return hostileValue(draw);
  const holder = draw.pick(holders);
  const names = Object.keys(holder);
  const name = names.length > 0 ? draw.pick(names) : "a";
  const kind = draw.below(10);
  if (kind < 6) setOwn(holder, name, hostileValue(draw));
  else if (kind < 8) Reflect.deleteProperty(holder, name);
  else setOwn(holder, draw.pick([...NAMES, "extra", `${name} `, name.toUpperCase()]), hostileValue(draw));
  return copy;
}

/** A JSON text with a syntax or encoding defect, as bytes. */
export function misspell(draw: Draw, text: string): Buffer {
  const utf8 = Buffer.from(text);
  const wrong: (() => Buffer)[] = [
    () => utf8.subarray(0, draw.below(utf8.length + 1)),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), utf8]),
    () => Buffer.from(text, "utf16le"),
    () => Buffer.concat([utf8, Buffer.from([0xc3, 0x28])]),
    () => Buffer.from(`${text}${text}`),
    () => Buffer.from(text.replace("}", ",}")),
    () => Buffer.from(text.replace("{", '{"__proto__":{"polluted":true},')),
    () => Buffer.from(text.replace(/"([^"]+)":/, '"$1":1,"$1":')),
    () => Buffer.from(text.replaceAll('"', "'")),
    () => Buffer.from("[".repeat(4_000)),
    () => Buffer.from(`${" ".repeat(draw.pick([100, 17_000]))}${text}`),
    () => Buffer.alloc(0),
    () => Buffer.from(draw.from(fc.uint8Array({ maxLength: 64 }))),
  ];
  return draw.pick(wrong)();
}
