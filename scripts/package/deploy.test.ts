import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";
import { parse } from "yaml";

import { ROOT } from "../build/layout.mjs";
import { NODE_FLAGS } from "../start/node-flags.mjs";
import { onPath } from "../test/find-program.mjs";

/** Time for stopping beyond SHUTDOWN_DELAY_SECONDS, as documented in docs/operations.md. */
const STOP_SECONDS = 45;

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const isInstalled = (program: string) => onPath([program]).some((file) => existsSync(file));
const settings = new Set([...read("README.md").matchAll(/^\| `([A-Z_0-9]+)` \|/gm)].map(([, name]) => name));

function inFolder(work: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "imprint-deploy-"));
  try {
    work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const UNIT = read("deploy/systemd/imprint.service");
const valuesOf = (name: string) => [...UNIT.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value]) => value);

test("the systemd unit is valid, runs as a dedicated user, stops gracefully and can write only to its own folder", () => {
  expect(valuesOf("User")).toEqual(["imprint"]);
  expect(valuesOf("ExecStart")).toEqual(["/opt/imprint/bin/imprint start"]);
  expect(valuesOf("Environment")).toEqual([`DATA_DIR=/var/lib/${valuesOf("StateDirectory")[0]}`]);
  expect(valuesOf("ProtectSystem")).toEqual(["strict"]);
  expect([...valuesOf("CapabilityBoundingSet"), ...valuesOf("AmbientCapabilities")]).toEqual(["", ""]);
  // A signal to the whole group would abort requests; `mixed` sends it only to the main process.
  expect(valuesOf("KillMode")).toEqual(["mixed"]);
  const commentedDelay = /^#SHUTDOWN_DELAY_SECONDS=(\d+)$/m.exec(read("deploy/systemd/imprint.env"))?.[1];
  expect(Number(valuesOf("TimeoutStopSec")[0])).toBeGreaterThan(Number(commentedDelay) + STOP_SECONDS);
  if (!isInstalled("systemd-analyze")) return;
  inFolder((folder) => {
    const unit = join(folder, "imprint.service");
    // systemd-analyze also checks that the programs exist.
    writeFileSync(unit, UNIT.replace("/opt/imprint/bin/imprint", process.execPath));
    execFileSync("systemd-analyze", ["verify", "--recursive-errors=yes", unit], { stdio: "pipe" });
    // Fails if the exposure level exceeds 2.0 of 10.
    execFileSync("systemd-analyze", ["security", "--offline=true", "--threshold=20", "--no-pager", unit]);
  });
});

test("npm start and the package give Node the same young generation size", () => {
  const options = NODE_FLAGS.join(" ");
  const { scripts } = JSON.parse(read("package.json")) as { scripts: { start: string } };
  expect(scripts.start).toBe(`exec node ${options} scripts/start.mjs`);
  expect(read("scripts/package/imprint.sh")).toContain(`exec "$node" ${options} "$bin/imprint.mjs" "$@"`);
});

test("every setting in the samples exists in the service, and every file in deploy that the documents name exists", () => {
  const assigned = [...read("deploy/systemd/imprint.env").matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(assigned.length).toBeGreaterThan(5);
  expect(assigned.filter((name) => !settings.has(name))).toEqual([]);
  const named = [...read("docs/installation.md").matchAll(/\bdeploy\/[\w./-]*\w/g)].map(([path]) => path);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

type Service = {
  environment: Record<string, string>;
  volumes: string[];
  ports?: string[];
  stop_grace_period?: string;
  depends_on?: Record<string, { condition: string }>;
  build?: { context: string; dockerfile: string };
};
type Compose = { services: Record<"caddy" | "imprint" | "postgres", Service>; volumes: Record<string, unknown> };

test("compose publishes only Caddy, mounts existing files, and gives the service known settings", () => {
  const text = read("deploy/compose/compose.yaml");
  const { services, volumes } = parse(text) as Compose;
  const { imprint, postgres, caddy } = services;
  expect([imprint.ports, postgres.ports, caddy.ports?.length]).toEqual([undefined, undefined, 3]);
  const commented = [...text.matchAll(/^ +# ([A-Z_]+): /gm)].map(([, name = ""]) => name);
  expect(commented).toContain("BACKUP_DIR");
  for (const name of [...Object.keys(imprint.environment), ...commented]) expect(settings).toContain(name);
  expect(Number.parseInt(imprint.stop_grace_period ?? "", 10)).toBeGreaterThan(STOP_SECONDS);
  for (const mount of Object.values(services).flatMap((service) => service.volumes)) {
    const [source = ""] = mount.split(":");
    if (source.startsWith("./")) expect(existsSync(join(ROOT, "deploy/compose", source)), mount).toBe(true);
    else expect(Object.keys(volumes)).toContain(source);
  }
  const { context = "", dockerfile = "" } = imprint.build ?? {};
  expect(existsSync(join(ROOT, "deploy/compose", context, dockerfile))).toBe(true);
  const given = [...read("deploy/compose/env.example").matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
  const wanted = [...text.replaceAll(/^ +#.*$/gm, "").matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name);
  expect([...new Set(wanted)].sort()).toEqual(given.sort());
});

test("the image has two stages with one base, unpacks a verified archive, and does not run as root", () => {
  const instructions = read("deploy/docker/Dockerfile")
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n/g, "")
    .trim()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => /^([A-Z]+) +(.+)$/.exec(line) ?? ["", line, ""]);
  const of = (name: string) =>
    instructions.flatMap(([, instruction, value = ""]) => (instruction === name ? [value] : []));
  expect(of("FROM")).toEqual(["${BASE} AS unpacked", "${BASE}"]);
  expect(of("COPY")).toEqual([
    "imprint-*.tar.gz imprint-*.tar.gz.sha256 /archive/",
    "--from=unpacked /opt/imprint /opt/imprint",
  ]);
  expect(of("RUN")[0]).toContain("sha256sum --check");
  expect(of("USER")).toEqual(["10001:10001"]);
  expect(of("RUN")[1]).toContain("--uid 10001");
  expect(of("HEALTHCHECK")[0]).toMatch(/CMD \["\/opt\/imprint\/bin\/imprint", "ready"\]$/);
  expect([...of("ENTRYPOINT"), ...of("CMD")]).toEqual(['["/opt/imprint/bin/imprint"]', '["start"]']);
});

test("the shell scripts and the Caddyfile parse", () => {
  for (const script of ["scripts/package/imprint.sh", "deploy/compose/create-database.sh"])
    execFileSync("sh", ["-n", join(ROOT, script)], { stdio: "pipe" });
  expect(statSync(join(ROOT, "deploy/compose/create-database.sh")).mode & 0o111).toBe(0o111);
  const caddyfile = "deploy/compose/Caddyfile";
  expect(read(caddyfile)).toContain("{$DOMAIN} {\n\treverse_proxy imprint:3000\n}\n");
  if (!isInstalled("caddy")) return;
  inFolder((folder) => {
    const env = {
      ...process.env,
      DOMAIN: "imprint.example",
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
    };
    const adapt = ["adapt", "--adapter", "caddyfile", "--config", join(ROOT, caddyfile), "--validate"];
    const adapted = execFileSync("caddy", adapt, { encoding: "utf8", env, stdio: ["ignore", "pipe", "pipe"] });
    expect(adapted).toContain('"dial":"imprint:3000"');
  });
});
