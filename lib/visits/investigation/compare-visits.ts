import { Signals } from "@/lib/contract/signals";
import { AppError } from "@/lib/contract/errors";
import { idPattern } from "@/lib/contract/ids";
import type { Context } from "@/lib/platform/context";
import { compareMachines, type MachineComparison } from "@/lib/visits/devices";
import { type ConsoleReport, readReportForConsole } from "@/lib/visits/reports";
import { type RequestFacts, ruleReads, type Visit } from "@/lib/visits/risk";
import { findSignals } from "@/lib/visits/visit-store";
import { compareFacts, compareFindings, type ComparedFact, type Facts, type RuleOutcome } from "./domain/compare-facts";
import { readsOfNetwork, reportFacts, requestFactsOf, signalFacts } from "./domain/visit-facts";

export type VisitComparison = {
  /** In chronological order. */
  visits: [ConsoleReport, ConsoleReport];
  findings: RuleOutcome[];
  changed: ComparedFact[];
  same: ComparedFact[];
  /** Undefined if the raw signals of either visit were erased. */
  machine: MachineComparison | undefined;
  addressesVisible: boolean;
};

/** Stored raw signals and request facts. Undefined if an older version stored them in a different format. */
function storedVisit(stored: unknown): Visit | undefined {
  if (typeof stored !== "object" || stored === null || !("signals" in stored)) return undefined;
  const signals = Signals.safeParse(stored.signals);
  if (!signals.success) return undefined;
  const request = "request" in stored ? (stored.request as RequestFacts | undefined) : undefined; // as the service wrote it
  return { signals: signals.data, request: request ?? { clientHints: {} } };
}

const factsOf = (view: ConsoleReport, visit: Visit | undefined): Facts =>
  new Map([
    ...reportFacts(view.report),
    ...(visit ? [...signalFacts(visit.signals), ...requestFactsOf(visit.request, view.addressesVisible)] : []),
  ]);

/** Report names for the identity values that rules read. */
const NAMES_IN_REPORT: Readonly<Record<string, string>> = {
  "identity.browser.family": "browser.name",
  "identity.browser.version": "browser.version",
  "identity.browser.majorVersion": "browser.version",
  "identity.browser.chromiumMajorVersion": "browser.version",
  "identity.operatingSystem.family": "operating_system.name",
  "identity.operatingSystem.version": "operating_system.version",
};

type Reads = ReadonlyMap<string, ReadonlySet<string>>;

/** What rules read of a visit, including under the Report's names. */
function readsOf(visit: Visit): Reads[] {
  const reads = ruleReads(visit);
  const renamed = Object.entries(NAMES_IN_REPORT).map(([name, inReport]): Reads => {
    return new Map([[inReport, reads.get(name) ?? new Set<string>()]]);
  });
  return [reads, ...renamed];
}

const timeOf = ({ report }: ConsoleReport): number => new Date(report.created_at).getTime();

/**
 * Validates an imprint.
 *
 * @throws AppError `invalid_request`
 */
function requireImprint(text: string): string {
  const imprint = text.trim().toLowerCase();
  if (idPattern("imprint").test(imprint)) return imprint;
  throw new AppError("invalid_request", { message: "Expected an imprint: imp_ and 32 hex digits" });
}

/**
 * Compares two visits of a workspace: which values differ, which of these cannot change within one installation, and
 * which rules read them. The earlier visit is always first.
 *
 * @throws AppError `not_found`, `forbidden`, `report_not_found`, `invalid_request`
 */
export async function compareVisits(
  context: Context,
  input: { workspaceId: string; a: string; b: string },
): Promise<VisitComparison> {
  const { workspaceId } = input;
  const [a, b] = [requireImprint(input.a), requireImprint(input.b)];
  if (a === b) throw new AppError("invalid_request", { message: "Choose two different visits" });
  const [one, other, signals] = await Promise.all([
    readReportForConsole(context, { workspaceId, imprint: a }),
    readReportForConsole(context, { workspaceId, imprint: b }),
    findSignals(context.db, workspaceId, [a, b]),
  ]);
  const [before, after] = timeOf(one) <= timeOf(other) ? [one, other] : [other, one];
  const visits = [before, after].map(({ report }) => storedVisit(signals.get(report.imprint)));
  const [first, second] = visits;
  const isWhole = first !== undefined && second !== undefined;
  const facts = [before, after].map((view, at) => factsOf(view, isWhole ? visits[at] : undefined));
  const [old, now] = [facts[0] ?? new Map<string, string>(), facts[1] ?? new Map<string, string>()];
  const found = [...before.findings, ...after.findings].map(({ ruleId }) => ruleId);
  const reads = [...(isWhole ? [...readsOf(first), ...readsOf(second)] : []), readsOfNetwork(found, now)];
  const { changed, same } = compareFacts(old, now, reads);
  return {
    visits: [before, after],
    findings: compareFindings(before.findings, after.findings, changed),
    changed,
    same,
    machine: isWhole ? compareMachines(first, second) : undefined,
    addressesVisible: before.addressesVisible,
  };
}
