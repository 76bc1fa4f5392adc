import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { sql } from "drizzle-orm";

import { API_TABLE } from "@/app/api/table";
import type { Database } from "@/db/client";
import { idToUuid, newId } from "@/lib/contract/ids";
import { answerFromTable } from "@/lib/interfaces/http/api-table";
import { fromSocket, sendAnswer } from "@/lib/interfaces/http/server/answers";
import { clientAddress, compileAddressTrust } from "@/lib/platform/addresses";
import { addOrigins } from "@/lib/tenancy/web-apps";
import { bundle } from "./browser";
import { type Site } from "./visits";
import { operatorContext } from "./workspaces";

export type Listening = { url: string; port: number; close: () => Promise<void> };

/** Starts a server with `answer` on a free loopback port, under the name `localhost`. */
export async function listenLocal(answer: RequestListener): Promise<Listening> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    port,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/**
 * Serves this process's public operations over HTTP, and the component built from source. Loopback proxies are trusted.
 */
export async function startInProcessService() {
  const [script, module] = await Promise.all([
    bundle("lib/component/entry-script.ts"),
    bundle("lib/component/entry-module.ts", "esm"),
  ]);
  const trust = compileAddressTrust({ trustedProxies: "loopback" });
  const requests: string[] = [];
  const answerApi = async (req: IncomingMessage, res: ServerResponse) => {
    const url = req.url ?? "/";
    const pathname = url.split("?", 1)[0] ?? "/";
    const target = { url, pathname, decoded: pathname };
    const { address } = clientAddress(req, trust);
    const client = { requestId: newId("request"), ...(address !== undefined && { address }) };
    const request = fromSocket(req, target, client);
    const { answer } = await answerFromTable(API_TABLE, request, () => new Request("http://localhost"));
    if (!(answer instanceof Response)) sendAnswer(req, res, answer, {});
  };
  const service = await listenLocal((req, res) => {
    requests.push(`${req.method ?? ""} ${req.url ?? ""}`);
    if (!req.url?.startsWith("/v1/")) {
      void answerApi(req, res);
      return;
    }
    const headers = { "Content-Type": "text/javascript; charset=utf-8", "Access-Control-Allow-Origin": "*" };
    res.writeHead(200, headers).end(req.url.endsWith(".mjs") ? module : script);
  });
  return { ...service, requests };
}

/** Allows pages of `origin` to submit to the site's Web App. */
export async function allowOrigin(db: Database, site: Site, origin: string): Promise<Site> {
  await addOrigins(operatorContext(db), { ...site, origins: [origin] });
  return { ...site, origin };
}

/** The stored data of a site's latest visits, newest first. */
export async function latestVisits(db: Database, { workspaceId }: Site) {
  const rows = await db.execute<{ report: string; evidence: { risk: { ruleId: string }[] } }>(sql`
    select report, evidence from visits where workspace_id = ${idToUuid(workspaceId)}::uuid order by recorded_at desc limit 20`);
  return rows.map(({ report, evidence }) => ({
    report: JSON.parse(report) as { device: { id: string; access_count: number }; risk: { status: string } }, // safe: a stored Report
    rules: evidence.risk.map(({ ruleId }) => ruleId),
  }));
}
