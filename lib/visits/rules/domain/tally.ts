import type { Label } from "@/lib/contract/labels";
import type { ReportStatus } from "@/lib/contract/report";
import { measure, type Measured } from "./measure";

type Labelled = { deviceId: string; label: Label; before: ReportStatus; after: ReportStatus };

type Accuracy = {
  /** Of the labelled visits that were not passed, the share that was fraud. */
  precision: Measured | undefined;
  /** Of the visits labelled legitimate, the share that was not passed; and the share that was called DECEPTIVE. */
  falseAccusations: Measured | undefined;
  falselyDeceptive: Measured | undefined;
};

export type Comparison = { before: Accuracy; after: Accuracy; refusedBecause: string | undefined };

const countOf = (visits: readonly Labelled[]) => ({
  visits: visits.length,
  devices: new Set(visits.map(({ deviceId }) => deviceId)).size,
});

function accuracyOf(visits: readonly Labelled[], when: "before" | "after"): Accuracy {
  const isAccused = (visit: Labelled) => visit[when] !== "PASS";
  const legitimate = visits.filter(({ label }) => label === "legitimate");
  const accused = visits.filter((visit) => visit.label !== "tester" && isAccused(visit));
  const shareOf = (all: readonly Labelled[], isMeant: (visit: Labelled) => boolean) =>
    measure(all.filter(isMeant).length, countOf(all));
  return {
    precision: shareOf(accused, ({ label }) => label === "fraud"),
    falseAccusations: shareOf(legitimate, isAccused),
    falselyDeceptive: shareOf(legitimate, (visit) => visit[when] === "DECEPTIVE"),
  };
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

const beyond = (what: string, before: Measured | undefined, after: Measured | undefined): string | undefined =>
  before && after && after.share > before.high
    ? `${what} ${percent(after.share)} of the visits labelled legitimate, more than the ${percent(before.high)} up to which today's rules may`
    : undefined;

/**
 * What the labels say of both sets of rules. A candidate is refused that accuses more legitimate visits than what the
 * labels leave possible for today's rules: within the interval, the difference may be chance or a wrong label.
 */
export function compareAccuracy(visits: readonly Labelled[]): Comparison {
  const [before, after] = [accuracyOf(visits, "before"), accuracyOf(visits, "after")];
  return {
    before,
    after,
    refusedBecause:
      beyond("It accuses", before.falseAccusations, after.falseAccusations) ??
      beyond("It calls DECEPTIVE", before.falselyDeceptive, after.falselyDeceptive),
  };
}

export type { Labelled };
