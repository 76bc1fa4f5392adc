import { expect, test } from "vitest";

import { groupKeys, type KeyRow } from "./key-row";

const at = "2026-11-23T10:00:00.000Z";
const key = (keyId: string, state: KeyRow["state"], replacedBy: string | null = null): KeyRow => ({
  ...{ keyId, state, replacedBy, name: "server", shown: keyId, kind: "live", createdBy: "usr_1", createdAt: at },
  ...{ lastUsedAt: null, expiresAt: null, revokedAt: null, isUnused: false },
});
const shown = (rows: KeyRow[]) =>
  groupKeys(rows).map((group) => [group.key.keyId, ...group.former.map((row) => row.keyId)]);

test("a rotated key is one key with two secrets for as long as both are accepted", () => {
  expect(shown([key("b", "active"), key("a", "overlap", "b")])).toEqual([["b", "a"]]);
  expect(shown([key("c", "active"), key("b", "overlap", "c"), key("a", "overlap", "b")])).toEqual([["c", "b", "a"]]);
});

test("a secret that ended, or whose replacement ended, is a key of its own", () => {
  expect(shown([key("b", "active"), key("a", "revoked", "b")])).toEqual([["b"], ["a"]]);
  expect(shown([key("b", "revoked"), key("a", "overlap", "b")])).toEqual([["b"], ["a"]]);
  expect(shown([key("a", "overlap", "gone")])).toEqual([["a"]]);
});
