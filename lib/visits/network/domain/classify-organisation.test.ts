import fc from "fast-check";
import { expect, test } from "vitest";
import { classifyOrganisation } from "./classify-organisation";
import { KNOWN_NETWORKS, knownConnectionType } from "./known-networks";
import type { ConnectionType } from "./network-facts";

/** Names labelled by their network: real organisations, and some invented to mislead. */
const LABELLED: Record<ConnectionType, string[]> = {
  hosting: [
    ...[
      "Hetzner Online GmbH",
      "OVH SAS",
      "DigitalOcean, LLC",
      "Contabo GmbH",
      "netcup GmbH",
      "Hostinger International Limited",
    ],
    ...["HostPapa", "A2 Hosting, Inc.", "SECURED SERVERS LLC", "MVPS LTD", "UAB Host Baltic", "GorillaServers, Inc."],
    ...[
      "Vautron Rechenzentrum & Hosting AG",
      "IOMART CLOUD SERVICES LIMITED",
      "PI DATA CENTERS PRIVATE LIMITED",
      "EGIHosting",
    ],
    ...[
      "Colocation America Corporation",
      "SkyLink Data Center BV",
      "AbsamHost Internet Data Center",
      "Yandex.Cloud LLC",
    ],
    ...[
      "M247 Europe SRL",
      "Datacamp Limited",
      "Huawei Cloud Service data center",
      "HOSTWEB DATA CENTER E SERVICOS LTDA",
    ],
    ...[
      "Dedicated.com",
      "VSHosting s.r.o.",
      "HostRoyale Technologies Pvt Ltd",
      "Kaopu Cloud HK Limited",
      "FADEDSERVERS PTY LTD",
    ],
  ],
  residential: [
    ...["Comcast Cable Communications, LLC", "Deutsche Telekom AG", "Orange S.A.", "British Telecommunications PLC"],
    ...[
      "Virgin Media Limited",
      "TELEFONICA DE ESPANA S.A.U.",
      "Türk Telekomünikasyon Anonim Şirketi",
      "Chunghwa Telecom Co., Ltd.",
    ],
    ...[
      "Charter Communications Inc",
      "SK Broadband Co Ltd",
      "KPN B.V.",
      "Telia Company AB",
      "PJSC Rostelecom",
      "VNPT Corp",
    ],
    ...[
      "Claro NXT Telecomunicações Ltda",
      "Swisscom (Schweiz) AG",
      "Proximus NV",
      "Cypress Fiber",
      "JSC Kazakhtelecom",
    ],
    ...[
      "WINNET BROADBAND PRIVATE LIMITED",
      "Amazon.com Tech Telecom",
      "Cloud Telecom Ltda",
      "Data Center Fibra Telecom",
      "1&1 Telecom GmbH",
    ],
    ...[
      "MauritiusTelecom",
      "Bell Canada",
      "Fastweb SpA",
      "Provedor Cloud Fibra LTDA",
      "Host Cable TV",
      "Telecom Argentina S.A.",
    ],
  ],
  mobile: [
    ...[
      "T-Mobile USA, Inc.",
      "China Mobile",
      "Free Mobile SAS",
      "Rakuten Mobile, Inc.",
      "NTT DOCOMO, INC.",
      "Colombia Móvil",
    ],
    ...[
      "MTN SA",
      "Vodacom",
      "Hutchison 3G UK Limited",
      "Nuevatel PCS de Bolivia S.A.",
      "Telefonica Celular de Bolivia S.A.",
    ],
    ...["Mobile Cloud Networks of Exampleland GSM", "Two Degrees Mobile Limited", "grameenphone limited"],
  ],
  corporate: [
    ...[
      "Stanford University",
      "Bank of America, National Association",
      "City of San Antonio",
      "UK Ministry of Defence",
    ],
    ...[
      "Universität Stuttgart",
      "Wells Fargo Bank, N.A.",
      "Hadassah Medical Organisation Ltd",
      "Blackpool Borough Council",
    ],
    ...[
      "St. Cloud State University",
      "Banco Itaú (Suisse) SA",
      "Nassau County Police Department",
      "National Iranian Oil Company PJSC",
    ],
    ...["Holy Cross Energy", "CROATIA AIRLINES D.D.", "École polytechnique", "Massachusetts Institute of Technology"],
  ],
  proxy: [
    ...["Mullvad VPN AB", "PacketHub S.A.", "Windscribe", "Emerald Onion", "Foundation for Applied Privacy"],
    ...["Stiftung Erneuerbare Freiheit", "IVPN Limited", "Anonymizer, LLC"],
  ],
  unknown: [
    ...[
      "Apple Inc.",
      "SWITCH",
      "Mercedes-Benz Group AG",
      "Observer Media Group",
      "Cozy Hostel Berlin",
      "Alsatia (PTY) LTD",
    ],
    ...["F3 e.V.", "Eli Lilly and Company", "Servidores Públicos do Estado", "VPNET INC"],
  ],
};

const answers = (Object.keys(LABELLED) as ConnectionType[]).flatMap((label) =>
  LABELLED[label].map((name) => ({ name, label, answer: classifyOrganisation(name).type })),
);
const share = (part: unknown[], whole: unknown[]) => part.length / whole.length;

test("classifyOrganisation: is right about at least nine of ten names that it classifies as hosting", () => {
  const called = answers.filter(({ answer }) => answer === "hosting");
  expect(called.length).toBeGreaterThan(20);
  expect(
    share(
      called.filter(({ label }) => label === "hosting"),
      called,
    ),
  ).toBeGreaterThanOrEqual(0.9);
});

test("classifyOrganisation: classifies no internet provider or mobile carrier as hosting, even if it sells cloud or cable", () => {
  const carriers = answers.filter(({ label }) => label === "residential" || label === "mobile");
  expect(carriers.filter(({ answer }) => answer === "hosting" || answer === "proxy")).toEqual([]);
});

test("classifyOrganisation: classifies only operators of VPNs and Tor exits as proxy, not even those who rent them servers", () => {
  const called = answers.filter(({ answer }) => answer === "proxy");
  expect(called.map(({ name }) => name).sort()).toEqual([...LABELLED.proxy].sort());
});

test.each([
  ["hosting", 0.9],
  ["residential", 0.9],
  ["mobile", 0.9],
  ["corporate", 0.9],
  ["unknown", 1],
] as const)("classifyOrganisation: recognises names of %s networks (at least %f)", (label, least) => {
  const labelled = answers.filter((one) => one.label === label);
  const missed = labelled.filter(({ answer }) => answer !== label);
  expect(1 - share(missed, labelled), JSON.stringify(missed)).toBeGreaterThanOrEqual(least);
});

test("classifyOrganisation: does not depend on case, diacritics or punctuation", () => {
  const name = "Türk Telekomünikasyon A.Ş.";
  expect(classifyOrganisation("TURK-TELEKOMUNIKASYON A S")).toEqual(classifyOrganisation(name));
  expect(classifyOrganisation("(Example) *Hosting*, S.R.L.")).toEqual({ type: "hosting", term: "hosting" });
});

test("classifyOrganisation: has a result for any name, with a term exactly if one decided", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" })), (name) => {
      const { type, term } = classifyOrganisation(name);
      expect(term === undefined).toBe(type === "unknown");
    }),
  );
});

test("the table of known networks: has each network only once", () => {
  const all = Object.values(KNOWN_NETWORKS).flatMap((brands) => Object.values(brands).flat());
  expect(new Set(all).size).toBe(all.length);
});

test("the table of known networks: has networks where VPNs rent servers as hosting, and backbones as unknown", () => {
  expect([9009, 60068, 212238].map(knownConnectionType)).toEqual(["hosting", "hosting", "hosting"]);
  expect([174, 3356, 6939].map(knownConnectionType)).toEqual(["unknown", "unknown", "unknown"]);
  expect(knownConnectionType(64496)).toBeUndefined();
});
