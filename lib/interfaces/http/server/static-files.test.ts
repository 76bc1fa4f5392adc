import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import inject from "light-my-request";
import { afterAll, expect, test } from "vitest";

import { openStaticFiles } from "./static-files";

const folder = mkdtempSync(join(tmpdir(), "imprint-static-"));
mkdirSync(join(folder, "static/chunks"), { recursive: true });
writeFileSync(join(folder, "static/chunks/a.js"), "export const a = 1;");
writeFileSync(join(folder, "static/font.woff2"), "font");
writeFileSync(join(folder, "secret.json"), "{}");
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const serve = openStaticFiles(join(folder, "static"));
const get = (path: string, headers: Record<string, string> = {}) =>
  inject(
    (req, res) => {
      void serve(req, res, path).then((isServed) => {
        if (!isServed) res.writeHead(404).end();
      });
    },
    { url: "/", headers },
  );

test("a built file is served as immutable, compressed if accepted, and as 304 if the client has it", async () => {
  const plain = await get("/_next/static/chunks/a.js");
  expect(plain.headers).toMatchObject({
    "content-type": "application/javascript; charset=UTF-8",
    "cache-control": "public, max-age=31536000, immutable",
  });
  expect(plain.payload).toBe("export const a = 1;");
  const zipped = await get("/_next/static/chunks/a.js", { "accept-encoding": "gzip, br" });
  expect(zipped.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.payload);
  const again = await get("/_next/static/chunks/a.js", { "if-none-match": String(plain.headers["etag"]) });
  expect([again.statusCode, again.payload]).toEqual([304, ""]);
  expect((await get("/_next/static/font.woff2", { "accept-encoding": "gzip" })).headers["content-encoding"]).toBe(
    undefined,
  );
});

test.each([
  "/_next/static/../secret.json",
  "/_next/static/chunks",
  "/_next/static/",
  "/_next/static/chunks/a.js/",
  "/_next/static/chunks/%61.js",
  "/_next/static/none.js",
  "/secret.json",
])("%s is not a built file", async (path) => {
  expect((await get(path)).statusCode).toBe(404);
});

test("a file that a build has removed since startup is left to the pages", async () => {
  writeFileSync(join(folder, "static/gone.js"), "1");
  const early = openStaticFiles(join(folder, "static"));
  rmSync(join(folder, "static/gone.js"));
  const answer = await inject((req, res) => {
    void early(req, res, "/_next/static/gone.js").then((isServed) => res.writeHead(isServed ? 200 : 404).end());
  }, "/");
  expect(answer.statusCode).toBe(404);
});
