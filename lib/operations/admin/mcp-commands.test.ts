import { expect, test } from "vitest";

import { newId } from "@/lib/contract/ids";
import { insertConnection } from "@/lib/interfaces/oauth/queries";
import { createTestDatabase } from "@/test/database";
import { createTestWorkspace } from "@/test/workspaces";
import { runAdmin } from "./index";

const { db } = await createTestDatabase();

async function run(line: string) {
  const written = { stdout: "", stderr: "" };
  const sink = (name: keyof typeof written) => ({ write: (text: string) => (written[name] += text) });
  const code = await runAdmin([...line.split(" "), "--json"], {
    migrationsFolder: "db/migrations",
    openDatabase: () => Promise.resolve(db),
    stdout: sink("stdout"),
    stderr: sink("stderr"),
  });
  return { code, answer: JSON.parse(code === 0 ? written.stdout : written.stderr) as unknown };
}

test("the command line switches the MCP server and sets its redirects", async () => {
  expect(await run("mcp show")).toEqual({ code: 0, answer: { enabled: true, redirects: [] } });
  const redirects = ["claude.ai", "cursor:"];
  expect(await run("mcp set-redirects --allow cursor: --allow Claude.ai")).toMatchObject({ answer: { redirects } });
  expect(await run("mcp switch --to off")).toEqual({ code: 0, answer: { enabled: false, redirects } });
  expect(await run("mcp switch --to on")).toEqual({ code: 0, answer: { enabled: true, redirects } });
  for (const line of ["mcp set-redirects", "mcp set-redirects --any --allow claude.ai", "mcp set-redirects --allow *"])
    expect(await run(line)).toMatchObject({ code: 1, answer: { error: { code: "invalid_request" } } });
  expect(await run("mcp set-redirects --any")).toEqual({ code: 0, answer: { enabled: true, redirects: [] } });
});

test("the log of tool calls is one JSON object, and a wrong date or size is refused", async () => {
  const workspace = await createTestWorkspace(db);
  expect(await run(`client calls --workspace ${workspace} --tool svc_get_usage --from 2026-01-01`)).toEqual({
    code: 0,
    answer: { calls: [], next_cursor: null },
  });
  for (const wrong of ["--from yesterday", "--limit 0", "--cursor x"])
    expect(await run(`client calls --workspace ${workspace} ${wrong}`)).toMatchObject({
      code: 1,
      answer: { error: { code: "invalid_request" } },
    });
});

test("the ids that narrow the log of calls are those that the list of clients prints", async () => {
  const workspaceId = await createTestWorkspace(db);
  const [grantId, userId] = ["g".repeat(43), newId("user")];
  const clientId = "https://client.example/oauth/client-metadata.json";
  await insertConnection(db, {
    ...{ grantId, workspaceId, userId, clientId, clientName: "Claude", scope: "svc.report.lite" },
    ...{ verifiedHost: "client.example", redirectTarget: "client.example" },
  });
  const { answer } = await run(`client list --workspace ${workspaceId}`);
  expect(answer).toMatchObject({ clients: [{ connection_id: grantId, client_id: clientId, user_id: userId }] });
});
