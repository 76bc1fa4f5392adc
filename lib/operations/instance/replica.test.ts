import { expect, test } from "vitest";

import { describeReplica } from "./replica";

test.each([
  [{ kind: "follows", lagMs: 240 }, "ok", "0.2 s behind"],
  [{ kind: "behind", waitedMs: 5_000 }, "warn", "has not shown a write within 5 s"],
  [{ kind: "primary" }, "warn", "not a standby"],
  [{ kind: "foreign" }, "fail", "a different database server"],
  [
    { kind: "away", error: Object.assign(new Error("no"), { code: "ECONNREFUSED" }) },
    "warn",
    "DATABASE_READ_URL (database imprint at replica:5432, user ada) cannot be used: nothing accepts connections there",
  ],
  [{ kind: "away", error: new Error("no") }, "warn", "cannot be used: no."],
] as const)("a replica in state %j is reported as %s, with advice", (found, status, text) => {
  const fact = describeReplica(found, { url: "postgres://ada:secret@replica/imprint", maxLagSeconds: 5 });
  expect(fact).toMatchObject({ name: "read-replica", status });
  expect(fact.text).toContain(text);
  expect(fact.text).not.toContain("secret");
  expect(fact.fix === undefined).toBe(status === "ok");
});
