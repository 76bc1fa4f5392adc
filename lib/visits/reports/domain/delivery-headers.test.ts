import fc from "fast-check";
import { expect, test } from "vitest";

import { readReportOperation } from "@/lib/contract/report";
import { type DeliveryFacts, deliveryHeaders } from "./delivery-headers";

const OLD: DeliveryFacts = {
  surface: "login",
  origin: "https://shop.example",
  ageSeconds: 3,
  recognition: null,
  confidence: null,
  agent: null,
};

const OF_EVERY_VISIT = {
  "Imprint-Delivery": "first",
  "Imprint-Surface": "login",
  "Imprint-Origin": "https://shop.example",
  "Imprint-Age": "3",
};

test("a visit from before the new columns has only the common headers, and unknown facts have no header", () => {
  expect(deliveryHeaders(OLD, "first")).toEqual(OF_EVERY_VISIT);
  expect(deliveryHeaders({ ...OLD, recognition: "token", agent: "Example Agent" }, "first")).toEqual({
    ...OF_EVERY_VISIT,
    "Imprint-Recognition": "token",
    "Imprint-Agent": "Example Agent",
  });
  expect(deliveryHeaders({ ...OLD, recognition: "new", confidence: 0.4 }, "repeat")).toEqual({
    ...OF_EVERY_VISIT,
    "Imprint-Delivery": "repeat",
    "Imprint-Recognition": "new",
  });
});

test("the confidence of a link by evidence has two decimals and is never 1.00", () => {
  const told = (confidence: number) =>
    deliveryHeaders({ ...OLD, recognition: "evidence", confidence }, "first")["Imprint-Confidence"];
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (confidence) => {
      expect(told(confidence)).toMatch(/^0\.[0-9]{2}$/);
    }),
  );
  expect([0.97, 0.996, 1].map(told)).toEqual(["0.97", "0.99", "0.99"]);
});

test("the contract declares each header", () => {
  const all = deliveryHeaders({ ...OLD, recognition: "evidence", confidence: 0.9, agent: "Example" }, "first");
  expect(Object.keys(all)).toEqual(Object.keys(readReportOperation.responseHeaders));
});
