import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";

import { expect, onTestFinished, test } from "vitest";

import { createManagementKey } from "@/lib/tenancy/management";
import { parseCandidate } from "@/lib/visits/rules";
import { createTestDatabase } from "@/test/database";
import { call, createSite, readReport, visit } from "@/test/visits";
import { operatorContext } from "@/test/workspaces";
import { parseLabelFile } from "./domain/parse-label-file";
import { readLabels } from "./index";

const { db } = await createTestDatabase();
const operator = operatorContext(db);
const FOLDER = "examples/quickstart";
const run = promisify(execFile);

test("the documented script labels an account and removes the label", async () => {
  const site = await createSite(db);
  const { workspaceId } = site;
  const { imprint } = await visit(site);
  await readReport(site.apiKey, imprint, { "x-account-ref": "48213" });
  const { secret } = await createManagementKey(operator, { workspaceId, name: "Support", scopes: ["labels"] });
  const api = createServer((request, response) => {
    void (async () => {
      const { method = "GET", url = "/", headers } = request;
      const answer = await call(url, { method, headers: headers as Record<string, string>, body: await text(request) });
      response.writeHead(answer.status).end(await answer.text());
    })();
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    api.close();
  });
  await once(api, "listening");
  const { port } = api.address() as AddressInfo; // safe: it listens on a port
  const script = readFileSync(`${FOLDER}/label.sh`, "utf8").replace(
    "https://imprint.example.com",
    `http://127.0.0.1:${port}`,
  );
  const env = { ...process.env, IMPRINT_MANAGEMENT_KEY: secret, ACCOUNT: "48213" };
  const labelled = async (label: string) => {
    await run("bash", ["-c", `${script}\nlabel '${label}'`], { env });
    return (await readLabels(operator, { workspaceId, imprint })).label;
  };
  expect([await labelled('"fraud"'), await labelled("null")]).toEqual(["fraud", null]);
});

test("the documented label file and candidate are valid", () => {
  const file = parseLabelFile(readFileSync(`${FOLDER}/labels.csv`, "utf8"));
  expect(file).toMatchObject({
    rows: [{ label: "fraud" }, { label: "legitimate" }, { label: "tester" }],
    problems: [],
  });
  expect(parseCandidate(readFileSync(`${FOLDER}/candidate.json`, "utf8"))).toMatchObject({
    settings: { observed: ["environment.window"], limits: { "identity.request-headers": { leastTraits: 3 } } },
  });
});
