import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import type { LinkControl } from "@/lib/visits/devices";
import { LinkControlDetails } from "./link-control";

const PLACE: LinkControl["places"][number] = {
  system: "desktop",
  network: "at most 1 other device",
  model: "up to 1 in 50",
  known: "14 days or more",
  links: 400,
  wrong: 1,
  bound: 0.004,
  isAlarmed: false,
  areOthersArriving: false,
  isOpen: true,
};

const textOf = (...places: LinkControl["places"]) =>
  renderToStaticMarkup(<LinkControlDetails returned={900} links={400} wrong={1} places={places} />);

const ARRIVING = "more visits than before came from a second machine";

test("a place where links are made says so, and nothing of second machines", () => {
  const text = textOf(PLACE);
  expect(text).toContain("Linking");
  expect(text).toContain("Links are made in 1 of 1 kinds of places.");
  expect(text).not.toContain(ARRIVING);
});

test("while second machines arrive, the reason is given once for all places, and a place that was wrong keeps its own", () => {
  const held = { ...PLACE, isOpen: false, areOthersArriving: true };
  const text = textOf(held, { ...held, system: "handheld" }, { ...held, model: "rare", isAlarmed: true });
  expect(text.split(ARRIVING)).toHaveLength(2);
  expect(text.match(/>Held back</g)).toHaveLength(2);
  expect(text.match(/>Held back: wrong lately</g)).toHaveLength(1);
  expect(text).not.toContain(">Linking<");
});
