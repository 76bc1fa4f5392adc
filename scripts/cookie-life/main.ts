import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";

import { chromium } from "playwright-core";

import { imprintProxy } from "../../packages/server/proxy";
import { JSON_OPTION, progress, runCommand } from "../common/command";
import { makeFolder, removeFolder, startGroup } from "../common/process-group";
import { environmentWith, listenHttp } from "../common/processes";
import { markdownTable } from "../common/report";
import { findChromium } from "../test/chromium.mjs";
import { findInstalled } from "../test/programs.mjs";

const DAY_MS = 86_400_000;
/**
 * One age within the cookie's 400 days and one beyond; that the cookie is gone at the second proves that the clock was
 * shifted.
 */
const AGES_DAYS = [390, 401];
const VISIT_TIMEOUT_MS = 90_000;
const TOKEN = "A".repeat(44);
const LIBRARY = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";

const PAGE = `<!doctype html><title>Shop</title><script>
  fetch("/_i/a", { method: "POST", body: "{}" }).then(() => fetch("/done", { method: "POST", body: String(Date.now()) }));
</script>`;

type Seen = { token: string; dayOfBrowser: number };

/**
 * Opens a site with the real proxy in front of a service that issues one token; returns what each visit still has of
 * it.
 */
async function openSite() {
  let token = "";
  let onDone: (seen: Seen) => void = () => undefined;
  const proxy = imprintProxy({
    endpoint: "https://imprint.example",
    apiKey: "svc_live_x",
    fetch: (input, init) => {
      const now = Date.now();
      if (new Request(input).url.endsWith("/proxy-key")) {
        const [issued_at, expires_at] = [now, now + DAY_MS].map((at) => new Date(at).toISOString());
        return Promise.resolve(
          Response.json({ key_id: `key_${"0".repeat(32)}`, secret: "s".repeat(43), issued_at, expires_at }),
        );
      }
      const payload = new Headers(init?.headers).get("imprint-visitor")?.split(".")[3] ?? "";
      ({ token } = JSON.parse(Buffer.from(payload, "base64url").toString()) as { token: string }); // safe: the proxy made it
      return Promise.resolve(Response.json({ challenge: "c".repeat(40), token: TOKEN }));
    },
  });
  const server = createServer((req, res) => {
    proxy.node(req, res, () => {
      if (req.method !== "POST") {
        res.writeHead(200, { "Content-Type": "text/html" }).end(PAGE);
        return;
      }
      req.setEncoding("utf8").on("data", (text: string) => {
        onDone({ token, dayOfBrowser: Math.round((Number(text) - Date.now()) / DAY_MS) });
      });
      res.end();
    });
  });
  const { url, close } = await listenHttp(server);
  return {
    url,
    close,
    nextVisit: () =>
      new Promise<Seen>((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new Error("the browser did not visit in time"));
        }, VISIT_TIMEOUT_MS);
        onDone = (seen) => {
          clearTimeout(timer);
          resolve(seen);
        };
      }),
  };
}

/** Environment of a browser whose clock is `days` days ahead. */
const shifted = (days: number, folder: string): NodeJS.ProcessEnv =>
  environmentWith({
    HOME: folder,
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
    ...(days > 0 && {
      LD_PRELOAD: LIBRARY,
      FAKETIME: `+${days}d`,
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      FAKETIME_DISABLE_SHM: "1",
    }),
  });

type Visit = (days: number, folder: string, url: string, visited: Promise<Seen>) => Promise<Seen>;

/** Makes one visit with a program that takes the page's URL as its argument. */
async function visitBy(program: string, args: string[], env: NodeJS.ProcessEnv, visited: Promise<Seen>): Promise<Seen> {
  const group = startGroup(program, args, env);
  try {
    return await visited;
  } finally {
    await group.stop();
  }
}

const visitInChromium: Visit = async (days, folder, url, visited) => {
  const executablePath = await findChromium();
  if (days === 0) {
    // Closed properly, because Chromium keeps cookies in memory for half a minute.
    const context = await chromium.launchPersistentContext(folder, { executablePath, args: ["--no-sandbox"] });
    await context.pages()[0]?.goto(url);
    const seen = await visited;
    await context.close();
    return seen;
  }
  // With several processes, some hang under the shifted clock.
  const plain = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--single-process",
    "--no-zygote",
    "--password-store=basic",
    "--use-mock-keychain",
  ];
  return visitBy(executablePath, [...plain, `--user-data-dir=${folder}`, url], shifted(days, folder), visited);
};

/** The program reports its version only if there is a display. */
const MINI_BROWSERS = ["4.1", "4.0"].map((version) => `/usr/lib/x86_64-linux-gnu/webkit2gtk-${version}/MiniBrowser`);

function findMiniBrowser(): string {
  const found = MINI_BROWSERS.find((file) => existsSync(file));
  if (found === undefined)
    throw new Error("This needs WebKitGTK. Install it with: sudo apt-get install -y webkit2gtk-driver xvfb");
  return found;
}

const visitInWebKit: Visit = async (days, folder, url, visited) => {
  const xvfb = await findInstalled("xvfb");
  const cookies = [`--cookies-file=${join(folder, "cookies.db")}`, "--cookies-policy=always"];
  const { LD_PRELOAD = "", ...env } = shifted(days, folder);
  // The X server keeps the real clock.
  const command = ["-a", "env", `LD_PRELOAD=${LD_PRELOAD}`, findMiniBrowser(), ...cookies, url];
  return visitBy(xvfb, command, env, visited);
};

const BROWSERS: Readonly<Record<string, Visit>> = { Chromium: visitInChromium, WebKitGTK: visitInWebKit };

async function measure(name: string, visit: Visit, site: Awaited<ReturnType<typeof openSite>>) {
  const folder = makeFolder("imprint-cookie-");
  const rows = [];
  try {
    progress(`${name}: first visit`);
    const first = await visit(0, folder, site.url, site.nextVisit());
    if (first.token !== "") throw new Error("a fresh profile has a token");
    for (const days of AGES_DAYS) {
      progress(`${name}: ${days} days later`);
      const copy = `${folder}-${days}`;
      await cp(folder, copy, { recursive: true, filter: (file) => !/Singleton/.test(file) });
      const seen = await visit(days, copy, site.url, site.nextVisit());
      removeFolder(copy);
      rows.push({ browser: name, days, dayOfBrowser: seen.dayOfBrowser, isKept: seen.token === TOKEN });
    }
    return rows;
  } finally {
    removeFolder(folder);
  }
}

await runCommand({
  name: "cookie-life",
  about:
    "Sets the cookie of imprintProxy in a real Chromium and WebKitGTK and visits again with the browser's clock shifted by 390 and by 401 days (libfaketime): within its 400 days the token is sent back, after them it is not.",
  options: { json: JSON_OPTION },
  async run(values, cleanUp) {
    if (!existsSync(LIBRARY))
      throw new Error("This needs libfaketime. Install it with: sudo apt-get install -y libfaketime");
    const site = await openSite();
    cleanUp.push(() => site.close());
    const rows = [];
    for (const [name, visit] of Object.entries(BROWSERS)) rows.push(...(await measure(name, visit, site)));
    if (values.json) console.log(JSON.stringify({ rows }));
    else
      console.log(
        markdownTable(
          ["browser", "days later", "clock of the page", "token kept"],
          rows.map(({ browser, days, dayOfBrowser, isKept }) => [
            browser,
            days,
            `+${dayOfBrowser} d`,
            isKept ? "yes" : "no",
          ]),
        ).join("\n"),
      );
    return rows.every(({ days, isKept }) => isKept === days < 400) ? 0 : 1;
  },
});
