import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

import { expect, test } from "vitest";

import { bundleServerPackage } from "../server-package/bundle.mjs";
import { bundleComponent } from "./bundle.mjs";
import { readRelease, readReleases, releaseFolder, RELEASES_FILE, requireSame } from "./releases.mjs";

const releases = await readReleases();
const current = await bundleComponent();

/** Sites store these hashes; they are duplicated here so that no edit of the list goes unnoticed. */
const FIRST_RELEASE = {
  version: "0.1.0",
  files: {
    "imprint-0.1.0.js": "sha384-9UCJwRq4JyhMtX0UiJE8Zioig0ZIhJKWMc8YXQ/GxaFTeiHU9qc3+TSd3TgkW9Sc",
    "imprint-0.1.0.mjs": "sha384-0yhrU5be5Z6aub88JlDN3tBsPn6eams6j5g7li1wdKaa4gaabHWDiRQ3JEC+i9uq",
    "imprint-0.1.0.tgz": "sha384-eetOWq8XuT1ONcTPiehmmJOsJyKJy9pMO6nXUepO9bQ39Zzr5gvGAvMXDgYqNRxO",
  },
};

test("every released file exists with its published hash, and there are no other files", async () => {
  expect(releases[0]).toEqual(FIRST_RELEASE);
  for (const { version, files } of releases) {
    expect((await readdir(releaseFolder(version))).sort()).toEqual(Object.keys(files).sort());
    for (const [name, integrity] of Object.entries(files)) {
      const bytes = await readFile(join(releaseFolder(version), name));
      expect(`sha384-${createHash("sha384").update(bytes).digest("base64")}`, name).toBe(integrity);
    }
  }
  const folders = await readdir(dirname(RELEASES_FILE));
  expect(folders.sort()).toEqual([...releases.map(({ version }) => version), "releases.json"].sort());
});

test("a changed released file is refused by name", async () => {
  const [release] = releases;
  const changed = { version: "0.1.0", files: { ...release?.files, "imprint-0.1.0.js": "sha384-AAAA" } };
  await expect(readRelease(changed)).rejects.toThrow("releases/component/0.1.0/imprint-0.1.0.js is not the file");
});

test("the sources produce the released files as long as they have a released version; otherwise raise the version", async () => {
  for (const release of releases.filter(({ version }) => version === current.version))
    requireSame(await readRelease(release), current.versioned);
});

test("sources that changed under a released version are refused with instructions", () => {
  const name = `imprint-${current.version}.js`;
  const other = { ...current.versioned, [name]: Buffer.from("something else") };
  expect(() => {
    requireSame(current.versioned, other);
  }).toThrow(
    `no longer produce ${name} as released. A released version never changes: raise the version in lib/component/component.json`,
  );
  expect(() => {
    requireSame(current.versioned, {});
  }).toThrow("raise the version");
});

test("an archive compressed by another zlib is the same release, one with other files is not", () => {
  const [name, archive] = Object.entries(current.versioned).find(([file]) => file.endsWith(".tgz")) ?? [];
  const content = gunzipSync(archive ?? "");
  const released = { [name ?? ""]: archive ?? Buffer.alloc(0) };
  expect(() => {
    requireSame(released, { [name ?? ""]: gzipSync(content, { level: 1 }) });
  }).not.toThrow();
  expect(() => {
    requireSame(released, { [name ?? ""]: gzipSync(content.subarray(512)) });
  }).toThrow("raise the version");
});

test("the server package's releases are stored and verified in the same way", async () => {
  const bundle = await bundleServerPackage();
  for (const release of await readReleases("server")) {
    const released = await readRelease(release, "server");
    expect((await readdir(releaseFolder(release.version, "server"))).sort()).toEqual(Object.keys(released).sort());
    if (release.version === bundle.version) requireSame(released, bundle.versioned, "server");
  }
  expect(() => {
    requireSame(bundle.versioned, {}, "server");
  }).toThrow("raise the version in packages/server/version.json");
});

test("no built file reveals where it was built", async () => {
  const root = join(import.meta.dirname, "../..");
  const { files } = await bundleServerPackage();
  for (const [name, bytes] of Object.entries({ ...current.files, ...current.versioned, ...files })) {
    const content = (name.endsWith(".tgz") ? gunzipSync(bytes) : bytes).toString("latin1");
    expect(content.includes(root) || /node_modules|file:\/\/|sourceMappingURL/.test(content), name).toBe(false);
  }
});

test("every integrity value in a sample is that of its file in the current version", async () => {
  const files = Object.assign({}, ...releases.map((release) => release.files)) as Record<string, string>;
  const folder = join(import.meta.dirname, "../..");
  for (const sample of ["examples/quickstart/sign-in.html", "examples/quickstart/sign-in-esm.html"]) {
    const text = await readFile(join(folder, sample), "utf8");
    const [, name = ""] = /\/v1\/(imprint-[\d.]+\.m?js)/.exec(text) ?? [];
    expect(name).toContain(`imprint-${current.version}.`);
    expect([...text.matchAll(/sha384-[\w+/=]+/g)].map(([value]) => value)).toEqual([files[name]]);
  }
  const page = await readFile(join(folder, "docs/component.md"), "utf8");
  const [, shown] = /src="\/_i\/c\.js" integrity="([^"]+)"/.exec(page) ?? [];
  expect(shown).toBe(files[`imprint-${current.version}.js`]);
});
