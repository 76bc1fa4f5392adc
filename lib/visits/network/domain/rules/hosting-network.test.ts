import { expect, test } from "vitest";
import { home, phone, server } from "../testing";
import { hostingNetwork } from "./hosting-network";

test("network.hosting-network: is SUSPICIOUS for a server network, whatever the source", () => {
  for (const typeSource of ["operator-file", "list", "asn-table", "name"] as const) {
    expect(hostingNetwork.check({ observed: server({ typeSource }), consistency: "UNKNOWN" })?.status).toBe(
      "SUSPICIOUS",
    );
  }
});

test("network.hosting-network: leaves homes, phones, companies, exits and unknown networks alone", () => {
  const others = [
    home(),
    phone(),
    ...(["corporate", "proxy", "unknown"] as const).map((connectionType) => server({ connectionType })),
  ];
  for (const observed of others) expect(hostingNetwork.check({ observed, consistency: "UNKNOWN" })).toBeUndefined();
  expect(hostingNetwork.check({ observed: { evidence: [] }, consistency: "UNKNOWN" })).toBeUndefined();
});
