import { expect, test } from "vitest";

import { CAPTURED, withValues } from "../../testing";
import { identify } from "../identity";
import type { Visit } from "../visit";
import { rootAttributes } from "./root-attributes";

const check = (visit: Visit) => rootAttributes.check(visit, identify(visit), "none");
const carrying = (...attributes: string[]) => withValues(CAPTURED.firefox, { automation: { attributes } });

test.each(["webdriver", "selenium", "driver"])("catches the attribute %s as DECEPTIVE", (name) => {
  expect(check(carrying(name))).toMatchObject({
    status: "DECEPTIVE",
    compared: [{ value: name, isOdd: true }, { value: "none of these" }],
  });
});

test.each([
  ["attributes of the site's own", carrying("lang", "data-driver", "drivers")],
  ["a root element without attributes", CAPTURED.firefox],
])("leaves %s alone", (_name, visit) => {
  expect(check(visit)).toBeUndefined();
});
