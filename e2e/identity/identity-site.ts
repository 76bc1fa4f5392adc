import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { API_TABLE } from "@/app/api/table";
import { openComponentFiles } from "@/lib/interfaces/http/server/component-files";
import { createListener } from "@/lib/interfaces/http/server/listener";
import { removeFolder } from "../../scripts/common/process-group";
import { buildComponent } from "../../scripts/component/build.mjs";
import { pageOf } from "./pages";
import { createSchedule, type Session } from "./schedule";

/** An ordinary home IP address, used for every visitor. */
const HOME = "87.128.14.20";

export type Site = {
  /** Origin of both the pages and the service. */
  origin: string;
  /** Folder for browser profiles, removed with the site. */
  folder: string;
  openSession: () => Session;
  close: () => void;
};

const isOfService = (req: IncomingMessage) => /^\/(?:v1|api)\//.test(req.url ?? "");

/** Opens a site that serves the service under its own origin: the service's own listener, operations and component. */
export async function openSite(): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), "imprint-identity-"));
  await buildComponent({ outDir: join(folder, "component") });
  const schedule = createSchedule();

  const sendPage = (res: ServerResponse, kind: string, id: string) => {
    const plan = kind === "visit" ? schedule.planned.get(id) : undefined;
    if (plan?.visit.isForgotten) res.setHeader("Clear-Site-Data", '"cookies", "storage"');
    const isKnown = plan !== undefined || kind === "session";
    res.writeHead(isKnown ? 200 : 404, { "Content-Type": "text/html", "Cache-Control": "no-store" });
    res.end(isKnown ? pageOf(plan ? { visit: plan.visit, id, session: plan.session } : { session: id }) : "");
  };
  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    const [, kind = "", id = ""] = (req.url ?? "").split("/");
    if (req.method !== "POST") {
      sendPage(res, kind, id);
      return;
    }
    const outcome = await text(req);
    const plan = schedule.planned.get(id);
    if (kind === "ready") await plan?.isReady();
    if (kind === "done") plan?.report(outcome);
    const command = kind === "next" ? await schedule.sessions.get(id)?.taken() : {};
    res.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(command));
  };

  const server = createServer().listen(0, "localhost");
  await once(server, "listening");
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const service = createListener({
    baseUrl: origin,
    staticFiles: () => Promise.resolve(false),
    documents: {},
    markdown: {},
    identify: ({ headers }) => ({ address: HOME, isLocal: false, headers }),
    table: API_TABLE,
    componentFiles: openComponentFiles(join(folder, "component/v1")),
    pages: () => Promise.reject(new Error("the service of this site has no pages")),
    readiness: () => Promise.reject(new Error("the service of this site is always ready")),
  });
  server.on("request", (req, res) => {
    if (isOfService(req)) service(req, res);
    else answer(req, res).catch(() => res.destroy());
  });
  return {
    origin,
    folder,
    openSession: () => schedule.openSession(origin),
    close() {
      server.closeAllConnections();
      server.close();
      removeFolder(folder);
    },
  };
}
