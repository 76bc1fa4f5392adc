import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { statement } from "./prepared";
import { createTestDatabase } from "@/test/database";

const { db } = await createTestDatabase({ poolSize: 2 });

const echo = statement<{ value: string }>(sql`select ${sql.placeholder("value")}::text as value`);
const NOT_PLAIN: [string, unknown][] = [
  ["an object without a prototype", Object.create(null)],
  ["an object that cannot be converted to a string", { toString: 1, valueOf: 1 }],
  ["a plain object", { a: 1 }],
  ["undefined", undefined],
  ["a symbol", Symbol("x")],
  ["a function", () => "x"],
  ["a date", new Date(NaN)],
  ["a list with such an object", [{ toString: 1 }]],
];

test.each(NOT_PLAIN)(
  "%s as a parameter fails only its own query; every other query on the connection gets its own answer",
  async (_name, wrong) => {
    const ask = (value: unknown) =>
      echo(db, { value }).then(
        ([row]) => row?.value,
        () => "refused",
      );
    const askUnprepared = async (value: unknown) => {
      try {
        return (await db.execute<{ value: string }>(sql`select ${value}::text as value`))[0]?.value;
      } catch {
        return "refused";
      }
    };
    await ask("warm");
    const values = ["a", "b", wrong, "c", "d", wrong, "e"];
    const expected = values.map((value) => (value === wrong ? "refused" : value));
    expect(await Promise.all(values.map(ask))).toEqual(expected);
    expect(await ask("after")).toBe("after");
    expect(await askUnprepared("after")).toBe("after");
    if (!Array.isArray(wrong)) expect(await askUnprepared(wrong)).toBe("refused");
  },
);
