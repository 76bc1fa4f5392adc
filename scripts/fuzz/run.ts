import { buildApiRequest } from "./api-requests";
import { type Draw, drawOf } from "./draw";
import { validateAnswer } from "./validate-answer";
import { buildMcpRequest } from "./mcp-requests";
import { buildOauthRequest } from "./oauth-requests";
import { buildActionRequest, buildAuthRequest, buildPageRequest } from "./page-requests";
import { type Builder, CHALLENGE_MARK, type FuzzRequest } from "./request";
import { asCurl, openWire, type Wire } from "./wire";
import type { Fixtures } from "./fixtures";
import { inParallel, integers } from "../common/in-parallel";

const CONNECTIONS = 16;
const PROGRESS_EVERY = 250;
/** Maximum number of findings of one kind that are kept with their requests. */
const MAX_OF_A_KIND = 8;
const MAX_FINDINGS = 200;
/** Characters of an answer shown with a finding. */
const MAX_SHOWN = 400;

/** Shares of the request kinds, in per cent. */
const SHARES: readonly [number, Builder][] = [
  [48, buildApiRequest],
  [10, buildMcpRequest],
  [12, buildOauthRequest],
  [16, buildPageRequest],
  [8, buildActionRequest],
  [6, buildAuthRequest],
];

export type Finding = {
  request: number;
  operation: string;
  faults: string[];
  status: number;
  answer: string;
  curl: string;
};
type Row = { operation: string; requests: number; statuses: Record<string, number> };
export type Summary = {
  seed: number;
  requests: number;
  seconds: number;
  rows: Row[];
  findings: Finding[];
  /** Number of all findings, including those similar to one in `findings`. */
  found: number;
  /** Operations and tools that never succeeded, so that nothing behind them was reached. */
  unreached: string[];
};

function choose(draw: Draw): Builder {
  let at = draw.below(100);
  for (const [share, builder] of SHARES) {
    if (at < share) return builder;
    at -= share;
  }
  return buildApiRequest;
}

/** Request number `index` of a seed; identical in every run except for ids assigned by the service. */
function buildRequest(seed: number, index: number, fixtures: Fixtures): FuzzRequest {
  const draw = drawOf(seed, index);
  return choose(draw)(draw, fixtures);
}

/** Requests the challenge that a submission needs. */
async function withChallenge(wire: Wire, request: FuzzRequest): Promise<FuzzRequest> {
  if (!request.challenge) return request;
  const { environmentId, origin } = request.challenge;
  const from = request.headers.filter(([name]) => name === "X-Forwarded-For").slice(0, 1);
  const body = Buffer.from(JSON.stringify({ environment_id: environmentId }));
  const headers: [string, string][] = [...from, ["Origin", origin]];
  const { text } = await wire.send({ method: "POST", path: "/api/v1/imprints/challenge", headers, body });
  const challenge = /"challenge":"([^"]+)"/.exec(text)?.[1] ?? CHALLENGE_MARK;
  return {
    ...request,
    body: Buffer.from((request.body?.toString("latin1") ?? "").replace(CHALLENGE_MARK, challenge), "latin1"),
  };
}

/** A fault without the parts that vary between requests. */
const kindOf = (fault: string): string => fault.replaceAll(/"[^"]*"|\d+|\/\S*/g, "…").slice(0, 80);

/** Counts answers and keeps a few findings of each kind. */
function createTally() {
  const rows = new Map<string, Row>();
  const kinds = new Map<string, number>();
  const findings: Finding[] = [];
  let found = 0;
  return {
    rows,
    findings,
    found: () => found,
    count({ operation }: FuzzRequest, status: number) {
      const row = rows.get(operation) ?? { operation, requests: 0, statuses: {} };
      row.requests += 1;
      row.statuses[status] = (row.statuses[status] ?? 0) + 1;
      rows.set(operation, row);
    },
    find(finding: Finding) {
      found += 1;
      const kind = finding.faults.map(kindOf).join(" ");
      const known = kinds.get(kind) ?? 0;
      kinds.set(kind, known + 1);
      if (known < MAX_OF_A_KIND && findings.length < MAX_FINDINGS) findings.push(finding);
    },
  };
}

const hasSucceeded = (row: Row | undefined): boolean =>
  Object.keys(row?.statuses ?? {}).some((status) => status.startsWith("2"));

function unreachedOf(fixtures: Fixtures, rows: ReadonlyMap<string, Row>): string[] {
  const paid = ["createTrialIntent", "activateTrialIntent", "readTrialIntent", "readTrialGrant", "buyTrial"];
  const names = [...fixtures.published.operations.map(({ id }) => id), ...fixtures.tools.map(({ name }) => name)];
  return names.filter(
    (name) => !hasSucceeded(rows.get(name)) && (fixtures.trial !== undefined || !paid.includes(name)),
  );
}

type Options = {
  seed: number;
  requests: number;
  /** Number of the first request. */
  from?: number | undefined;
  onProgress: (text: string) => void;
  /** Called with the request id that the service logs. */
  onAnswer?: (requestId: string, index: number, request: FuzzRequest) => void;
};

/** Sends the requests of a seed with some concurrency, and checks every answer. */
export async function runFuzz(
  fixtures: Fixtures,
  { seed, requests, from = 0, onProgress, onAnswer }: Options,
): Promise<Summary> {
  const wire = openWire(fixtures.base, CONNECTIONS);
  const tally = createTally();
  const startedAt = performance.now();
  const sendOne = async (index: number) => {
    const request = await withChallenge(wire, buildRequest(seed, index, fixtures));
    const answer = await wire.send(request);
    tally.count(request, answer.status);
    onAnswer?.(answer.headers.get("x-request-id") ?? "", index, request);
    const faults = [...new Set(validateAnswer(request, answer, fixtures))];
    if (faults.length === 0) return;
    const { status, text } = answer;
    const curl = asCurl(fixtures.base, request);
    tally.find({
      request: index,
      operation: request.operation,
      faults,
      status,
      answer: text.slice(0, MAX_SHOWN),
      curl,
    });
  };
  await inParallel(CONNECTIONS, integers(requests, from), async (index) => {
    await sendOne(index);
    if ((index + 1) % PROGRESS_EVERY === 0)
      onProgress(`${index + 1 - from} of ${requests} requests, ${tally.found()} findings`);
  });
  wire.close();
  const rows = [...tally.rows.values()].sort((a, b) => a.operation.localeCompare(b.operation));
  return {
    seed,
    requests,
    seconds: (performance.now() - startedAt) / 1000,
    rows,
    findings: tally.findings,
    found: tally.found(),
    unreached: unreachedOf(fixtures, tally.rows),
  };
}
