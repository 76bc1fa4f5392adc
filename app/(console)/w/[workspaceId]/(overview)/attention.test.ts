import { expect, test } from "vitest";

import { attentionItems, type AttentionFacts } from "./attention";

const now = new Date("2026-11-23T10:20:00Z");
const at = (hour: number) => new Date(Date.UTC(2026, 10, 22, hour));
const shadow = { agreed: 90, missed: 10, wrong: 0 };
const nothing: AttentionFacts = {
  ...{ workspaceId: "ws_1", now, zone: "UTC", unusual: [], newRules: [], refused: [], keys: [], failingKeys: [] },
  ...{ units: { used: 10, limit: 100 }, projection: undefined, shadow: { week: shadow, month: shadow } },
};
const burst = {
  ...{ from: at(5), to: at(6), visits: 12, usual: 0 },
  ...{ surface: { value: "sign-up", visits: 12 }, network: { value: "64508", visits: 12 } },
};

test("where nothing is unusual, refused or running out, nothing is listed", () => {
  expect(attentionItems(nothing)).toEqual([]);
});

test("an attack that fired two reasons is one item, which leads to its visits", () => {
  const unusual = [
    { ...burst, reason: "AUTOMATION_DETECTED" as const },
    { ...burst, reason: "HOSTING_NETWORK_DETECTED" as const },
  ];
  const items = attentionItems({ ...nothing, unusual });
  expect(items).toHaveLength(1);
  expect(items[0]?.detail).toContain("12 on sign-up");
  expect(items[0]?.detail).toContain("hosting provider");
  expect(items[0]?.href).toBe(
    "/w/ws_1/reports?from=2026-11-22T05%3A00&to=2026-11-22T06%3A00&reason=AUTOMATION_DETECTED",
  );
});

test("what is urgent comes first, and only an origin that can be allowed offers it", () => {
  const webApp = { webAppId: "app_1", webAppName: "Shop" };
  const items = attentionItems({
    ...nothing,
    units: { used: 95, limit: 100 },
    refused: [
      { ...webApp, origin: "", count: 4, canBeAllowed: false },
      { ...webApp, origin: "https://www.shop.example", count: 141, canBeAllowed: true },
    ],
    keys: [
      { keyId: "key_1", name: "server", state: "active", isUnused: true, expiresAt: new Date("2026-11-25T00:00:00Z") },
      { keyId: "key_2", name: "old", state: "revoked", isUnused: true, expiresAt: null },
    ],
    failingKeys: [
      { keyId: "key_3", name: "checkout", state: "active", refused: 40, answered: 400, code: "quota_exhausted" },
      { keyId: "key_4", name: "leaked", state: "revoked", refused: 3, answered: 0, code: "auth_failed" },
    ],
    newRules: [{ rule: "environment.touch", visits: 3 }],
    shadow: { week: { agreed: 40, missed: 60, wrong: 0 }, month: shadow },
  });
  expect(items.map(({ key }) => key)).toEqual([
    "refused app_1 https://www.shop.example",
    "failing key_4",
    "key key_1",
    "units",
    "refused app_1 ",
    "failing key_3",
    "unused keys",
    "rule environment.touch",
    "agreement",
  ]);
  expect(items.filter(({ allow }) => allow).map(({ allow }) => allow?.origin)).toEqual(["https://www.shop.example"]);
  expect(items.find(({ key }) => key === "units")?.figure).toBe("95 %");
});
