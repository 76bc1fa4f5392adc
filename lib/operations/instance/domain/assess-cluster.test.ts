import { expect, test } from "vitest";

import { assessCluster, type Cluster, describeCluster } from "./assess-cluster";

const GB = 1e9;
const node = (name: string, bytes = GB, other: Partial<Cluster["nodes"][number]> = {}) => ({
  ...{ name, bytes, isCoordinator: false, hasShards: true },
  ...{ isReachable: true, obstacle: "", routedFunction: "current" as const },
  ...other,
});
const coordinator = node("c:1", 0, { isCoordinator: true, hasShards: false });
const cluster = (change: Partial<Cluster> = {}): Cluster => ({
  ...{ nodes: [coordinator, node("a:1"), node("b:1")], shards: 32, unplaced: [], largest: [] },
  ...change,
});
const statusOf = (change: Partial<Cluster>, name: string) =>
  assessCluster(cluster(change), "imprint admin").find((fact) => fact.name === name);

test("a cluster whose servers answer and are balanced is healthy", () => {
  expect(assessCluster(cluster(), "imprint admin").map(({ status }) => status)).toEqual(["ok", "ok", "ok"]);
  expect(describeCluster(cluster())).toBe("Cluster   3 database servers, 32 shards");
});

test("a server that does not answer is named, with who is affected", () => {
  const nodes = [coordinator, node("a:1"), node("b:1", 0, { isReachable: false })];
  expect(statusOf({ nodes }, "cluster")?.status).toBe("fail");
  expect(statusOf({ nodes }, "cluster")?.text).toContain("Of 3 servers, b:1 does not answer");
  expect(describeCluster(cluster({ nodes }))).toContain("b:1 does not answer");
});

test("a database that is not or only partly distributed is reported, with the command", () => {
  expect(assessCluster(cluster({ shards: 0 }), "imprint admin")).toMatchObject([
    { status: "warn", fix: "Run `imprint admin distribute`." },
  ]);
  expect(statusOf({ unplaced: ["cases"] }, "shards")).toMatchObject({
    status: "warn",
    text: "Not distributed: cases.",
  });
});

test("an overfull server, and a large workspace on a shared shard, are reported with the command", () => {
  const nodes = [coordinator, node("a:1", 9 * GB), node("b:1", GB)];
  expect(statusOf({ nodes }, "shards")?.fix).toBe("Run `imprint admin distribute --rebalance`.");
  const largest = [{ workspaceId: "ws_1", devices: 50_000, share: 0.8, hasOwnShard: false }];
  expect(statusOf({ largest }, "largest-workspaces")?.fix).toBe("Run `imprint admin distribute --isolate ws_1`.");
  const own = largest.map((each) => ({ ...each, hasOwnShard: true }));
  expect(statusOf({ largest: own }, "largest-workspaces")?.status).toBe("ok");
});

test("a setting that prevents moving shards while the service runs is named", () => {
  const nodes = [coordinator, node("a:1", GB, { obstacle: "wal_level" }), node("b:1")];
  expect(statusOf({ nodes }, "cluster-limits")?.status).toBe("warn");
  expect(statusOf({ nodes }, "cluster-limits")?.text).toContain("wal_level on a:1");
});

test("a server without the run_on_shard function, or with another version of it, is named", () => {
  expect(statusOf({}, "run-on-shard")).toBeUndefined();
  const nodes = [
    coordinator,
    node("a:1", GB, { routedFunction: "missing" }),
    node("b:1", GB, { routedFunction: "other" }),
  ];
  const fact = statusOf({ nodes }, "run-on-shard");
  expect(fact).toMatchObject({
    status: "fail",
    fix: "Run `imprint admin distribute`, which creates it on every server.",
  });
  expect(fact?.text).toContain("is missing on a:1, and is that of another release on b:1");
  expect(statusOf({ nodes: [coordinator, ...nodes.slice(2)] }, "run-on-shard")?.status).toBe("warn");
});
