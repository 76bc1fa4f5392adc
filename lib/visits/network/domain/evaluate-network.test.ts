import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluateNetwork } from "./evaluate-network";
import { NETWORK_RULES } from "./rules";
import { anyNetworkVisit, home } from "./testing";

test("evaluateNetwork: finds nothing in a normal visit from home", () => {
  expect(evaluateNetwork({ observed: home(), challenge: home(), alternate: home(), consistency: "MATCH" })).toEqual([]);
});

test("evaluateNetwork: finds nothing if nothing is known", () => {
  expect(evaluateNetwork({ observed: { evidence: [] }, consistency: "UNKNOWN" })).toEqual([]);
});

test("evaluateNetwork: never throws for any facts, gives each finding evidence and harmless causes, and marks values that reveal a place", () => {
  fc.assert(
    fc.property(anyNetworkVisit, (visit) => {
      for (const { compared, harmlessCauses, explanation } of evaluateNetwork(visit)) {
        expect(compared.length).toBeGreaterThan(0);
        expect(harmlessCauses.length).toBeGreaterThan(0);
        const addresses = [visit.observed, visit.alternate, visit.challenge].flatMap((facts) => facts?.address ?? []);
        const open = [explanation, ...compared.filter(({ isPlace }) => !isPlace).map(({ value }) => value)].join(" ");
        expect(addresses.filter((address) => open.includes(address))).toEqual([]);
        expect(open).not.toMatch(/AS\d|Germany|\bDE\b/);
      }
    }),
  );
});

test("evaluateNetwork: is never DECEPTIVE by name alone, or for a relay", () => {
  fc.assert(
    fc.property(anyNetworkVisit, (visit) => {
      const observed = { ...visit.observed, typeSource: "name" as const };
      const relay = { ...visit.observed, connectionType: "proxy" as const, anonymity: "relay" as const };
      const alone = (facts: typeof observed | typeof relay) =>
        evaluateNetwork({ observed: facts, consistency: "UNKNOWN" }).map(({ status }) => status);
      expect([...alone(observed), ...alone(relay)]).not.toContain("DECEPTIVE");
    }),
  );
});

test("docs/network.md lists every rule with its reason", () => {
  const page = readFileSync(new URL("../../../../docs/network.md", import.meta.url), "utf8");
  for (const { id, reason } of NETWORK_RULES) expect(page).toMatch(new RegExp(`\\| \`${id}\` +\\| \`${reason}\``));
});
