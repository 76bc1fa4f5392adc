import { readFileSync } from "node:fs";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { asnTableFile, openAsnTable } from "./asn-table";
import { locateInstalledPackage, readPackageVersion } from "./data-packages";
import { measureClassifier, parseLabels } from "./measure-classifier";

const dataDir = mkdtempSync(path.join(tmpdir(), "imprint-classifier-"));

afterAll(() => {
  rmSync(dataDir, { recursive: true });
});

const fixture = () => parseLabels(readFileSync(new URL("fixtures/access-networks.csv", import.meta.url), "utf8"));

test("networks of homes and phones: are classified as hosting or proxy in at most 0.6 % of cases, by name alone and with the table", () => {
  const source = locateInstalledPackage("@ip-location-db/asn") ?? "";
  const { table } = openAsnTable({ source, version: readPackageVersion(source), target: asnTableFile(dataDir) });
  for (const withTable of [false, true]) {
    const { networks, falsePositives } = measureClassifier(fixture(), table, withTable);
    expect(networks).toBeGreaterThan(350);
    expect(falsePositives.share, JSON.stringify(falsePositives.accused)).toBeLessThanOrEqual(0.006);
  }
}, 150_000);

test("networks of homes and phones: are listed only once", () => {
  const asns = fixture().map(({ asn }) => asn);
  expect(new Set(asns).size).toBe(asns.length);
});

const labels = parseLabels(
  [
    "asn,label,brand,name",
    "1,hosting,A,Example Hosting",
    "2,hosting,B,Example",
    "3,residential,C,Example Cloud",
    "24940,hosting,D,X",
  ].join("\n"),
);

test("measureClassifier: counts precision, recall and accused access networks", () => {
  const { classes, falsePositives } = measureClassifier(labels, undefined, false);
  expect(classes.find(({ type }) => type === "hosting")).toEqual({
    type: "hosting",
    labelled: 3,
    called: 2,
    right: 1,
    precision: 0.5,
    recall: 1 / 3,
  });
  expect(falsePositives).toEqual({ accused: [{ asn: 3, name: "Example Cloud", type: "hosting" }], of: 1, share: 1 });
});

test("measureClassifier: uses the table of known networks if requested", () => {
  const { classes } = measureClassifier(labels, undefined, true);
  expect(classes.find(({ type }) => type === "hosting")).toMatchObject({ called: 3, right: 2 });
});

test("measureClassifier: omits networks without a name and counts them", () => {
  expect(measureClassifier(parseLabels("asn,label\n64500,hosting"), undefined, false)).toMatchObject({
    networks: 0,
    unnamed: 1,
  });
});

test("measureClassifier: names the invalid line", () => {
  expect(() => parseLabels("asn,label\n1,hosting\nAS2,hosting")).toThrow("line 3");
  expect(() => parseLabels("asn,label\n1,isp")).toThrow("line 2");
});
