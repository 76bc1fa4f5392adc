import { readFile } from "node:fs/promises";
import { resolve } from "node:path";

import { AppError } from "@/lib/contract/errors";
import { createProgress } from "@/lib/operations/backup";
import type { Context } from "@/lib/platform/context";
import { callerFolder } from "@/lib/platform/env";
import {
  type Candidate,
  CURRENT,
  currentRules,
  listRules,
  type Measured,
  parseCandidate,
  replayRules,
  switchRule,
} from "@/lib/visits/rules";
import { DAY_MS } from "@/lib/platform/calendar";
import { type Command, type ParsedOptions, workspaceOption } from "../command";
import { readDays } from "../page-options";

const DEFAULT_DAYS = 30;

const rangeOptions = {
  from: { value: "DATE", description: "From this UTC date on, `YYYY-MM-DD`; default 30 days ago" },
  to: { value: "DATE", description: "To this UTC date (inclusive); default today" },
} as const;

function readRange({ now }: Context, given: ParsedOptions): { from: Date; to: Date } {
  const { from = new Date(now.getTime() - DEFAULT_DAYS * DAY_MS), to = new Date(now.getTime() + 60_000) } =
    readDays(given);
  if (from >= to) throw new AppError("invalid_request", { message: "--from must be before --to" });
  return { from, to };
}

async function readCandidate(text: string): Promise<Candidate> {
  if (text === CURRENT) return currentRules;
  const content = await readFile(resolve(callerFolder(), text), "utf8").catch((error: unknown) => {
    throw new AppError("invalid_request", {
      message: `--rules must be ${CURRENT} or a file: ${text} cannot be read`,
      cause: error,
    });
  });
  const candidate = parseCandidate(content);
  if (typeof candidate === "string") throw new AppError("invalid_request", { message: candidate });
  return candidate;
}

const rounded = (value: number | undefined) => (value === undefined ? null : Number(value.toFixed(4)));

const shown = (name: string, measured: Measured | undefined) => ({
  [name]: rounded(measured?.share),
  [`${name}_low`]: rounded(measured?.low),
  [`${name}_high`]: rounded(measured?.high),
});

/** Share of the range up to this visit. An imprint begins with its time in milliseconds. */
const shareOf = (imprint: string, { from, to }: { from: Date; to: Date }) =>
  (Number.parseInt(imprint.slice(4, 16), 16) - from.getTime()) / (to.getTime() - from.getTime());

const replayCommand: Command = {
  name: "rules replay",
  summary: "Apply rules to stored visits and print what would change; rejects rules that flag more legitimate visits",
  options: {
    workspace: workspaceOption,
    ...rangeOptions,
    rules: {
      value: "RULES",
      description: "current for the rules of this version, or a file with a candidate",
      isRequired: true,
    },
  },
  async run(context, given, { stderr }) {
    const candidate = await readCandidate(given.text("rules"));
    const input = { workspaceId: given.text("workspace"), ...readRange(context, given), candidate };
    const progress = createProgress(stderr, "replay");
    const replay = await replayRules(context, input, (lastImprint, visits) => {
      progress.at(shareOf(lastImprint, input), `${visits} visits`);
      progress.done(`${visits} visits`);
    }).finally(progress.end);
    const { before, after, sameVersion, seconds, visits } = replay;
    return {
      rules: candidate.name,
      visits,
      without_signals: replay.withoutSignals,
      visits_per_second: Math.round(visits / Math.max(seconds, 0.001)),
      same_version_visits: sameVersion.visits,
      same_version_different: sameVersion.different,
      ...(sameVersion.different > 0 && { different: sameVersion.imprints }),
      changes: replay.changes,
      rules_changed: replay.rules.map(({ ruleId, ...counts }) => ({ rule: ruleId, ...counts })),
      accuracy: (["precision", "falseAccusations", "falselyDeceptive"] as const).map((name) => ({
        measure: {
          precision: "precision",
          falseAccusations: "false_accusations",
          falselyDeceptive: "falsely_deceptive",
        }[name],
        visits: before[name]?.visits ?? after[name]?.visits ?? 0,
        devices: before[name]?.devices ?? after[name]?.devices ?? 0,
        ...shown("before", before[name]),
        ...shown("after", after[name]),
      })),
      accepted: replay.refusedBecause === undefined,
      ...(replay.refusedBecause !== undefined && { refused_because: replay.refusedBecause }),
    };
  },
};

const switchCommand = (mode: "observe" | "enforce", summary: string): Command => ({
  name: `rules ${mode}`,
  summary,
  options: {
    workspace: { value: "ID", description: "Workspace, `ws_…`" },
    instance: { description: "In all workspaces of this instance" },
    rule: { value: "ID", description: "Rule, e.g. environment.window", isRequired: true },
  },
  async run(context, given) {
    const workspaceId = given.optional("workspace");
    if ((workspaceId === undefined) !== given.has("instance"))
      throw new AppError("invalid_request", { message: "Give either --workspace or --instance" });
    const scope = workspaceId === undefined ? "instance" : { workspaceId };
    const { ruleId } = await switchRule(context, { scope, ruleId: given.text("rule"), mode });
    return { rule: ruleId, mode, ...(workspaceId === undefined ? { instance: true } : { workspace_id: workspaceId }) };
  },
});

export const ruleCommands: readonly Command[] = [
  {
    name: "rules list",
    summary: "List rules with how often they fired and their accuracy according to labels",
    options: { workspace: workspaceOption, ...rangeOptions },
    async run(context, given) {
      const { rules } = await listRules(context, {
        workspaceId: given.text("workspace"),
        ...readRange(context, given),
      });
      return {
        rules: rules.map(({ id, visits, observedVisits, precision, falseAccusations, observedBy }) => ({
          rule: id,
          visits,
          observed_visits: observedVisits,
          mode: observedBy.length > 0 ? "observe" : "enforce",
          ...shown("precision", precision),
          ...shown("false_accusations", falseAccusations),
        })),
      };
    },
  },
  switchCommand("observe", "Keep a rule's findings as evidence only, outside Reports, from now on"),
  switchCommand("enforce", "Include a rule's findings in Reports again"),
  replayCommand,
];
