import { setTimeout as delay } from "node:timers/promises";

import { Report } from "@/lib/contract/report";
import { assessRisk, requestFacts, type Visit } from "@/lib/visits/risk";
import { ensureBuilt } from "../../build/ensure.mjs";
import type { CleanUp } from "../../common/command";
import { adminTexts, claimPort } from "../../common/processes";
import { makeDataDir, startService } from "../../common/service";
import { type Capture, openCaptureProxy } from "./capture-proxy";

/** Time limit for reading a Report with a key that exceeds its request limit. */
const REPORT_TIMEOUT_MS = 60_000;

type Options = {
  /** The Web App's Allowed Origin. */
  originOf: (proxyUrl: string) => string;
  /** Host that the proxy listens on. */
  address?: string;
  pageOf?: (path: string) => string | undefined;
  onVisit?: (imprint: string) => void;
  log: (line: string) => void;
  cleanUp: CleanUp;
};

export type VisitedService = Awaited<ReturnType<typeof startVisitedService>>;

/** Starts the real service on an empty database, with one Web App, behind a proxy that captures visits. */
export async function startVisitedService({
  originOf,
  address = "localhost",
  pageOf = () => undefined,
  onVisit,
  log,
  cleanUp,
}: Options) {
  await ensureBuilt(["component", "documents", "bundles", "pages"], { say: log });
  const servicePort = await claimPort();
  const captures = new Map<string, Capture>();
  let visitor: string | undefined;
  const proxy = await openCaptureProxy({
    address,
    servicePort,
    pageOf,
    visitorAddress: () => visitor,
    onVisit(imprint, capture) {
      captures.set(imprint, capture);
      onVisit?.(imprint);
    },
  });
  const variables = { BASE_URL: proxy.url, TRUSTED_PROXIES: "loopback" };
  const { env } = await startService({ cleanUp, dataDir: makeDataDir(cleanUp), port: servicePort, variables });
  cleanUp.push(proxy.close);
  const { workspace_id: workspaceId } = await adminTexts(
    ["workspace", "create", "--name", "Visits"],
    env,
    "workspace_id",
  );
  const webApp = ["web-app", "create", "--workspace", workspaceId, "--name", "Site", "--origin", originOf(proxy.url)];
  const { environment_id: environmentId, api_key: apiKey } = await adminTexts(webApp, env, "environment_id", "api_key");
  return {
    url: proxy.url,
    environmentId,
    servicePort,
    /** Client IP to claim for the next visits; `undefined` for the real one. */
    setVisitorAddress: (of: string | undefined) => (visitor = of),
    captureOf(imprint: string): Capture {
      const capture = captures.get(imprint);
      if (capture === undefined) throw new Error(`${imprint} did not come through the proxy.`);
      return capture;
    },
    async reportOf(imprint: string): Promise<Report> {
      const target = `http://localhost:${servicePort}/api/v1/fingerprint/report/${imprint}`;
      const read = () => fetch(target, { headers: { "X-API-Key": apiKey } });
      const deadline = performance.now() + REPORT_TIMEOUT_MS;
      let answer = await read();
      while (answer.status === 429 && performance.now() < deadline) {
        await delay(1_000 * Number(answer.headers.get("retry-after") ?? 1));
        answer = await read();
      }
      if (!answer.ok) throw new Error(`Reading the Report of ${imprint} returned ${answer.status}.`);
      return Report.parse(await answer.json());
    },
  };
}

/** A captured visit as parsed by this checkout. */
export const visitOf = ({ signals, headers }: Capture): Visit => ({
  signals,
  request: requestFacts((name) => headers[name], Object.keys(headers)),
  now: new Date(),
});

/** Applies this checkout's rules, to name the rules behind a Report's reasons. */
export const assessCapture = (capture: Capture) => assessRisk(visitOf(capture));
