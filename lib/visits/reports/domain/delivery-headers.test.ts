import fc from "fast-check";
import { expect, test } from "vitest";

import { deliveryHeaders } from "./delivery-headers";

test("a visit from before the columns has no header, and one is told only of what is known", () => {
  expect(deliveryHeaders({ recognition: null, confidence: null, agent: null })).toEqual({});
  expect(deliveryHeaders({ recognition: "token", confidence: null, agent: "Example Agent" })).toEqual({
    "Imprint-Recognition": "token",
    "Imprint-Agent": "Example Agent",
  });
  expect(deliveryHeaders({ recognition: "new", confidence: 0.4, agent: null })).toEqual({
    "Imprint-Recognition": "new",
  });
});

test("the confidence of a link by evidence has two decimals and is never 1.00", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (confidence) => {
      const headers = deliveryHeaders({ recognition: "evidence", confidence, agent: null });
      expect(headers["Imprint-Confidence"]).toMatch(/^0\.[0-9]{2}$/);
    }),
  );
  const told = [0.97, 0.996, 1].map((confidence) =>
    deliveryHeaders({ recognition: "evidence", confidence, agent: null }),
  );
  expect(told.map((headers) => headers["Imprint-Confidence"])).toEqual(["0.97", "0.99", "0.99"]);
});
