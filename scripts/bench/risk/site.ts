/**
 * The site that every browser of the bench visits: one page that runs the component, then the peers, and reports what
 * they said. It speaks to the browser by nothing else, so that a browser without a driver can report too.
 */
import http from "node:http";

import { build } from "esbuild";

import { listen } from "../demo/processes.mjs";

const PEERS = `
  import { load } from "@fingerprintjs/botd";
  import FingerprintScanner from "fpscanner";
  globalThis.peers = {
    async botd() { return (await load({ monitoring: false })).detect().bot; },
    async fpscanner() {
      const found = await new FingerprintScanner().collectFingerprint({ encrypt: false });
      const names = Object.entries(found.fastBotDetectionDetails).filter(([, rule]) => rule.detected ?? rule === true);
      return { bot: found.fastBotDetection, names: names.map(([name]) => name) };
    },
  };`;

/** @param {string} root @param {string} toolsFolder */
export async function bundlePeers(root, toolsFolder) {
  const result = await build({
    stdin: { contents: PEERS, resolveDir: root },
    nodePaths: [`${root}/node_modules`, `${toolsFolder}/node_modules`],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2020",
    legalComments: "none",
    logLevel: "silent",
  });
  return result.outputFiles[0].text;
}

const page = (id, imprintUrl, environmentId) => `<!doctype html><html lang="en"><meta charset="utf-8">
<title>Visit</title><body><h1>Visit</h1><p id="state">Running</p>
<script src="${imprintUrl}/v1/imprint.js"></script><script src="/peers.js"></script>
<script>
(async () => {
  const outcome = {};
  const ask = async (name, work) => {
    try { outcome[name] = await work(); } catch (error) { outcome[name] = { failed: String(error && (error.code || error.message)) }; }
  };
  await ask("imprint", async () => (await Imprint.createImprint({ environmentId: "${environmentId}" }).run()).imprint);
  for (const name of Object.keys(globalThis.peers || {})) await ask(name, peers[name]);
  await fetch("/done/${id}", { method: "POST", body: JSON.stringify(outcome) });
  document.getElementById("state").textContent = "Done";
})();
</script></body></html>`;

async function readText(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Opens the site; `expect(id)` gives the address for one visit and a promise of what its page reports. */
export async function openSite(peers) {
  const waiting = new Map();
  const settings = { imprintUrl: "", environmentId: "" };
  const server = http.createServer(async (request, response) => {
    const [, kind, id] = new URL(request.url ?? "/", "http://localhost").pathname.split("/");
    if (kind === "done" && request.method === "POST") {
      const text = await readText(request);
      response.writeHead(204).end();
      waiting.get(id)?.(JSON.parse(text));
      return;
    }
    const isPeers = kind === "peers.js";
    if (!isPeers && kind !== "visit") return void response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": isPeers ? "text/javascript" : "text/html" });
    response.end(isPeers ? peers : page(id, settings.imprintUrl, settings.environmentId));
  });
  const port = await listen(server, 0);
  const origin = `http://localhost:${port}`;
  return {
    origin,
    configure: (values) => Object.assign(settings, values),
    expect(id) {
      const outcome = new Promise((resolve) => waiting.set(id, resolve));
      return { url: `${origin}/visit/${id}`, outcome };
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
