import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { parseAddressList, toRanges } from "./address-list";
import { encodeList, listFile, type ListName } from "./list-files";
import { loadNetworkData } from "./load-network-data";
import { lookupNetworkIn } from "./lookup-network";
import { mmdbFile } from "@/test/network-data";
import { loadWatchedFiles } from "./watched-files";

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "imprint-watch-"));
  return () => {
    rmSync(dataDir, { recursive: true });
  };
});

/** Replaces a file atomically, as an operator should. */
function replace(file: string, bytes: Buffer): void {
  writeFileSync(`${file}.new`, bytes);
  renameSync(`${file}.new`, file);
}

const cityFile = (country: string) =>
  mmdbFile({ "87.128.0.0/16": { country: { iso_code: country } } }, { type: "GeoLite2-City" });
const asnFile = (name: string, asn = 64_500) =>
  mmdbFile(
    { "87.128.0.0/16": { autonomous_system_number: asn, autonomous_system_organization: name } },
    { type: "GeoLite2-ASN" },
  );
const anonymousFile = (record: Record<string, boolean>) =>
  mmdbFile({ "87.128.14.20/32": record }, { type: "GeoIP2-Anonymous-IP" });
const load = (files: Record<string, string> = {}) =>
  loadNetworkData(dataDir, { files, locatePackage: () => undefined });

function writeList(name: ListName, text: string): void {
  mkdirSync(path.dirname(listFile(dataDir, name)), { recursive: true });
  const head = { updatedAtMs: 1_780_000_000_000, entries: 1, sources: [] };
  replace(listFile(dataDir, name), encodeList(head, toRanges(parseAddressList(text).spans)));
}

const VISITOR = "87.128.14.20";

test("the operator's files: take precedence over the packages, and an atomic replacement is noticed without a restart", async () => {
  const files = { city: path.join(dataDir, "city"), asn: path.join(dataDir, "asn") };
  replace(files.city, cityFile("DE"));
  replace(files.asn, asnFile("Example Broadband"));
  const data = await load(files);
  expect(lookupNetworkIn(data, VISITOR)).toMatchObject({
    countryCode: "DE",
    asn: 64_500,
    provider: "Example Broadband",
    connectionType: "residential",
  });

  replace(files.city, cityFile("AT"));
  replace(files.asn, asnFile("Example Hosting"));
  await loadWatchedFiles(data);
  expect(lookupNetworkIn(data, VISITOR)).toMatchObject({
    countryCode: "AT",
    provider: "Example Hosting",
    connectionType: "hosting",
  });
  expect(data.dataSets.find(({ name }) => name === "city-file")).toMatchObject({
    present: true,
    kind: "GeoLite2-City",
    source: files.city,
  });
});

test("the operator's files: stay in use if the new file is damaged, of another type or missing, and the status says so", async () => {
  const city = path.join(dataDir, "city");
  replace(city, cityFile("DE"));
  const data = await load({ city });
  const status = () => data.dataSets.find(({ name }) => name === "city-file");

  const damages = [
    () => {
      writeFileSync(city, cityFile("AT").subarray(0, 200));
    },
    () => {
      replace(city, asnFile("Example"));
    },
    () => {
      rmSync(city);
    },
  ];
  for (const damage of damages) {
    damage();
    await loadWatchedFiles(data);
    expect(lookupNetworkIn(data, VISITOR).countryCode).toBe("DE");
    expect(status()).toMatchObject({
      present: true,
      problem: expect.stringMatching(/is missing|cannot be used/) as string,
    });
  }

  replace(city, cityFile("AT"));
  await loadWatchedFiles(data);
  expect(lookupNetworkIn(data, VISITOR).countryCode).toBe("AT");
  expect(status()).not.toHaveProperty("problem");
});

test("the operator's files: are reported missing if they are configured but do not exist", async () => {
  const data = await load({ anonymous: path.join(dataDir, "absent") });
  expect(data.dataSets.find(({ name }) => name === "anonymous-file")).toMatchObject({
    present: false,
    problem: "The file is missing.",
  });
  expect(data.dataSets.find(({ name }) => name === "tor-list")).not.toHaveProperty("problem");
});

test("the operator's files: are read only once while unchanged", async () => {
  const city = path.join(dataDir, "city");
  replace(city, cityFile("DE"));
  const data = await load({ city });
  const before = data.files.city;
  await loadWatchedFiles(data);
  expect(data.files.city).toBe(before);
});

test("the connection type: comes from the strongest source that knows the address", async () => {
  const [asn, anonymous] = [path.join(dataDir, "asn"), path.join(dataDir, "anonymous")];
  replace(asn, asnFile("Example Broadband"));
  const data = await load({ asn, anonymous });
  const verdict = () => {
    const { connectionType, typeSource, anonymity } = lookupNetworkIn(data, VISITOR);
    return [typeSource, connectionType, anonymity];
  };
  expect(verdict()).toEqual(["name", "residential", undefined]);

  const steps: [() => void, ReturnType<typeof verdict>][] = [
    [
      () => {
        writeList("cloud", "87.128.0.0/16");
      },
      ["list", "hosting", undefined],
    ],
    [
      () => {
        replace(asn, asnFile("Example Broadband", 3320));
      },
      ["asn-table", "residential", undefined],
    ],
    [
      () => {
        writeList("vpn", "87.128.14.0/24");
      },
      ["list", "proxy", "vpn"],
    ],
    [
      () => {
        writeList("relay", "87.128.14.0/24");
      },
      ["list", "proxy", "relay"],
    ],
    [
      () => {
        writeList("tor", VISITOR);
      },
      ["list", "proxy", "tor"],
    ],
    [
      () => {
        replace(anonymous, anonymousFile({ is_hosting_provider: true }));
      },
      ["operator-file", "hosting", undefined],
    ],
  ];
  for (const [step, expected] of steps) {
    step();
    await loadWatchedFiles(data);
    expect(verdict()).toEqual(expected);
  }
  expect(lookupNetworkIn(data, "87.128.99.99")).toMatchObject({
    connectionType: "residential",
    typeSource: "asn-table",
  });
});

test("the connection type: of a backbone stays unknown unless a list of addresses or clouds is more specific", async () => {
  const asn = path.join(dataDir, "asn");
  replace(asn, asnFile("Example Hosting Backbone", 3356));
  const data = await load({ asn });
  expect(lookupNetworkIn(data, VISITOR)).toMatchObject({ connectionType: "unknown", asn: 3356 });
  writeList("cloud", "87.128.0.0/16");
  await loadWatchedFiles(data);
  expect(lookupNetworkIn(data, VISITOR).connectionType).toBe("hosting");
});

test("the connection type: comes from the operator's ASN file rather than from what a name suggests", async () => {
  const asn = path.join(dataDir, "asn");
  const record = { asn: "AS64500", name: "Example Hosting", type: "education" };
  replace(asn, mmdbFile({ "87.128.0.0/16": record }, { type: "ipinfo asn" }));
  expect(lookupNetworkIn(await load({ asn }), VISITOR)).toMatchObject({
    connectionType: "corporate",
    typeSource: "operator-file",
  });
});

test("a list that is replaced by copying in place is reloaded once it is complete", async () => {
  writeList("tor", VISITOR);
  const file = listFile(dataDir, "tor");
  copyFileSync(file, path.join(dataDir, "whole"));
  writeFileSync(file, "IPL1 half");
  const data = await load();
  expect(data.dataSets.find(({ name }) => name === "tor-list")).toMatchObject({ present: false });
  copyFileSync(path.join(dataDir, "whole"), file);
  await loadWatchedFiles(data);
  expect(lookupNetworkIn(data, VISITOR)).toMatchObject({ connectionType: "proxy", anonymity: "tor" });
});
