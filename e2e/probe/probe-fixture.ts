import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as httpRequest, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { API_TABLE } from "@/app/api/table";
import type { Database } from "@/db/client";
import { openComponentFiles } from "@/lib/interfaces/http/server/component-files";
import { createListener } from "@/lib/interfaces/http/server/listener";
import { openNetworkData } from "@/lib/visits/network";
import { mmdbFile } from "@/test/network-data";
import { startProbe } from "@/lib/visits/probe";
import { createSite, type Site } from "@/test/visits";
import { buildComponent } from "../../scripts/component/build.mjs";

/** Local addresses, and the public addresses that the fixture maps them to. */
export const HOME = { local: "127.0.0.1", address: "87.128.14.20" };
export const HOSTING = { local: "127.0.0.9", address: "88.198.50.10" };

const publicAddress = (local: string | undefined) =>
  [HOME, HOSTING].find((known) => known.local === local?.replace("::ffff:", ""))?.address;

async function listen(handler: RequestListener): Promise<Server & { port: number }> {
  const server = createServer(handler);
  server.listen(0, HOME.local);
  await once(server, "listening");
  return Object.assign(server, { port: (server.address() as AddressInfo).port });
}

const owner = (asn: number, name: string) => ({ autonomous_system_number: asn, autonomous_system_organization: name });

async function openData(folder: string): Promise<void> {
  const files = { city: join(folder, "city"), asn: join(folder, "asn") };
  const germany = { country: { iso_code: "DE" } };
  writeFileSync(
    files.city,
    mmdbFile({ "87.128.0.0/16": germany, "88.198.0.0/16": germany }, { type: "GeoLite2-City" }),
  );
  const owners = {
    "87.128.0.0/16": owner(3320, "Deutsche Telekom AG"),
    "88.198.0.0/16": owner(24940, "Hetzner Online GmbH"),
  };
  writeFileSync(files.asn, mmdbFile(owners, { type: "GeoLite2-ASN" }));
  await openNetworkData(folder, { files, locatePackage: () => undefined });
}

/** A page of the site with the embedded component. */
const pageOf = (serviceUrl: string) =>
  `<!doctype html><title>Shop</title><script src="${serviceUrl}/v1/imprint.js"></script>`;

export type ProbeFixture = {
  site: Site;
  serviceUrl: string;
  pageUrl: string;
  /** A forward proxy with another local address as its outgoing address, like a rented server. */
  proxyUrl: string;
  close: () => Promise<void>;
};

/** Opens the service's own listener, operations, component and probe, with loopback addresses mapped to public ones. */
export async function openProbeFixture(db: Database): Promise<ProbeFixture> {
  const folder = mkdtempSync(join(tmpdir(), "imprint-probe-"));
  const [probe] = await Promise.all([
    startProbe({ db, port: 0, publicHost: HOME.local, hosts: [HOME.local], addressOf: publicAddress }),
    buildComponent({ outDir: folder }),
    openData(folder),
  ]);
  let baseUrl = "";
  const service = await listen((req, res) => {
    createListener({
      baseUrl,
      staticFiles: () => Promise.resolve(false),
      documents: {},
      markdown: {},
      identify: ({ socket, headers }) => ({ address: publicAddress(socket.remoteAddress), isLocal: false, headers }),
      table: API_TABLE,
      componentFiles: openComponentFiles(join(folder, "v1")),
      pages: () => Promise.reject(new Error("the fixture has no pages")),
      readiness: () => Promise.reject(new Error("the fixture is always ready")),
    })(req, res);
  });
  baseUrl = `http://127.0.0.1:${service.port}`;
  const page = await listen((_req, res) => void res.setHeader("Content-Type", "text/html").end(pageOf(baseUrl)));
  const pageUrl = `http://127.0.0.1:${page.port}`;
  const proxy = await listen((req, res) => {
    const upstream = httpRequest(
      req.url ?? "",
      { method: req.method, headers: req.headers, localAddress: HOSTING.local },
      (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(res);
      },
    );
    upstream.once("error", () => res.destroy());
    req.pipe(upstream);
  });
  const site = await createSite(db, { origins: [pageUrl] });
  return {
    site,
    serviceUrl: baseUrl,
    pageUrl,
    proxyUrl: `http://127.0.0.1:${proxy.port}`,
    async close() {
      await probe.close();
      for (const server of [service, page, proxy]) {
        server.closeAllConnections();
        server.close();
        await once(server, "close");
      }
      rmSync(folder, { recursive: true });
    },
  };
}
