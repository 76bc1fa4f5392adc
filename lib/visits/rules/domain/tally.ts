import type { Label } from "@/lib/contract/labels";
import type { ReportStatus } from "@/lib/contract/report";
import { measure, type Measured } from "./measure";

type Labelled = { deviceId: string; label: Label; before: ReportStatus; after: ReportStatus };

type Accuracy = {
  /** Share of fraud among labelled visits that did not pass. */
  precision: Measured | undefined;
  /** Share of visits labelled legitimate that did not pass, and that were DECEPTIVE. */
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
    ? `${what} ${percent(after.share)} of the visits labelled legitimate, more than the upper bound of ${percent(before.high)} for today's rules`
    : undefined;

/**
 * Compares both sets of rules by the labels. A candidate is refused if it accuses more legitimate visits than the upper
 * bound for today's rules. Within the interval, the difference may be chance or a wrong label.
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
