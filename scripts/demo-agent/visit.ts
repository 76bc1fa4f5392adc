import http from "node:http";

import { chromium } from "playwright-core";

import { composeExactly } from "@/lib/contract/challenge-proof";
import captured from "@/lib/visits/risk/captures/chromium.json";
import { timingsFor } from "@/test/timings";
import type { CleanUp } from "../common/command";
import { listenHttp, textsOf } from "../common/processes";

const VISIT_TIMEOUT_MS = 60_000;

/** Opens the buyer's site: one page that runs the component and shows the imprint. */
export async function openSite(imprintUrl: string, cleanUp: CleanUp) {
  const state = { environmentId: "" };
  const server = http.createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(`<!doctype html><title>Agent's site</title>
<script src="${imprintUrl}/v1/imprint.js"></script>
<script type="module">
  const client = Imprint.createImprint({ environmentId: ${JSON.stringify(state.environmentId)} });
  window.imprint = client.run({ surface: "agent-demo" }).then(({ imprint }) => imprint);
</script>`);
  });
  const { url } = await listenHttp(server, { cleanUp });
  return { origin: url, use: (environmentId: string) => (state.environmentId = environmentId) };
}

/** Opens the site in Chromium; returns the imprint. */
async function visitInChromium(origin: string, executablePath: string): Promise<string> {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(VISIT_TIMEOUT_MS);
    await page.goto(origin);
    return await page.evaluate<string>("window.imprint");
  } finally {
    await browser.close();
  }
}

type Site = { imprintUrl: string; origin: string; environmentId: string };

/** Submits signals captured from a real Chromium; returns the imprint. */
async function submitCapture({ imprintUrl, origin, environmentId }: Site): Promise<string> {
  const { signals, request } = captured;
  const headers = {
    origin,
    "user-agent": request.userAgent,
    accept: request.accept,
    "accept-language": request.acceptLanguage,
    "sec-ch-ua": request.clientHints.brands,
    "sec-ch-ua-mobile": request.clientHints.mobile,
    "sec-ch-ua-platform": request.clientHints.platform,
    "sec-fetch-site": request.fetchMetadata.site,
    "sec-fetch-mode": request.fetchMetadata.mode,
    "sec-fetch-dest": request.fetchMetadata.dest,
  };
  const post = async (path: string, body: string): Promise<unknown> => {
    const response = await fetch(imprintUrl + path, { method: "POST", headers, body });
    if (!response.ok) throw new Error(`POST ${path} returned ${response.status}: ${await response.text()}`);
    return await response.json();
  };
  const environment = JSON.stringify({ environment_id: environmentId });
  const { challenge, token } = textsOf(await post("/api/v1/imprints/challenge", environment), "challenge", "token");
  const timings = timingsFor(signals);
  const body = { v: 1, environment_id: environmentId, challenge, token, surface: "agent-demo", signals, timings };
  return textsOf(await post("/api/v1/imprints", composeExactly(body)), "imprint").imprint;
}

/** Makes one visit to the site, with a browser if one is given. */
export async function visit({ browser, ...site }: Site & { browser: string | undefined }) {
  if (browser === undefined) return { imprint: await submitCapture(site), by: "captured signals" };
  return { imprint: await visitInChromium(site.origin, browser), by: "Chromium" };
}
