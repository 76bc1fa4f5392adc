import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { openAgentKeys } from "@/lib/visits/agents";
import { createAgent, keyFileOf } from "@/test/agents";
import { describeAgentKeys } from "./index";

test("the state of the agents' keys is reported, with advice if they cannot be used", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "imprint-agents-"));
  onTestFinished(async () => {
    await openAgentKeys({});
    rmSync(folder, { recursive: true });
  });
  const file = path.join(folder, "agents.json");
  const stated = async (sources: Parameters<typeof openAgentKeys>[0]) => {
    await openAgentKeys(sources);
    return describeAgentKeys().map(({ name, status, text, fix }) => [name, status, text, fix !== undefined]);
  };
  expect(await stated({})).toEqual([["agent-keys", "ok", "No agent is known: AGENT_KEYS_FILE is not set.", false]]);
  writeFileSync(file, keyFileOf([createAgent("Example Agent")]));
  expect(await stated({ path: file })).toEqual([["agent-keys", "ok", `${file}: 1 key of known agents.`, false]]);
  writeFileSync(file, "{}");
  expect(await stated({ path: file })).toEqual([
    ["agent-keys", "warn", expect.stringContaining("cannot be used: agents"), true],
  ]);
  expect(await stated({ path: path.join(folder, "none.json") })).toEqual([
    ["agent-keys", "warn", expect.stringContaining("it does not exist"), true],
  ]);
});
