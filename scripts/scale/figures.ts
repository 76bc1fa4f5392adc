/** One kind of request: what the benches measured of it. Times in microseconds of a processor. */
export type RequestFigures = {
  /** Of the service. */
  serviceMicros: number;
  /** Requests a second with both processors of the machine busy: the database, and whoever asks, used what is left. */
  perSecond: number;
  /** Round trips to the database, and how many of them wait for a commit. */
  statements: number;
  commits: number;
};

/**
 * From docs/benchmarks.md, `npm run bench:http`, 5,000,000 stored events and one worker; the submission from the round of
 * 2026-11-25, with 10,000 events, which is the newest. The test beside this file fails when the document says something else.
 */
export const REQUESTS = {
  challenge: { serviceMicros: 189, perSecond: 5_625, statements: 1, commits: 0 },
  submission: { serviceMicros: 928, perSecond: 1_055, statements: 2, commits: 1 },
  delivery: { serviceMicros: 247, perSecond: 4_028, statements: 2, commits: 1 },
  reread: { serviceMicros: 157, perSecond: 6_657, statements: 1, commits: 0 },
} as const satisfies Record<string, RequestFigures>;

export type RequestKind = keyof typeof REQUESTS;
export const KINDS = ["challenge", "submission", "delivery", "reread"] as const satisfies readonly RequestKind[];

/** Processors of the machine of the benches. */
const BENCH_PROCESSORS = 2;

/** An upper bound of what the database takes: whoever asks ran on the same processors. */
export const databaseMicros = ({ perSecond, serviceMicros }: RequestFigures): number =>
  (BENCH_PROCESSORS * 1e6) / perSecond - serviceMicros;

/** From `npm run bench:storage`: bytes of a visit with everything, of those that stay, and of its write-ahead log. */
export const STORAGE = { freshBytes: 3_110, keptBytes: 1_630, logBytes: 5_900, freshDays: 30 } as const;

/** Each visit is a challenge, a submission, a first delivery and one more read. */
export const perVisit = (of: (figures: RequestFigures) => number): number =>
  KINDS.reduce((sum, kind) => sum + of(REQUESTS[kind]), 0);
