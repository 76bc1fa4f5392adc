import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { freePort } from "@/db/embedded-connection";
import { fillIn } from "@/lib/interfaces/documents";
import { installComponentPackage, installServerPackage } from "@/scripts/server-package/install.mjs";
import { ROOT } from "../process/service";
import { WRITTEN_ORIGIN } from "../quickstart/drivers";
import type { Site } from "../service";
import { until } from "@/scripts/common/until";

const READY_TIMEOUT_MS = 90_000;
const NEXT_SETTINGS = {
  "next.config.mjs": `export default { turbopack: { root: ${JSON.stringify(ROOT)} } };`,
  "tsconfig.json": JSON.stringify({
    compilerOptions: { jsx: "react-jsx", moduleResolution: "bundler", module: "esnext", noEmit: true },
    include: ["**/*.ts", "**/*.tsx"],
  }),
};

const COMMANDS = {
  express: (folder: string) => [join(folder, "sites/express.mjs")],
  fastify: (folder: string) => [join(folder, "sites/fastify.mjs")],
  hono: (folder: string) => [join(folder, "sites/hono.mjs")],
  next: (folder: string, port: number) => [
    join(ROOT, "node_modules/next/dist/bin/next"),
    ...["dev", "--port", String(port), join(folder, "next")],
  ],
};
export type ExampleName = keyof typeof COMMANDS;
export const EXAMPLES = ["express", "fastify", "hono", "next"] as const satisfies ExampleName[];

type Values = { service: string; site: Site; origin: string };

/** What a proxy adds to a site: a line in its server, and the component's path in its page. */
const PROXIED: readonly [file: string, from: string, to: string][] = [
  ["sites/express.mjs", "import { createImprintServer }", "import { createImprintServer, imprintProxy }"],
  [
    "sites/express.mjs",
    'app.get("/"',
    'app.use(imprintProxy({ endpoint: process.env["IMPRINT_URL"], apiKey: process.env["IMPRINT_KEY"] }).node);\napp.get("/"',
  ],
  ["sites/page.mjs", "https://imprint.example.com/v1/imprint.mjs", "/_i/c.mjs"],
  ["next/app/proxied/page.tsx", "https://imprint.example.com", "/i/c.js"],
  ["next/app/proxied/page.tsx", '"./actions"', '"../actions"'],
];
/** The page of the Next site that visits through its proxy; part of the same site, because starting Next is slow. */
export const PROXIED_PAGE = "/proxied";

function addProxy(folder: string, part: "sites" | "next"): void {
  for (const [file, from, to] of PROXIED.filter(([name]) => name.startsWith(part))) {
    const source = readFileSync(join(folder, file), "utf8");
    if (!source.includes(from)) throw new Error(`${file} lacks ${from}`);
    writeFileSync(join(folder, file), source.replace(from, to));
  }
}

function addProxiedPage(folder: string): void {
  const app = join(folder, "next/app");
  cpSync(join(app, "page.tsx"), join(app, PROXIED_PAGE, "page.tsx"));
  addProxy(folder, "next");
  cpSync(join(ROOT, "examples/proxy/next-route.mjs"), join(app, "i/[...name]/route.js"));
}

/** Copies the examples, with an installation's values filled in and the packages installed as published. */
async function copyExamples({ service, site, origin }: Values, isProxied: boolean): Promise<string> {
  mkdirSync(join(ROOT, ".test"), { recursive: true });
  // Inside the repository, so that the frameworks are found in its node_modules.
  const folder = mkdtempSync(join(ROOT, ".test/examples-"));
  for (const name of ["sites", "next"]) cpSync(join(ROOT, "examples", name), join(folder, name), { recursive: true });
  addProxiedPage(folder);
  if (isProxied) addProxy(folder, "sites");
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!/\.(mjs|tsx?)$/.test(file)) continue;
    const source = readFileSync(join(folder, file), "utf8").replaceAll(WRITTEN_ORIGIN, origin);
    writeFileSync(join(folder, file), fillIn(source, { baseUrl: service, environmentId: site.environmentId }));
  }
  for (const [name, text] of Object.entries(NEXT_SETTINGS)) writeFileSync(join(folder, "next", name), text);
  await Promise.all([installServerPackage(folder), installComponentPackage(folder)]);
  return folder;
}

async function untilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const isUp = () =>
    fetch(url).then(
      (response) => response.ok,
      () => false,
    );
  await until(isUp, {
    what: () => `${url} did not start:\n${output()}`,
    timeoutMs: READY_TIMEOUT_MS,
    everyMs: 50,
    isDead: () => child.exitCode !== null,
  });
}

/** Starts an example as a separate site, with its proxy if requested; Next always has it, at `PROXIED_PAGE`. */
export async function startExample(name: ExampleName, service: string, site: Site, { isProxied = false } = {}) {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const folder = await copyExamples({ service, site, origin }, isProxied);
  const child = spawn(process.execPath, COMMANDS[name](folder, port), {
    env: {
      ...process.env,
      NODE_ENV: "development",
      NEXT_TELEMETRY_DISABLED: "1",
      PORT: String(port),
      IMPRINT_KEY: site.apiKey,
      IMPRINT_URL: service,
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => chunks.push(chunk.toString()));
  const closed = new Promise((done) => child.once("close", done));
  const stop = async () => {
    // Next runs several processes.
    process.kill(-Number(child.pid), "SIGKILL");
    await closed;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilReady(origin, child, () => chunks.join(""));
    // Next compiles a route when it is first requested, which can take longer than the component waits.
    for (const path of name === "next" ? [PROXIED_PAGE, "/i/c.js"] : [])
      await untilReady(origin + path, child, () => chunks.join(""));
  } catch (error) {
    await stop();
    throw error;
  }
  return { origin, stop };
}
