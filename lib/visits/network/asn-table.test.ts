import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { canonicalAddress } from "@/lib/platform/addresses";
import { asnTableFile, ensureAsnTable, findOrganisation, openAsnTable } from "./asn-table";
import type { AsnTable } from "./asn-table";
import { locateInstalledPackage, readPackageVersion } from "./data-packages";
import { addressWords } from "./ranges";

const SEED = 20260617;
const dataDir = mkdtempSync(path.join(tmpdir(), "imprint-asn-"));
const target = asnTableFile(dataDir);
const source = locateInstalledPackage("@ip-location-db/asn") ?? "";
let table: AsnTable;

afterAll(() => {
  rmSync(dataDir, { recursive: true });
});

beforeAll(() => {
  const opened = openAsnTable({ source, version: readPackageVersion(source), target }).table;
  if (opened === undefined) throw new Error("the ASN package is not installed");
  table = opened;
}, 150_000);

const rowsOf = (file: string) => readFileSync(path.join(source, file), "utf8").trim().split("\n");
const ROW = /^([^,]+),([^,]+),(\d+),(?:"(.*)"|(.*))$/;

const parseRow = (line: string) => {
  const [, start = "", end = "", asn, quoted, plain = ""] = ROW.exec(line.trim()) ?? [];
  return { start, end, organisation: { asn: Number(asn), name: quoted?.replaceAll('""', '"') ?? plain } };
};

const at = (opened: AsnTable, address: string) =>
  findOrganisation(opened, addressWords(canonicalAddress(address) ?? ""));

const networkOf = (address: string) => ipaddr.parse(address).toByteArray().slice(0, 8).join(".");

test.each(["asn-ipv4.csv", "asn-ipv6.csv"])(
  "the ASN table: returns the same as %s for both ends of sampled ranges",
  (file) => {
    const rows = rowsOf(file);
    expect(rows.length).toBeGreaterThan(100_000);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: rows.length - 1 }), (index) => {
        const { start, end, organisation } = parseRow(rows[index] ?? "");
        const [before, after] = [rows[index - 1] ?? "", rows[index + 1] ?? ""].map((row) => parseRow(row));
        // Two ranges within one /64 cannot be distinguished, as IPv6 is stored by network.
        const isShared = (other = "", own = "") => other.includes(":") && networkOf(other) === networkOf(own);
        fc.pre(!isShared(before?.end, start) && !isShared(after?.start, end));
        expect(at(table, start)).toEqual(organisation);
        expect(at(table, end)).toEqual(organisation);
      }),
      { numRuns: 2_000, seed: SEED },
    );
  },
);

test("the ASN table: returns nothing between two ranges, before the first and after the last", () => {
  expect(at(table, "0.0.0.0")).toBeUndefined();
  expect(at(table, "1.0.1.0")).toBeUndefined();
  expect(at(table, "255.255.255.255")).toBeUndefined();
  expect(at(table, "::1")).toBeUndefined();
  expect(at(table, "ffff::")).toBeUndefined();
});

const small = path.join(dataDir, "package");
const file = path.join(dataDir, "small.bin");
const install = (version: string, name: string) => {
  mkdirSync(small, { recursive: true });
  writeFileSync(path.join(small, "package.json"), JSON.stringify({ version }));
  writeFileSync(path.join(small, "asn-ipv4.csv"), `9.0.0.0,9.0.0.255,2,Second\r\n1.0.0.0,1.0.0.255,1,"${name}"\r\n`);
  writeFileSync(
    path.join(small, "asn-ipv6.csv"),
    "2001:db8::,2001:db8::7,3,Third\n2001:db8::8,2001:db8:1:2::,4,Fourth\n",
  );
  return openAsnTable({ source: small, version, target: file }).table;
};
const nameAt = (opened: AsnTable | undefined, address: string) => opened && at(opened, address)?.name;

test("openAsnTable with a small package: parses names with commas and quotes, and rows in any order", () => {
  const opened = install("1", 'Acme, ""Net"" Ltd');
  expect(nameAt(opened, "1.0.0.255")).toBe('Acme, "Net" Ltd');
  expect(nameAt(opened, "9.0.0.0")).toBe("Second");
});

test("openAsnTable with a small package: assigns a network shared by two IPv6 ranges to the first of them", () => {
  const opened = install("1", "Acme");
  expect(nameAt(opened, "2001:db8::9")).toBe("Third");
  expect(nameAt(opened, "2001:db8:0:1::")).toBe("Fourth");
  expect(nameAt(opened, "2001:db8:1:3::")).toBeUndefined();
});

test("openAsnTable with a small package: rebuilds only for another version", () => {
  install("2", "Before");
  const built = statSync(file, { bigint: true }).mtimeNs;
  expect(nameAt(install("2", "Ignored"), "1.0.0.1")).toBe("Before");
  expect(statSync(file, { bigint: true }).mtimeNs).toBe(built);
  expect(nameAt(install("3", "After"), "1.0.0.1")).toBe("After");
});

test("openAsnTable with a small package: uses the build's table, and creates its own if that is damaged or of another version", () => {
  install("5", "Of the build");
  const [built, target] = [file, path.join(dataDir, "own.bin")];
  const open = (version: string) => openAsnTable({ source: small, version, target, built }).table;
  expect(nameAt(open("5"), "1.0.0.1")).toBe("Of the build");
  ensureAsnTable({ source: small, version: "5", target, built });
  expect(existsSync(target)).toBe(false);
  truncateSync(built, statSync(built).size - 1);
  expect(nameAt(open("5"), "1.0.0.1")).toBe("Of the build");
  expect(existsSync(target)).toBe(true);
  writeFileSync(path.join(small, "package.json"), JSON.stringify({ version: "6" }));
  ensureAsnTable({ source: small, version: "6", target, built });
  const made = statSync(target, { bigint: true }).mtimeNs;
  expect(nameAt(open("6"), "1.0.0.1")).toBe("Of the build");
  expect(statSync(target, { bigint: true }).mtimeNs).toBe(made);
});

test.each([0, 20, 60, -1])("openAsnTable with a small package: rebuilds a file truncated at %i bytes", (bytes) => {
  install("4", "Whole");
  truncateSync(file, bytes >= 0 ? bytes : statSync(file).size - 1);
  expect(nameAt(install("4", "Rebuilt"), "1.0.0.1")).toBe("Rebuilt");
});
