import { sourceFrame } from "@/lib/platform/source-frames";

const MAX_CAUSES = 8;
const MAX_FRAMES = 12;
/** Errors of one kind per second that are logged with stack frames: source mapping is expensive. */
export const MAX_FRAMED_PER_SECOND = 20;

/** Serialises a thrown value without secrets. */
export type ErrorSerializer = (thrown: unknown) => Record<string, unknown>;

const codeOf = (error: Error): string | undefined =>
  "code" in error && typeof error.code === "string" ? error.code : undefined;

/** A thrown value followed by its causes, outermost first. */
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

/** Errors whose `query` is SQL. Drizzle's errors are recognised by their `params`. */
const STATEMENT_ERRORS: ReadonlySet<string> = new Set(["PostgresError", "QueryDeadline"]);
/** Database error fields that name schema objects. */
const SCHEMA_FIELDS = ["table_name", "column_name", "constraint_name"];
const MAX_STATEMENT_CHARACTERS = 400;

const textOf = (error: Error, field: string): string | undefined => {
  const value: unknown = Reflect.get(error, field);
  return typeof value === "string" ? value : undefined;
};

/** SQL of the failed statement. Values are bind parameters; literals in the SQL are replaced too. */
function statementOf(error: Error): string | undefined {
  const query = STATEMENT_ERRORS.has(error.name) || "params" in error ? textOf(error, "query") : undefined;
  return query
    ?.replaceAll(/'(?:[^']|'')*'/g, "?")
    .replaceAll(/(?<![\w$.])\d+(?:\.\d+)?\b/g, "?")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, MAX_STATEMENT_CHARACTERS);
}

/**
 * Logs only the name, SQLSTATE, SQL, schema object names and stack frames of a database error: its message and parameters
 * can contain values, such as key hashes.
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

/** Nests a cause in its error. Drizzle and the driver report the same SQL; it is kept once. */
function causedBy({ statement, ...cause }: Record<string, unknown>, error: Record<string, unknown>) {
  const isRepeated = statement === undefined || statement === error["statement"];
  return { ...error, cause: isRepeated ? cause : { statement, ...cause } };
}

/**
 * Every error is logged with its name, code and message, but stack frames are limited to `MAX_FRAMED_PER_SECOND` per
 * kind: in an outage every request fails the same way, and the service must keep answering.
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
    const serialized = chain.map((each) => describe(each, count <= MAX_FRAMED_PER_SECOND));
    return serialized.reduceRight(causedBy);
  };
}
