import fs from "node:fs";
import path from "node:path";

import { ROOT } from "../../build/layout.mjs";
import { runQuietly } from "../../build/pages.mjs";
import type { CleanUp } from "../../common/command";
import { claimPort, type Environment, environmentWith, startProgram, waitUntilReady } from "../../common/processes";

const READY_TIMEOUT_MS = 60_000;
const NEXT = path.join(ROOT, "node_modules/next/dist/bin/next");
const FOLDER = path.join(ROOT, ".test/bench-http/next");

/** The peers' work per request: one select or one insert, with the service's driver and pool size. */
const QUERIES = `
import postgres from "postgres";

const sql = (globalThis.benchSql ??= postgres(process.env.BENCH_DATABASE_URL, { max: 16 }));
const asUuid = (id) => id.slice(id.indexOf("_") + 1).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");

export async function findReport(imprint) {
  const [row] = await sql\`
    select report from visits
    where workspace_id = \${asUuid(process.env.BENCH_WORKSPACE_ID)}::uuid
      and event_id = \${asUuid(imprint)}::uuid\`;
  return row?.report;
}

export async function insertBody(body) {
  const [row] = await sql\`insert into bench_inserts (body) values (\${body}) returning id\`;
  return row.id;
}
`;

const NEXT_SELECT = `
import { findReport } from "../../../queries.mjs";

export const dynamic = "force-dynamic";

export async function GET(request, { params }) {
  const { imprint } = await params;
  const report = await findReport(imprint);
  if (!report) return new Response(null, { status: 404 });
  return new Response(report, { headers: { "Content-Type": "application/json" } });
}
`;

const NEXT_INSERT = `
import { insertBody } from "../../queries.mjs";

export const dynamic = "force-dynamic";

export async function POST(request) {
  return Response.json({ id: await insertBody(await request.text()) }, { status: 201 });
}
`;

const NODE_SERVER = `
import http from "node:http";
import { findReport } from "./queries.mjs";

http
  .createServer(async (req, res) => {
    const report = await findReport(req.url.slice(req.url.lastIndexOf("/") + 1));
    res.writeHead(report ? 200 : 404, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(report ?? "") });
    res.end(report);
  })
  .listen(Number(process.env.PORT), "127.0.0.1");
`;

const LAYOUT = "export default ({ children }) => <html><body>{children}</body></html>;\n";
const NEXT_CONFIG = `export default { serverExternalPackages: ["postgres"], turbopack: { root: ${JSON.stringify(ROOT)} } };\n`;

const FILES = {
  "package.json": '{ "private": true, "type": "module" }\n',
  "next.config.mjs": NEXT_CONFIG,
  "queries.mjs": QUERIES,
  "server.mjs": NODE_SERVER,
  "app/layout.jsx": LAYOUT,
  "app/report/[imprint]/route.js": NEXT_SELECT,
  "app/insert/route.js": NEXT_INSERT,
};

/** Writes both peers below `.test/` and builds the Next one for production. */
export async function buildPeers(): Promise<void> {
  for (const [name, text] of Object.entries(FILES)) {
    const file = path.join(FOLDER, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
  const env = environmentWith({ NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" });
  await runQuietly(process.execPath, [NEXT, "build", FOLDER], env);
}

/** Starts a peer; it is ready when it answers for the imprint `sample`. */
async function startPeer(
  name: string,
  argsOf: (port: number) => string[],
  { variables, sample, cleanUp }: { variables: Environment; sample: string; cleanUp: CleanUp },
) {
  const port = await claimPort();
  const lines: string[] = [];
  const env = environmentWith({ ...variables, NODE_ENV: "production", PORT: String(port) });
  const program = startProgram(name, argsOf(port), { env, onLine: (line) => lines.push(line) });
  cleanUp.push(() => program.stop());
  const address = `http://127.0.0.1:${port}`;
  try {
    await waitUntilReady(program, { url: `${address}/report/${sample}`, timeoutMs: READY_TIMEOUT_MS });
  } catch (error) {
    throw new Error([error instanceof Error ? error.message : String(error), ...lines].join("\n"), { cause: error });
  }
  return { pid: program.pid, address };
}

export type Peers = Awaited<ReturnType<typeof startPeers>>;

export async function startPeers(
  { databaseUrl, workspaceId, sample }: { databaseUrl: string; workspaceId: string; sample: string },
  cleanUp: CleanUp,
) {
  const variables = { BENCH_DATABASE_URL: databaseUrl, BENCH_WORKSPACE_ID: workspaceId };
  const given = { variables, sample, cleanUp };
  const nextArguments = (port: number) => [NEXT, "start", FOLDER, "-p", String(port), "-H", "127.0.0.1"];
  const next = await startPeer("bare Next route", nextArguments, given);
  const node = await startPeer("node:http server", () => [path.join(FOLDER, "server.mjs")], given);
  return { next, node };
}
