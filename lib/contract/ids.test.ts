import fc from "fast-check";
import { expect, test } from "vitest";

import { idPattern, idToUuid, newId, newImprint, uuidToId } from "./ids";

const KINDS = ["device", "environment", "intent", "request", "workspace"] as const;

test.each(KINDS)("a new %s id matches its public pattern and is unique", (kind) => {
  const ids = new Set(Array.from({ length: 1000 }, () => newId(kind)));
  expect(ids.size).toBe(1000);
  for (const id of ids) expect(id).toMatch(idPattern(kind));
});

test("imprints are UUIDv7 and sort by time", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 47 }), fc.integer({ min: 1, max: 2 ** 40 }), (at, later) => {
      const [first, second] = [newImprint(at), newImprint(at + later)];
      expect(first).toMatch(/^imp_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
      expect(first < second).toBe(true);
      expect(Number.parseInt(first.slice(4, 16), 16)).toBe(at);
    }),
  );
});

test("an id survives the round trip through the database's uuid type", () => {
  const id = newId("device");
  const hex = idToUuid(id);
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  expect(uuidToId("device", uuid)).toBe(id);
});
