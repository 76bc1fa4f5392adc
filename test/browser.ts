import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import { build } from "esbuild";
import { chromium, type Browser, type BrowserContext, type LaunchOptions, type Page } from "playwright-core";

import type { ImprintClient, ImprintError, ImprintOptions } from "@/lib/component/api";
import { findChromium, findHeadlessShell } from "@/scripts/test/chromium.mjs";
import { watchPages } from "./open-pages";

const ROOT = join(import.meta.dirname, "..");

const CHROMIUM_ARGS = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Enables WebGL on machines without a graphics card.
  "--enable-unsafe-swiftshader",
];

let executable: Promise<string> | undefined;
/** Found once and shared by all launches. */
const chromiumPath = (): Promise<string> => (executable ??= findChromium({ isLookingOnly: true }));

/** Debian's Chromium occasionally crashes with a segmentation fault on start, so it is retried once. */
async function launch(options: LaunchOptions): Promise<Browser> {
  try {
    return await chromium.launch(options);
  } catch (error) {
    if (!String(error).includes("Segmentation fault")) throw error;
    return await chromium.launch(options);
  }
}

/** Launches a real headless Chromium. */
export const launchChromium = async (extraArgs: string[] = []): Promise<Browser> =>
  launch({ executablePath: await chromiumPath(), args: [...CHROMIUM_ARGS, ...extraArgs] });

let headlessShell: Promise<string> | undefined;

/** Pages render the same in the browser's own process, which saves starting and talking to a GPU process. */
const SHELL_ARGS = [...CHROMIUM_ARGS, "--in-process-gpu"];

/** Launches Chromium for pages of the service, which do not depend on the browser's identifying features. */
export async function launchForPages(): Promise<Browser> {
  headlessShell ??= findHeadlessShell({ isLookingOnly: true });
  const browser = await launch({ executablePath: await headlessShell, args: SHELL_ARGS });
  watchPages(browser);
  return browser;
}

/** Launches the same browser with a persistent profile, and the window and screen given in `args`. */
export const launchChromiumProfile = async (
  folder: string,
  args: string[],
  timeoutMs: number,
): Promise<BrowserContext> =>
  chromium.launchPersistentContext(folder, {
    executablePath: await chromiumPath(),
    args: [...CHROMIUM_ARGS, ...args],
    viewport: null,
    timeout: timeoutMs,
  });

/** Bundles `entry`, a path from the repository root or source text, like the product's build but not minified. */
export async function bundle(entry: string, format: "iife" | "esm" = "iife"): Promise<string> {
  const isPath = entry.endsWith(".ts");
  const result = await build({
    ...(isPath
      ? { entryPoints: [join(ROOT, entry)] }
      : { stdin: { contents: entry, resolveDir: ROOT, loader: "tsx" as const } }),
    bundle: true,
    write: false,
    format,
    target: "es2020",
    alias: { "@": ROOT },
    nodePaths: [join(ROOT, "node_modules")],
    define: { "process.env.NODE_ENV": '"production"' },
    minify: true,
  });
  return result.outputFiles[0]?.text ?? "";
}

const bundles = new Map<string, Promise<string>>();
const pages = new WeakMap<Browser, Promise<Page>>();

async function openBlankPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  await page.route("http://localhost/", (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><body>" }),
  );
  return page;
}

/**
 * Opens a page on a secure origin where `read()` is the function that `module` exports as `name`. Each call reloads the
 * browser's single page: a new context takes five times as long.
 *
 * @param before script that runs before everything else on the page, e.g. to break an API
 */
export async function openSignal(browser: Browser, module: string, name: string, before = "") {
  const source = `import { ${name} } from "@/lib/component/signals/${module}"; Object.assign(globalThis, { read: ${name} });`;
  const bundled = bundles.get(source) ?? bundle(source);
  bundles.set(source, bundled);
  const opened = pages.get(browser) ?? openBlankPage(browser);
  pages.set(browser, opened);
  const [page, content] = await Promise.all([opened, bundled]);
  page.removeAllListeners("console");
  await page.goto("http://localhost/");
  if (before) await page.addScriptTag({ content: before });
  await page.addScriptTag({ content });
  return { page, read: () => page.evaluate<unknown>("read()") };
}

export type SeenRequest = { path: string; body: string; headers: IncomingMessage["headers"] };

/** A response of the site; `"drop"` closes the connection instead. */
export type SiteAnswer = { status?: number; body?: unknown; headers?: Record<string, string> } | "drop";
type SiteHandler = (request: SeenRequest) => SiteAnswer | Promise<SiteAnswer>;

const CHALLENGE_PATH = "/api/v1/imprints/challenge";
const SUBMIT_PATH = "/api/v1/imprints";

export const SAMPLE_ENVIRONMENT_ID = `env_${"0123456789abcdef".repeat(2)}`;
export const SAMPLE_IMPRINT = `imp_${"00ff".repeat(8)}`;

const readBody = async (request: IncomingMessage) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

/**
 * One loopback server in two roles with different origins: the site at `pageOrigin`, and at `serviceOrigin` the
 * service's wire protocol. The component is tested with the real service elsewhere.
 */
export async function startSite() {
  const pages = new Map<string, { body: string; headers: Record<string, string> }>();
  const requests: SeenRequest[] = [];
  let tokens = 0;
  const site = {
    pageOrigin: "",
    serviceOrigin: "",
    /** Every POST, in order of arrival. */
    requests,
    challenge: ((request) => {
      const { token } = JSON.parse(request.body) as { token?: string };
      const fresh = token ? {} : { token: `token-${++tokens}` };
      return { body: { challenge: `challenge-${requests.length}`, expires_at: "2026-01-01T00:00:00Z", ...fresh } };
    }) as SiteHandler,
    submit: (() => ({ status: 201, body: { imprint: SAMPLE_IMPRINT } })) as SiteHandler,
    page: (path: string, body: string, headers: Record<string, string> = {}) => {
      const type = /\.m?js$/.test(path) ? "text/javascript" : "text/html";
      pages.set(path, {
        body,
        headers: { "Content-Type": `${type};charset=utf-8`, "Access-Control-Allow-Origin": "*", ...headers },
      });
    },
    submissions: () => requests.filter(({ path }) => path === SUBMIT_PATH),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  const answerPost = async (request: IncomingMessage, response: ServerResponse) => {
    const seen = { path: request.url ?? "", body: await readBody(request), headers: request.headers };
    requests.push(seen);
    const handlers: Record<string, SiteHandler> = { [CHALLENGE_PATH]: site.challenge, [SUBMIT_PATH]: site.submit };
    const answer = (await handlers[seen.path]?.(seen)) ?? "drop";
    if (answer === "drop") return request.socket.destroy();
    response.writeHead(answer.status ?? 200, {
      "Content-Type": "application/json",
      "Access-Control-Allow-Origin": request.headers.origin ?? "",
      "Access-Control-Expose-Headers": "X-Request-Id, Retry-After",
      "X-Request-Id": "req_sample",
      ...answer.headers,
    });
    return response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
  };
  const server = createServer((request, response) => {
    if (request.method === "POST") {
      void answerPost(request, response);
      return;
    }
    const page = pages.get(request.url ?? "");
    response.writeHead(page ? 200 : 404, page?.headers);
    response.end(page?.body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  site.pageOrigin = `http://localhost:${port}`;
  site.serviceOrigin = `http://127.0.0.1:${port}`;
  return site;
}

/** The global that the script tag defines on the page. */
export type PageGlobals = { Imprint: { createImprint: (options: ImprintOptions) => ImprintClient } };

/** Calls `run()` of the script tag's component on `page`; a rejection is returned as the error's fields. */
export const runOn = (page: Page, options: Partial<ImprintOptions> = {}, run: { surface?: string } = {}) =>
  page.evaluate(
    ([given, runOptions]) => {
      const globals: unknown = globalThis;
      return (globals as PageGlobals).Imprint.createImprint(given)
        .run(runOptions)
        .catch((error: unknown) => Object.assign({}, error as ImprintError));
    },
    [{ environmentId: SAMPLE_ENVIRONMENT_ID, ...options }, run] as const,
  );

export type Site = Awaited<ReturnType<typeof startSite>>;
