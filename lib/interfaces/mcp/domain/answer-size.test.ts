import { readdirSync, readFileSync } from "node:fs";

import fc from "fast-check";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";

import { estimateTokens, fitAnswer, MAX_ANSWER_TOKENS } from "./answer-size";

const HEX = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b", "c", "d", "e", "f"];

test("texts never have more tokens than estimated, and documents not many fewer", () => {
  for (const file of readdirSync("docs").filter((name) => name.endsWith(".md"))) {
    const text = readFileSync(`docs/${file}`, "utf8");
    const [estimate, tokens] = [estimateTokens(text), encode(text).length];
    expect([file, estimate >= tokens, estimate < 1.8 * tokens]).toEqual([file, true, true]);
  }
  const id = fc.string({ unit: fc.constantFrom(...HEX), minLength: 32, maxLength: 32 });
  const value = fc.oneof(
    id,
    fc.webUrl(),
    fc.ipV6(),
    fc.date({ noInvalidDate: true }),
    fc.lorem(),
    fc.string({ unit: "grapheme" }),
  );
  fc.assert(
    fc.property(fc.array(fc.record({ device_id: value, first_seen_at: value, visits: fc.nat() })), (items) => {
      const text = JSON.stringify(items);
      expect(estimateTokens(text)).toBeGreaterThanOrEqual(encode(text).length);
    }),
    { numRuns: 50 },
  );
});

test("an answer that fits is complete; one that is too large has the first items and a way to continue", () => {
  const items = Array.from({ length: 2_000 }, (_, index) => ({ date: "2026-01-01", count: index }));
  const compose = (of: number) => (kept: number) => ({
    items: items.slice(0, kept),
    ...(kept < of && { next: kept }),
  });
  expect(fitAnswer(100, compose(100))).toBe(JSON.stringify({ items: items.slice(0, 100) }));
  const cut = fitAnswer(items.length, compose(items.length));
  const { items: kept, next } = JSON.parse(cut) as { items: unknown[]; next: number };
  expect(next).toBe(kept.length);
  expect(kept.length).toBeGreaterThan(300);
  expect(encode(cut).length).toBeLessThanOrEqual(MAX_ANSWER_TOKENS);
});
