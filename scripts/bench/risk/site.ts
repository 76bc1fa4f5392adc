/**
 * The site that every browser of the bench visits: one page that runs the component and then the peers, and posts their
 * results. It needs no other channel to the browser, so browsers without a driver can report too.
 */
import http from "node:http";
import { text } from "node:stream/consumers";

import { build } from "esbuild";

import { ROOT } from "../../build/layout.mjs";
import type { CleanUp } from "../../common/command";
import { listenHttp } from "../../common/processes";
import type { Outcome } from "./variant";

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

export async function bundlePeers(toolsFolder: string): Promise<string> {
  const result = await build({
    stdin: { contents: PEERS, resolveDir: ROOT },
    nodePaths: [`${ROOT}/node_modules`, `${toolsFolder}/node_modules`],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2020",
    legalComments: "none",
    logLevel: "silent",
  });
  return result.outputFiles[0]?.text ?? "";
}

/** A peer that hangs must not hide what the component found. */
const PEER_TIMEOUT_MS = 15_000;

const page = (
  id: string,
  imprintUrl: string,
  environmentId: string,
) => `<!doctype html><html lang="en"><meta charset="utf-8">
<title>Visit</title><body><h1>Visit</h1><p id="state">Running</p>
<script src="${imprintUrl}/v1/imprint.js"></script><script src="/peers.js"></script>
<script>
(async () => {
  const outcome = {};
  const late = () => new Promise((_, reject) => setTimeout(reject, ${PEER_TIMEOUT_MS}, new Error("timeout")));
  const ask = async (name, work) => {
    try { outcome[name] = await Promise.race([work(), late()]); } catch (error) { outcome[name] = { failed: String(error && (error.code || error.message)) }; }
  };
  await ask("imprint", async () => (await Imprint.createImprint({ environmentId: "${environmentId}" }).run()).imprint);
  for (const name of Object.keys(globalThis.peers || {})) await ask(name, peers[name]);
  await fetch("/done/${id}", { method: "POST", body: JSON.stringify(outcome) });
  document.getElementById("state").textContent = "Done";
})();
</script></body></html>`;

/** Pages by which a browser comes to the visit's page other than by its address. */
const WAYS: Readonly<Record<string, (visitUrl: string) => string>> = {
  frame: (url) => `<iframe src="${url}" width="600" height="400"></iframe>`,
  prerender: (url) => `<script type="speculationrules">{"prerender":[{"urls":["${url}"]}]}</script>
    <script>setTimeout(() => { location = "${url}"; }, 4000);</script>`,
};

export type Site = Awaited<ReturnType<typeof openSite>>;

/** Opens the site; `expect(id)` returns the URL for one visit and a promise of what its page reports. */
export async function openSite(peers: string, cleanUp: CleanUp) {
  const waiting = new Map<string, (outcome: Outcome) => void>();
  const settings = { imprintUrl: "", environmentId: "" };
  let origin = "";
  const server = http.createServer((request, response) => {
    const [, kind = "", id = ""] = new URL(request.url ?? "/", "http://localhost").pathname.split("/");
    if (kind === "done" && request.method === "POST") {
      void text(request).then((body) => {
        response.writeHead(204).end();
        waiting.get(id)?.(JSON.parse(body) as Outcome); // safe: the page below wrote an object
      });
      return;
    }
    const way = WAYS[kind];
    const isPeers = kind === "peers.js";
    if (!isPeers && kind !== "visit" && !way) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "Content-Type": isPeers ? "text/javascript" : "text/html" });
    const html = () => way?.(`${origin}/visit/${id}`) ?? page(id, settings.imprintUrl, settings.environmentId);
    response.end(isPeers ? peers : html());
  });
  ({ url: origin } = await listenHttp(server, { cleanUp }));
  return {
    origin,
    configure: (values: typeof settings) => Object.assign(settings, values),
    expect(id: string) {
      const outcome = new Promise<Outcome>((resolve) => waiting.set(id, resolve));
      return { url: `${origin}/visit/${id}`, outcome };
    },
  };
}
