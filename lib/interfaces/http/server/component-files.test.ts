import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import serverPackage from "@/packages/server/version.json" with { type: "json" };
import { buildComponent } from "../../../../scripts/component/build.mjs";
import { readReleases, releaseFolder } from "../../../../scripts/component/releases.mjs";
import { openComponentFiles } from "./component-files";

/** Files of the server package, which is versioned separately. */
const SERVER_FILE = /^imprint[-_]server\./;

/** A version that is not released yet, as between two releases. */
const UNRELEASED = "99.0.0";

const outDir = await mkdtemp(join(tmpdir(), "imprint-files-"));
const built = await buildComponent({ outDir, asVersion: UNRELEASED });
const files = openComponentFiles(join(outDir, "v1"));
const server = createServer((req, res) => {
  if (!files(req, res, req.url ?? "")) res.writeHead(404).end();
}).listen(0, "127.0.0.1");
await once(server, "listening");
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(outDir, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${origin}${path}`, { headers });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const integrityOf = (bytes: Buffer) => `sha384-${createHash("sha384").update(bytes).digest("base64")}`;

test("every release is served unchanged and as immutable, alongside a newer unreleased version", async () => {
  const releases = await readReleases();
  expect(releases.length).toBeGreaterThan(0);
  for (const { version, files: released } of releases)
    for (const [name, integrity] of Object.entries(released))
      for (const encoding of ["identity", "gzip", "br"]) {
        const response = await get(`/v1/${name}`, { "Accept-Encoding": encoding });
        expect([response.status, response.headers.get("cache-control")], name).toEqual([
          200,
          "public, max-age=31536000, immutable",
        ]);
        const bytes = await bytesOf(response);
        expect(integrityOf(bytes), name).toBe(integrity);
        expect(bytes.equals(await readFile(join(releaseFolder(version), name))), name).toBe(true);
      }
});

test("an unreleased version has no permanent URL", async () => {
  for (const extension of ["js", "mjs", "tgz"])
    expect((await get(`/v1/imprint-${UNRELEASED}.${extension}`)).status).toBe(404);
  const moving = await get("/v1/imprint.js");
  expect(moving.headers.get("cache-control")).not.toContain("immutable");
  expect(integrityOf(await bytesOf(moving))).toBe(built.files["imprint.js"]?.integrity);
});

type Manifest = {
  version: string;
  released: string[];
  files: Record<
    string,
    { version: string; contentType: string; bytes: number; integrity: string; isImmutable: boolean }
  >;
};

test("the manifest lists every file with the version, type, size and integrity value that it is served with", async () => {
  const response = await get("/v1/manifest.json");
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "cache-control": "public, no-cache",
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
  });
  const manifest = (await response.json()) as Manifest;
  expect(manifest.version).toBe(UNRELEASED);
  expect(manifest.released).toEqual((await readReleases()).map(({ version }) => version).reverse());
  for (const [name, file] of Object.entries(manifest.files)) {
    const served = await get(`/v1/${name}`);
    expect(served.headers.get("content-type"), name).toBe(file.contentType);
    expect(served.headers.get("cache-control")?.includes("immutable"), name).toBe(file.isImmutable);
    const bytes = await bytesOf(served);
    expect([bytes.length, integrityOf(bytes)], name).toEqual([file.bytes, file.integrity]);
    const [, versioned] = /-(\d+\.\d+\.\d+)\./.exec(name) ?? [];
    expect(file.version, name).toBe(versioned ?? (SERVER_FILE.test(name) ? serverPackage.version : UNRELEASED));
  }
});

test("the manifest in the documentation matches the served one", async () => {
  const page = await readFile(join(import.meta.dirname, "../../../../docs/component.md"), "utf8");
  const sample = JSON.parse(/```json\n(\{\n {2}"version".*?)```/s.exec(page)?.[1] ?? "") as Manifest;
  expect(sample.released).toEqual(built.released);
  expect(sample.released).toContain(sample.version);
  for (const [name, file] of Object.entries(sample.files)) {
    const { contentType, bytes, integrity, isImmutable, version } = file;
    expect(built.files[name]).toMatchObject({ contentType, bytes, integrity, isImmutable, version });
    expect(Object.keys(file)).toEqual(Object.keys(built.files[name] ?? {}));
  }
});

test("the accepted encodings are found among spaces, tabs and quality values, however many there are", async () => {
  const encodingOf = async (accepted: string) =>
    (await get("/v1/imprint.mjs", { "Accept-Encoding": accepted })).headers.get("content-encoding");
  expect(await encodingOf("identity, BR\t;  q=0 , GZIP ; q=0.5")).toBe("gzip");
  expect(await encodingOf("br ; q=0.000,gzip;q=0")).toBe(null);
  const startedAt = performance.now();
  for (let time = 0; time < 5; time += 1) expect(await encodingOf(`x${" ".repeat(15_000)}y, br`)).toBe("br");
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});

test("an unchanged manifest is answered with 304", async () => {
  const etag = (await get("/v1/manifest.json")).headers.get("etag") ?? "";
  expect(etag).not.toBe("");
  expect((await get("/v1/manifest.json", { "If-None-Match": etag })).status).toBe(304);
  for (const others of ['"another"', '"another", W/"third"', '"*"', etag.slice(0, -2), ""])
    expect([others, (await get("/v1/manifest.json", { "If-None-Match": others })).status]).toEqual([others, 200]);
});

test.each([
  ["weakened by a proxy that recompresses", (etag: string) => `W/${etag}`],
  ["among those of other versions", (etag: string) => `"another", W/"third" ,${etag}`],
  ["any", () => "*"],
])("a copy whose tag is %s is answered with 304, in each encoding", async (_name, headerOf) => {
  for (const encoding of ["identity", "gzip", "br"]) {
    const accepted = { "Accept-Encoding": encoding };
    const etag = (await get("/v1/imprint.mjs", accepted)).headers.get("etag") ?? "";
    const again = await get("/v1/imprint.mjs", { ...accepted, "If-None-Match": headerOf(etag) });
    expect([encoding, again.status, again.headers.get("etag")]).toEqual([encoding, 304, etag]);
  }
});

test.each(["/v1/", "/v1/manifest.json.br", "/v1/imprint-0.0.0.js", "/v1/../manifest.json", "/v1/__proto__"])(
  "%s is not a component file",
  async (path) => {
    expect((await get(path)).status).toBe(404);
  },
);

test("each script links to its source map, and the map contains its sources", async () => {
  for (const name of ["imprint.js", "imprint.mjs"]) {
    const script = await get(`/v1/${name}`);
    expect(script.headers.get("sourcemap")).toBe(`${name}.map`);
    expect(await script.text()).not.toContain("sourceMappingURL");
    const map = (await (await get(`/v1/${name}.map`)).json()) as { sources: string[]; sourcesContent: string[] };
    const at = map.sources.indexOf("lib/component/run.ts");
    expect(map.sourcesContent[at]).toBe(await readFile(join(import.meta.dirname, "../../../component/run.ts"), "utf8"));
  }
});
