import { expect, test } from "vitest";

import { exploreParameters, offeredDimensions, parseExploreQuery } from "./explore-query";

test("what the address asks for is understood, and what it does not know is left out", () => {
  expect(parseExploreQuery({ by: "rule", and: "surface", order: "attention" })).toEqual({
    ...{ by: "rule", and: "surface", order: "attention" },
  });
  expect(parseExploreQuery({ by: "password", and: "reason", order: "x" })).toEqual({
    ...{ by: "reason", and: undefined, order: "visits" },
  });
  const query = { by: "browser", and: "system", order: "visits" } as const;
  expect(parseExploreQuery(exploreParameters(query))).toEqual(query);
});

test("places and accounts are offered to those only who may see them", () => {
  const offered = offeredDimensions({ places: false, accounts: false });
  expect(offered).not.toEqual(expect.arrayContaining(["country"]));
  expect(offered.filter((dimension) => ["country", "network", "account"].includes(dimension))).toEqual([]);
  expect(offeredDimensions({ places: true, accounts: true })).toHaveLength(11);
});
