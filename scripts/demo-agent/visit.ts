import fs from "node:fs";
import http from "node:http";
import path from "node:path";

import { ROOT } from "../build/layout.mjs";
import { loadProof } from "../component/load-proof.mjs";
import { listen } from "../demo/processes.mjs";

const VISIT_TIMEOUT_MS = 60_000;

/**
 * The site of the buyer: one page that runs the component and shows the imprint.
 *
 * @param {{ imprintUrl: string }} options
 */
export async function openSite({ imprintUrl }) {
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
  const port = await listen(server, 0);
  return {
    origin: `http://localhost:${port}`,
    use: (/** @type {string} */ environmentId) => (state.environmentId = environmentId),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Opens the site in Chromium.
 *
 * @param {string} origin
 * @param {string} executablePath
 * @returns {Promise<string>} the imprint
 */
async function visitInChromium(origin, executablePath) {
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(VISIT_TIMEOUT_MS);
    await page.goto(origin);
    return await page.evaluate("window.imprint");
  } finally {
    await browser.close();
  }
}

/** Submits what a real Chromium sent once. @param {{ imprintUrl: string, origin: string, environmentId: string }} site */
async function submitCapture({ imprintUrl, origin, environmentId }) {
  const { signals, request } = JSON.parse(
    fs.readFileSync(path.join(ROOT, "lib/visits/risk/captures/chromium.json"), "utf8"),
  );
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
  const post = async (/** @type {string} */ where, /** @type {string} */ body) => {
    const response = await fetch(imprintUrl + where, { method: "POST", headers, body });
    if (!response.ok) throw new Error(`POST ${where} was answered with ${response.status}: ${await response.text()}`);
    return await response.json();
  };
  const { composeExactly } = await loadProof();
  const environment = JSON.stringify({ environment_id: environmentId });
  const { challenge, token } = await post("/api/v1/imprints/challenge", environment);
  const timings = { total: 80, challenge: 20, signals: {} };
  const body = { v: 1, environment_id: environmentId, challenge, token, surface: "agent-demo", signals, timings };
  return (await post("/api/v1/imprints", composeExactly(body))).imprint;
}

/**
 * One visit of the site, by the browser if there is to be one.
 *
 * @param {{ imprintUrl: string, origin: string, environmentId: string, browser: string | undefined }} options
 */
export async function visit({ browser, ...site }) {
  if (browser === undefined) return { imprint: await submitCapture(site), by: "captured signals" };
  return { imprint: await visitInChromium(site.origin, browser), by: "Chromium" };
}
