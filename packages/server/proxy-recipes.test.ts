import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import vm from "node:vm";

import { build } from "esbuild";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";

import { freePort } from "@/db/embedded-connection";
import { Report } from "@/lib/contract/report";
import { startGroup } from "@/scripts/common/process-group";
import { findInstalled } from "@/scripts/test/programs.mjs";
import { createTestDatabase } from "@/test/database";
import { startInProcessService } from "@/test/proxied-site";
import { BROWSER_HEADERS, createSite, readReport, type Site, submissionBody } from "@/test/visits";

const ROOT = join(import.meta.dirname, "../..");
const RECIPES = join(ROOT, "examples/proxy");
const PLACEHOLDER = "https://imprint.example.com";

const { db } = await createTestDatabase();
let service: Awaited<ReturnType<typeof startInProcessService>>;
let site: Site;

beforeAll(async () => {
  [service, site] = await Promise.all([startInProcessService(), createSite(db)]);
});
afterAll(() => service.close());

const readRecipe = async (name: string) =>
  (await readFile(join(RECIPES, name), "utf8")).replaceAll(PLACEHOLDER, `http://127.0.0.1:${service.port}`);

type Answer = { status: number; headers: NodeJS.Dict<string | string[]>; body: string };

/** A request with the very headers of a browser, in their order, which `fetch` would change. */
const ask = (port: number, method: string, path: string, body = "", more: Record<string, string> = {}) =>
  new Promise<Answer>((resolve, reject) => {
    const headers = {
      host: "shop.example",
      ...BROWSER_HEADERS,
      origin: site.origin,
      "content-type": "text/plain",
      ...more,
    };
    const length = body === "" ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const request = httpRequest(
      { port, host: "127.0.0.1", method, path, headers: { ...headers, ...length } },
      (response) => {
        text(response).then((read) => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: read });
        }, reject);
      },
    );
    request.once("error", reject);
    request.end(body);
  });

type Program = { file: string; args: string[] };

/** How each server is started with a recipe, in a folder of its own. */
const SERVERS: Record<string, (recipe: string, folder: string, port: number) => Promise<Program>> = {
  async "nginx.conf"(recipe, folder, port) {
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const config = `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
      http { access_log off; ${temporary.join(" ")} server { listen 127.0.0.1:${port}; ${recipe} } }`;
    await writeFile(join(folder, "nginx.conf"), config);
    return { file: await findInstalled("nginx"), args: ["-c", join(folder, "nginx.conf"), "-p", folder] };
  },
  async Caddyfile(recipe, folder, port) {
    await writeFile(
      join(folder, "Caddyfile"),
      `{\n\tadmin off\n\tauto_https off\n}\nhttp://:${port} {\n${recipe}\n}\n`,
    );
    return {
      file: await findInstalled("caddy"),
      args: ["run", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")],
    };
  },
  async "apache.conf"(recipe, folder, port) {
    const modules = ["mpm_event", "authz_core", "proxy", "proxy_http", "headers", "ssl"];
    const load = modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`);
    const config = [
      `ServerRoot ${folder}`,
      ...load,
      `ServerName shop.example`,
      `PidFile ${folder}/pid`,
      `ErrorLog ${folder}/error.log`,
    ];
    // Started by root it would take another user, who need not exist.
    const user = process.getuid?.() === 0 ? ["User www-data", "Group www-data"] : [];
    await writeFile(join(folder, "httpd.conf"), [...config, ...user, `Listen 127.0.0.1:${port}`, recipe].join("\n"));
    return { file: await findInstalled("apache"), args: ["-DFOREGROUND", "-f", join(folder, "httpd.conf")] };
  },
};

async function startServer(name: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "imprint-recipe-"));
  const port = await freePort();
  const start = SERVERS[name];
  if (!start) throw new Error(`no server for ${name}`);
  const { file, args } = await start(await readRecipe(name), folder, port);
  const group = startGroup(file, args, {
    ...process.env,
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  });
  onTestFinished(async () => {
    await group.stop();
    await rm(folder, { recursive: true, force: true });
  });
  await vi.waitFor(
    async () => {
      const { status } = await ask(port, "GET", "/_i/c.js").catch((error: unknown) => {
        throw new Error(`${String(error)}: ${group.output()}`);
      });
      expect(status).toBe(200);
    },
    { timeout: 20_000, interval: 100 },
  );
  return port;
}

/** What the service would tell of itself. */
const telling = ({ headers }: Answer) =>
  Object.keys(headers).filter((name) => /^(x-request-id|ratelimit|link|sourcemap|imprint)/.test(name));

test.each(Object.keys(SERVERS))(
  "%s serves the component and forwards its visits, with the visitor's own headers and address",
  async (name) => {
    const port = await startServer(name);
    const script = await ask(port, "GET", "/_i/c.js");
    expect(script.body).toContain("createImprint");
    const forged = { "x-forwarded-for": "8.8.8.8", cookie: "session=secret" };
    const issued = await ask(port, "POST", "/_i/a", JSON.stringify({ environment_id: site.environmentId }), forged);
    const { challenge, token } = JSON.parse(issued.body) as { challenge: string; token: string };
    const submitted = await ask(port, "POST", "/_i/b", submissionBody(site, { challenge, token }), forged);
    const { imprint } = JSON.parse(submitted.body) as { imprint: string };
    const report = Report.parse(await (await readReport(site.apiKey, imprint)).json());
    expect(report.risk.findings).toEqual([]);
    // This machine's own address, which is nobody's on the internet: what the visitor wrote did not count.
    expect(report.network.observed_ip).toBeUndefined();
    expect([script, issued, submitted].flatMap(telling)).toEqual([]);
    expect((await ask(port, "GET", "/_i/p")).status).toBe(200);
    for (const path of ["/_i/x", "/_i/api/v1/fingerprint/report/x"])
      expect((await ask(port, "GET", path)).status).toBe(404);
    // Caddy 2.6 answers 502 where it stops reading.
    expect([413, 502]).toContain((await ask(port, "POST", "/_i/b", "x".repeat(20_000))).status);
  },
);

test("the rewrites for Vercel name what the component asks for", async () => {
  const { rewrites } = JSON.parse(await readRecipe("vercel.json")) as {
    rewrites: { source: string; destination: string }[];
  };
  expect(rewrites.map(({ source }) => source)).toEqual(["/_i/c.js", "/_i/a", "/_i/b", "/_i/p"]);
  for (const { source, destination } of rewrites) {
    const method = /[ab]$/.test(source) ? "POST" : "GET";
    const response = await fetch(destination, { method, ...(method === "POST" && { body: "{" }) });
    expect([source, response.status]).toEqual([source, method === "POST" ? 400 : 200]);
  }
});

type Handler = (request: Request, env?: object) => Promise<Response>;

/** A module of a site as one script that imports nothing of Node's: what it exports. */
async function runOnEdge<Exported>(name: string, globals: object) {
  const { outputFiles } = await build({
    entryPoints: [join(RECIPES, name)],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "exported",
    platform: "neutral",
    alias: { "imprint-server": join(ROOT, "packages/server/index.ts"), "@": ROOT },
  });
  const web = {
    fetch,
    Request,
    Response,
    Headers,
    URL,
    TextEncoder,
    TextDecoder,
    AbortController,
    crypto,
    btoa,
    performance,
  };
  const context = vm.createContext({ ...web, setTimeout, clearTimeout, console, ...globals });
  return vm.runInContext(`${outputFiles[0]?.text ?? ""}; exported`, context) as Exported;
}

async function visitBy(handle: Handler, path: string, addressHeader: string) {
  const headers = { ...BROWSER_HEADERS, origin: site.origin, [addressHeader]: "8.8.8.8" };
  const post = async (name: string, body: string, more = {}) =>
    handle(new Request(`${site.origin}${path}/${name}`, { method: "POST", headers: { ...headers, ...more }, body }));
  expect(await (await handle(new Request(`${site.origin}${path}/c.js`))).text()).toContain("createImprint");
  const issued = await post("a", JSON.stringify({ environment_id: site.environmentId }));
  const { challenge } = (await issued.json()) as { challenge: string };
  const cookie = issued.headers.get("set-cookie")?.split(";", 1)[0];
  const { imprint } = (await (await post("b", submissionBody(site, { challenge }), { cookie })).json()) as {
    imprint: string;
  };
  const report = Report.parse(await (await readReport(site.apiKey, imprint)).json());
  expect([report.network.observed_ip, report.risk.findings]).toEqual(["8.8.8.8", []]);
}

test("the worker runs where there is nothing but fetch and Web Crypto, and leaves other paths to the site", async () => {
  const ofSite = vi.fn(() => Promise.resolve(new Response("the site")));
  const upstream: typeof fetch = (input, init) => (input instanceof Request ? ofSite() : fetch(input, init));
  const navigator = { userAgent: "Cloudflare-Workers" };
  type Worker = { default: { fetch: Handler } };
  const { default: worker } = await runOnEdge<Worker>("worker.mjs", { fetch: upstream, navigator });
  const env = { IMPRINT_URL: `http://127.0.0.1:${service.port}`, IMPRINT_KEY: site.apiKey };
  const handle: Handler = (request) => worker.fetch(request, env);
  await visitBy(handle, "/_i", "cf-connecting-ip");
  expect(await (await handle(new Request(`${site.origin}/sign-in`))).text()).toBe("the site");
});

test("the route of Next answers below the path that it stands for", async () => {
  const process = { env: { IMPRINT_URL: `http://127.0.0.1:${service.port}`, IMPRINT_KEY: site.apiKey } };
  const route = await runOnEdge<{ GET: Handler; POST: Handler }>("next-route.mjs", { process });
  await visitBy((request) => (request.method === "GET" ? route.GET(request) : route.POST(request)), "/i", "x-real-ip");
});

test("the documentation shows these very files", async () => {
  const page = await readFile(join(ROOT, "docs/component.md"), "utf8");
  for (const name of [
    "nginx.conf",
    "Caddyfile",
    "apache.conf",
    "express.mjs",
    "worker.mjs",
    "next-route.mjs",
    "vercel.json",
  ])
    expect([name, page.includes((await readFile(join(RECIPES, name), "utf8")).trim())]).toEqual([name, true]);
});
