import { sourceFrame } from "@/lib/source-frames";

const MOST_CAUSES = 8;
const MOST_FRAMES = 12;
/** Errors of one kind that are told with their frames in a second: finding and mapping these is what costs time. */
export const FRAMED_A_SECOND = 20;

/** What may be logged of a thrown value. */
export type TellError = (thrown: unknown) => Record<string, unknown>;

const codeOf = (error: Error): string | undefined =>
  "code" in error && typeof error.code === "string" ? error.code : undefined;

/** A thrown value and its causes, the outermost first. */
function chainOf(thrown: unknown): unknown[] {
  const chain = [thrown];
  for (let at = thrown; at instanceof Error && at.cause !== undefined && chain.length < MOST_CAUSES; at = at.cause)
    chain.push(at.cause);
  return chain;
}

const kindOf = (thrown: unknown): string =>
  thrown instanceof Error ? `${thrown.name} ${codeOf(thrown) ?? ""}` : typeof thrown;

const framesOf = ({ stack }: Error): string[] | undefined =>
  stack
    ?.split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, MOST_FRAMES)
    .map(sourceFrame);

/**
 * Database errors print their statement and its parameters (key hashes among them), so only name, SQLSTATE and stack
 * frames survive.
 */
function describe(thrown: unknown, hasFrames: boolean): Record<string, unknown> {
  if (!(thrown instanceof Error)) return { name: typeof thrown };
  const isDatabaseError = "query" in thrown || "severity_local" in thrown || thrown.name === "DrizzleQueryError";
  const code = codeOf(thrown);
  return {
    name: thrown.name,
    ...(code === undefined ? {} : { code }),
    ...(isDatabaseError ? {} : { message: thrown.message }),
    ...(hasFrames ? { frames: framesOf(thrown) } : {}),
  };
}

/**
 * Every error is told with its names, codes and messages, but with frames only while its kind is not frequent: in an
 * outage all requests fail alike, and the service has to go on answering.
 */
export function createErrorTeller(): TellError {
  const framed = new Map<string, number>();
  let second = 0;
  return (thrown) => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) framed.clear();
    second = now;
    const chain = chainOf(thrown);
    const kind = chain.map(kindOf).join(" < ");
    const count = (framed.get(kind) ?? 0) + 1;
    framed.set(kind, count);
    const told = chain.map((each) => describe(each, count <= FRAMED_A_SECOND));
    return told.reduceRight((cause, each) => ({ ...each, cause }));
  };
}
