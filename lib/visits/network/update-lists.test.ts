import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { listFile, type ListName, readListFile } from "./list-files";
import { addressWords, findRange } from "./ranges";
import { updateLists } from "./update-lists";

const NOW = new Date("2026-11-21T12:00:00Z");
let dataDir: string;
let site: string;
/** Responses of the local server, by path. */
let answer: (req: IncomingMessage, res: ServerResponse) => void;

const server = createServer((req, res) => {
  answer(req, res);
});

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "imprint-lists-"));
  return () => {
    rmSync(dataDir, { recursive: true });
  };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const exits = (count: number, first = 185) =>
  Array.from({ length: count }, (_, index) => `${first}.220.${index >> 8}.${index & 255}`).join("\n");
const serve = (text: string, headers: Record<string, string> = {}) => {
  answer = (_req, res) => void res.writeHead(200, headers).end(text);
};
const update = async (name: ListName, urls: string[], isForced = false) => {
  const updates = await updateLists({ dataDir, sources: { [name]: urls }, isForced, now: NOW });
  return updates.find((one) => one.name === name);
};
const isListed = (name: ListName, address: string) => {
  const list = readListFile(listFile(dataDir, name));
  return list !== undefined && findRange(list.ranges, addressWords(address)) >= 0;
};

test("updateLists: replaces a list atomically, with its sources", async () => {
  serve(exits(500));
  expect(await update("tor", [`${site}/exits`])).toEqual({ name: "tor", outcome: "updated", entries: 500 });
  expect([isListed("tor", "185.220.1.7"), isListed("tor", "185.220.9.7")]).toEqual([true, false]);
  expect(readListFile(listFile(dataDir, "tor"))?.head).toEqual({
    updatedAtMs: NOW.getTime(),
    entries: 500,
    sources: [{ url: `${site}/exits` }],
  });
  expect(readdirSync(path.join(dataDir, "ip/lists"))).toEqual(["tor.bin"]);
});

test("updateLists: combines several sources, URLs and files of any format", async () => {
  serve(JSON.stringify({ prefixes: Array.from({ length: 20 }, (_, i) => ({ ip_prefix: `3.5.${i}.0/24` })) }));
  const file = path.join(dataDir, "ranges.txt");
  writeFileSync(file, "34.1.0.0/16\n2600:1900::/35\n");
  const updated = await update("cloud", [`${site}/a.json`, file, pathToFileURL(file).href]);
  expect(updated).toMatchObject({ outcome: "updated", entries: 24 });
  expect(["3.5.19.1", "34.1.2.3", "2600:1900::1"].map((address) => isListed("cloud", address))).toEqual([
    true,
    true,
    true,
  ]);
});

test("updateLists: downloads only what changed, or everything if one source changed", async () => {
  const asked: (string | undefined)[] = [];
  let tag = "one";
  answer = (req, res) => {
    asked.push(req.headers["if-none-match"]);
    const isSame = req.headers["if-none-match"] === `"${tag}"` || (req.url === "/b" && req.headers["if-none-match"]);
    if (isSame) res.writeHead(304).end();
    else res.writeHead(200, { ETag: `"${tag}"` }).end(exits(200, req.url === "/a" ? 185 : 186));
  };
  const urls = [`${site}/a`, `${site}/b`];
  expect(await update("tor", urls)).toMatchObject({ outcome: "updated", entries: 400 });
  expect(await update("tor", urls)).toMatchObject({ outcome: "unchanged", entries: 400 });
  tag = "two";
  expect(await update("tor", urls)).toMatchObject({ outcome: "updated", entries: 400 });
  expect(asked.filter((value) => value === undefined)).toHaveLength(4);
});

test("updateLists: also trusts a server's modification times", async () => {
  const times: (string | undefined)[] = [];
  answer = (req, res) => {
    times.push(req.headers["if-modified-since"]);
    if (req.headers["if-modified-since"]) res.writeHead(304).end();
    else res.writeHead(200, { "Last-Modified": "Fri, 20 Nov 2026 00:00:00 GMT" }).end(exits(200));
  };
  await update("tor", [site]);
  expect(await update("tor", [site])).toMatchObject({ outcome: "unchanged" });
  expect(times).toEqual([undefined, "Fri, 20 Nov 2026 00:00:00 GMT"]);
});

test.each<[string, () => void, RegExp]>([
  [
    "an error page",
    () => {
      serve("<html>\n<body>Down for maintenance</body>\n</html>".repeat(50));
    },
    /not public addresses/,
  ],
  [
    "a list of private networks",
    () => {
      serve(Array.from({ length: 200 }, (_, i) => `10.0.${i}.0/24`).join("\n"));
    },
    /not public addresses/,
  ],
  [
    "an answer that was cut off",
    () => {
      serve(exits(20));
    },
    /fewer than the 100/,
  ],
  [
    "nothing",
    () => {
      serve("");
    },
    /fewer/,
  ],
  [
    "half the list",
    () => {
      serve(exits(240));
    },
    /240 entries instead of 500/,
  ],
  [
    "a list that grew beyond belief",
    () => {
      serve(exits(900));
    },
    /900 entries instead of 500/,
  ],
  [
    "the whole internet",
    () => {
      serve(Array.from({ length: 500 }, (_, i) => `${1 + (i % 99)}.0.0.0/8`).join("\n"));
    },
    /part of the internet/,
  ],
  [
    "an error status",
    () => {
      answer = (_req, res) => void res.writeHead(503).end();
    },
    /answered 503/,
  ],
  [
    "a cut connection",
    () => {
      answer = (_req, res) => void res.destroy();
    },
    /127\.0\.0\.1/,
  ],
])("updateLists: refuses %s and keeps the current list", async (_name, prepare, problem) => {
  serve(exits(500));
  await update("tor", [site]);
  const before = readFileSync(listFile(dataDir, "tor"));
  prepare();
  const refused = await update("tor", [site]);
  expect(refused).toMatchObject({ outcome: "refused", entries: 500, before: 500 });
  expect(refused?.problem).toMatch(problem);
  expect(readFileSync(listFile(dataDir, "tor")).equals(before)).toBe(true);
  expect(readdirSync(path.join(dataDir, "ip/lists"))).toEqual(["tor.bin"]);
});

test("updateLists: accepts a change in size that a person confirms, but no invalid entries", async () => {
  serve(exits(500));
  await update("tor", [site]);
  serve(exits(240));
  expect(await update("tor", [site], true)).toMatchObject({ outcome: "updated", entries: 240 });
  serve("<html>\n".repeat(300));
  expect(await update("tor", [site], true)).toMatchObject({ outcome: "refused", entries: 240 });
});

test("updateLists: continues with other lists if one is unavailable, and ignores lists without a source", async () => {
  serve(exits(200));
  const sources = { tor: ["http://127.0.0.1:1/"], relay: [site], vpn: [path.join(dataDir, "absent")] };
  const updates = await updateLists({ dataDir, sources, isForced: false, now: NOW });
  expect(updates.map(({ name, outcome }) => [name, outcome])).toEqual([
    ["tor", "refused"],
    ["relay", "updated"],
    ["vpn", "refused"],
    ["cloud", "off"],
  ]);
  expect(existsSync(listFile(dataDir, "tor"))).toBe(false);
});

test("updateLists: replaces a damaged list", async () => {
  serve(exits(200));
  await update("tor", [site]);
  writeFileSync(listFile(dataDir, "tor"), "damaged");
  expect(await update("tor", [site])).toMatchObject({ outcome: "updated", entries: 200 });
});
