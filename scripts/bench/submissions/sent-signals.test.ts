import { expect, test } from "vitest";

import { SIGNAL_NAMES } from "@/lib/contract/signal-lists";
import { assessRisk } from "@/lib/visits/risk";
import { seededRandom } from "../../common/random";
import { drawSample, visitAt } from "../match/sample";
import { sentSignals } from "./sent-signals";

test("generated visits have every group and nearly all PASS, so that measurements with them are representative", () => {
  const sample = drawSample(seededRandom(1), 400);
  const visits = Array.from({ length: 400 }, (_, index) => visitAt(sample, index).visit);
  const signals = visits.map(sentSignals);
  for (const one of signals) expect(SIGNAL_NAMES.filter((name) => one[name] === undefined)).toEqual([]);
  const statuses = visits.map(
    ({ request }, index) => assessRisk({ signals: signals[index] ?? {}, request, now: new Date() }).status,
  );
  expect(statuses.filter((status) => status === "PASS").length).toBeGreaterThan(390);
});
