import { sourceFrame } from "@/lib/platform/source-frames";

const MAX_CAUSES = 8;
const MAX_FRAMES = 12;
/** Errors of one kind that are told with their frames in a second: finding and mapping these is what costs time. */
export const FRAMED_A_SECOND = 20;

/** What may be logged of a thrown value. */
export type ErrorSerializer = (thrown: unknown) => Record<string, unknown>;

const codeOf = (error: Error): string | undefined =>
  "code" in error && typeof error.code === "string" ? error.code : undefined;

/** A thrown value and its causes, the outermost first. */
function chainOf(thrown: unknown): unknown[] {
  const chain = [thrown];
  for (let at = thrown; at instanceof Error && at.cause !== undefined && chain.length < MAX_CAUSES; at = at.cause)
    chain.push(at.cause);
  return chain;
}

const kindOf = (thrown: unknown): string =>
  thrown instanceof Error ? `${thrown.name} ${codeOf(thrown) ?? ""}` : typeof thrown;

const framesOf = ({ stack }: Error): string[] | undefined =>
  stack
    ?.split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, MAX_FRAMES)
    .map(sourceFrame);

/** Errors whose `query` is the text of a statement of ours; Drizzle's is known by its parameters. */
const OF_STATEMENTS: ReadonlySet<string> = new Set(["PostgresError", "QueryDeadline"]);
/** Fields of a database error that name parts of the schema. */
const SCHEMA_FIELDS = ["table_name", "column_name", "constraint_name"];
const MAX_STATEMENT_CHARACTERS = 400;

const textOf = (error: Error, field: string): string | undefined => {
  const value: unknown = Reflect.get(error, field);
  return typeof value === "string" ? value : undefined;
};

/** The text of the statement that failed. Values travel as parameters; what looks like one in the text is left out too. */
function statementOf(error: Error): string | undefined {
  const query = OF_STATEMENTS.has(error.name) || "params" in error ? textOf(error, "query") : undefined;
  return query
    ?.replaceAll(/'(?:[^']|'')*'/g, "?")
    .replaceAll(/(?<![\w$.])\d+(?:\.\d+)?\b/g, "?")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, MAX_STATEMENT_CHARACTERS);
}

/**
 * The message of a database error can show values, and its parameters are values (key hashes among them): name,
 * SQLSTATE, statement, parts of the schema and stack frames are told.
 */
function describe(thrown: unknown, hasFrames: boolean): Record<string, unknown> {
  if (!(thrown instanceof Error)) return { name: typeof thrown };
  const isDatabaseError = "query" in thrown || "severity_local" in thrown;
  const code = codeOf(thrown);
  const statement = statementOf(thrown);
  const schema = isDatabaseError
    ? SCHEMA_FIELDS.flatMap((field) => {
        const value = textOf(thrown, field);
        return value === undefined ? [] : [[field, value] as const];
      })
    : [];
  return {
    name: thrown.name,
    ...(code === undefined ? {} : { code }),
    ...(isDatabaseError && thrown.name !== "QueryDeadline" ? {} : { message: thrown.message }),
    ...(statement === undefined ? {} : { statement }),
    ...Object.fromEntries(schema),
    ...(hasFrames ? { frames: framesOf(thrown) } : {}),
  };
}

/** An error with its cause. The driver's own error names the statement once more. */
function causedBy({ statement, ...cause }: Record<string, unknown>, error: Record<string, unknown>) {
  const isSaid = statement === undefined || statement === error["statement"];
  return { ...error, cause: isSaid ? cause : { statement, ...cause } };
}

/**
 * Every error is told with its names, codes and messages, but with frames only while its kind is not frequent: in an
 * outage all requests fail alike, and the service has to go on answering.
 */
export function createErrorSerializer(): ErrorSerializer {
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
    return told.reduceRight(causedBy);
  };
}
