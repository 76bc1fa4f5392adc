import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "imprint-launcher-")));
const [top, caller] = [join(folder, "package"), join(folder, "caller")];
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The launcher as the package has it, with a program that prints its working directory and its settings. */
beforeAll(async () => {
  const entry = { entryPoints: [join(import.meta.dirname, "imprint.mjs")], outfile: join(top, "bin/imprint.mjs") };
  await build({ ...entry, bundle: true, platform: "node", format: "esm", logLevel: "silent" });
  for (const made of [join(top, "dist"), caller]) mkdirSync(made);
  writeFileSync(join(top, "package.json"), JSON.stringify({ version: "1.0.0", build: "" }));
  const program = "process.stdout.write(JSON.stringify({ folder: process.cwd(), settings: process.env }));";
  writeFileSync(join(top, "dist/ip-update.mjs"), program);
});

function settingsFrom(given: Record<string, string>): Record<string, string | undefined> {
  const printed = execFileSync(process.execPath, [join(top, "bin/imprint.mjs"), "ip-update"], {
    cwd: caller,
    env: { PATH: process.env["PATH"], NODE_ENV: "production", ...given },
    encoding: "utf8",
  });
  const started = JSON.parse(printed) as { folder: string; settings: Record<string, string> };
  expect(started.folder).toBe(top);
  return started.settings;
}

test.each(["IP_TOR_LIST_URL", "IP_RELAY_LIST_URL", "IP_VPN_LIST_URL", "IP_CLOUD_LIST_URL"])(
  "%s may list files relative to the caller's folder, beside URLs",
  (name) => {
    const listOf = (text: string) => settingsFrom({ [name]: text })[name];
    expect(listOf("tor.txt")).toBe(join(caller, "tor.txt"));
    expect(listOf(" ../lists/a.csv\n./b.csv  https://lists.example/tor?x=1 /srv/c.csv file:///srv/d.csv ")).toBe(
      `${folder}/lists/a.csv ${caller}/b.csv https://lists.example/tor?x=1 /srv/c.csv file:///srv/d.csv`,
    );
    expect(listOf("none")).toBe("none");
    expect(settingsFrom({})[name]).toBeUndefined();
  },
);

test.each(["DATA_DIR", "BACKUP_DIR", "PG_BIN_DIR", "AGENT_KEYS_FILE", "INIT_API_KEY_FILE", "IP_CITY_DB", "IP_ASN_DB"])(
  "%s may be relative to the caller's folder",
  (name) => {
    expect(settingsFrom({ [name]: "some where/x" })[name]).toBe(join(caller, "some where/x"));
    expect(settingsFrom({ [name]: "/srv/x" })[name]).toBe("/srv/x");
  },
);

test("whitespace around a setting is ignored, as the service ignores it", () => {
  expect(settingsFrom({ DATA_DIR: " /srv/x\r" })["DATA_DIR"]).toBe("/srv/x");
  expect(settingsFrom({ DATA_DIR: " x " })["DATA_DIR"]).toBe(join(caller, "x"));
  expect(settingsFrom({ DATA_DIR: " " })["DATA_DIR"]).toBe(join(caller, ".data"));
  expect(settingsFrom({ BACKUP_DIR: "\n" })["BACKUP_DIR"]).toBe("\n");
  expect(settingsFrom({ LOG_LEVEL: " " })["LOG_LEVEL"]).toBe("error");
});

test("the health check asks the service at HOST and PORT, whatever whitespace is around them", async () => {
  const server = createServer((_req, res) => res.end("ready")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { stdout } = await promisify(execFile)(process.execPath, [join(top, "bin/imprint.mjs"), "ready"], {
    env: { PATH: process.env["PATH"], NODE_ENV: "production", HOST: " 127.0.0.1", PORT: `${port} \r` },
  });
  expect(stdout).toBe("ready\n");
  server.close();
});

test("a data directory inside the package is refused, also by a path with a link or a relative one", () => {
  const link = join(folder, "current");
  symlinkSync(top, link);
  for (const inside of [join(top, "data"), join(link, "data"), join(link, "dist/deeper/data"), "../current", top])
    expect(() => settingsFrom({ DATA_DIR: inside }), inside).toThrow("inside this package");
  expect(settingsFrom({ DATA_DIR: join(folder, "..data") })["DATA_DIR"]).toBe(join(folder, "..data"));
});
