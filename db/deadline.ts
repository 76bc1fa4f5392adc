import type { Sql, TransactionSql } from "postgres";

import { AppError } from "@/lib/contract/errors";
import { SILENCE_MS, STATEMENT_DEADLINE_MS, TRANSACTION_DEADLINE_MS } from "./deadlines";
import { rebuildQueues } from "./driver-queues";
import { compactRows } from "./driver-rows";
import { statementObserver } from "./observe";
import { refuseUnwritable } from "./parameters";
import type { Pipelines } from "./pipelines";
import type { Routing } from "./routing";
import { statementName } from "./statement-name";

type Pending = PromiseLike<unknown> & { values: () => PromiseLike<unknown> };
type Failed = (error: unknown) => void;
const IGNORED: Failed = () => undefined;
type Options = {
  /** Named prepared statements for every query. */
  prepare: boolean;
  /** Called with the statement for each round trip to the server. */
  onRoundTrip: (statement: string, parameters: readonly unknown[]) => void;
  /** Called with the error of each statement and transaction that failed. */
  onFailure: Failed;
  /** Called when nothing has come for a sent statement for longer than the server works on one. */
  onSilence?: (() => void) | undefined;
  pipelines?: Pipelines | undefined;
  routing: Routing;
};

/**
 * Settles as `work` does, or rejects at the deadline. The outcome is then unknown, so only idempotent work may be
 * retried. After some connection failures the driver never settles its queries (porsager/postgres issue 1186): every
 * wait is bounded here.
 */
function within<T>(
  milliseconds: number,
  work: PromiseLike<T>,
  { onFailure, statement, onLate }: { onFailure: Failed; statement?: string; onLate?: (() => void) | undefined },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const late = new Error(`no answer within ${milliseconds} ms`);
      // The log contains the statement of an error with this name.
      if (statement !== undefined) Object.assign(late, { name: "QueryDeadline", query: statement });
      reject(new AppError("service_unavailable", { cause: late }));
      onLate?.();
    }, milliseconds);
    const clear = () => {
      clearTimeout(timer);
    };
    work.then(resolve, reject);
    work.then(clear, (error: unknown) => {
      clear();
      onFailure(error);
    });
  });
}

/** Tells the observer, if there is one, of work on the database and its end. */
function observed<T>(statement: string, work: Promise<T>): Promise<T> {
  const ended = statementObserver()?.sent(statementName(statement));
  if (ended)
    work.then(
      () => {
        ended();
      },
      (error: unknown) => {
        ended(error);
      },
    );
  return work;
}

/** The rows of a query, under its deadline. */
const rowsOf = (
  query: PromiseLike<unknown>,
  statement: string,
  { onFailure, onLate }: { onFailure: Failed; onLate?: () => void },
): Promise<unknown> =>
  observed(statement, within(STATEMENT_DEADLINE_MS, query, { statement, onFailure, onLate }).then(compactRows));

/** Notes, once, how long something waited for a connection. */
function waiting(): (() => void) | undefined {
  const observer = statementObserver();
  if (!observer) return undefined;
  const since = performance.now();
  return () => {
    observer.waited((performance.now() - since) / 1000);
  };
}

/**
 * What the driver calls when it sends a query on a connection; whether it may send another one before the answer. Not
 * where queries are unprepared: a pooler such as PgBouncer 1.18 lends the server connection to another client as soon as
 * it has answered, though the next query was begun, and two clients' statements and parameters mix.
 */
function onExecute(prepare: boolean, onSent: () => void): (connection: Parameters<typeof rebuildQueues>[0]) => boolean {
  const sent = waiting();
  return (connection) => {
    sent?.();
    onSent();
    rebuildQueues(connection);
    return prepare;
  };
}

/** A query that is sent when it is awaited, as the driver's own queries are. */
function boundQuery(query: Pending, statement: string, ends: { onFailure: Failed; onLate?: () => void }) {
  return {
    values: () => rowsOf(query.values(), statement, ends),
    then: (onDone?: (value: unknown) => unknown, onFail?: (reason: unknown) => unknown) =>
      rowsOf(query, statement, ends).then(onDone, onFail),
  };
}

/** A query that is not sent. */
const refused = (refusal: TypeError): Pending => ({
  values: () => Promise.reject(refusal),
  then: (onDone, onFail) => Promise.reject(refusal).then(onDone, onFail),
});

type Callback = (sql: TransactionSql) => Promise<unknown>;

/**
 * The client with a deadline on every statement and transaction; if there are pipelines, with `unsafeShort` for pipelined
 * statements, and `unsafeThrough` for those over the pipelines of another server. Drizzle calls the driver through
 * `unsafe`, `begin` and `savepoint` only.
 */
export function withDeadlines<T extends Sql | TransactionSql>(client: T, options: Options): T {
  const { prepare, onRoundTrip, onFailure, onSilence, pipelines, routing } = options;
  const through = (used: Pipelines, failed: Failed) => (text: string, parameters: never[]) => {
    const refusal = refuseUnwritable(parameters);
    if (refusal) return Promise.reject(refusal);
    onRoundTrip(text, parameters);
    return {
      then: (onDone?: (value: unknown) => unknown, onFail?: (reason: unknown) => unknown) =>
        rowsOf(used.send(text, parameters, { prepare }), text, { onFailure: failed }).then(onDone, onFail),
    };
  };
  const unsafeShort = pipelines && through(pipelines, onFailure);
  // What fails there says nothing of the connections to the coordinator.
  const unsafeThrough = pipelines && ((other: Pipelines) => through(other, IGNORED));
  const query = (text: string, parameters: never[]) => {
    let sentAt = Number.POSITIVE_INFINITY;
    const onexecute = onExecute(prepare, () => {
      sentAt = performance.now();
    });
    const queryOptions = { prepare, onexecute };
    const onLate = () => {
      if (performance.now() - sentAt > SILENCE_MS) onSilence?.();
    };
    return boundQuery(client.unsafe(text, parameters, queryOptions) as Pending, text, { onFailure, onLate });
  };
  return new Proxy(client, {
    get(target, property, receiver) {
      if (property === "unsafeShort") return unsafeShort;
      if (property === "unsafeThrough") return unsafeThrough;
      if (property === "routing") return routing;
      if (property === "unsafeUncounted") return query;
      if (property === "unsafe") {
        return (text: string, parameters: never[]) => {
          const refusal = refuseUnwritable(parameters);
          if (refusal) return boundQuery(refused(refusal), text, { onFailure });
          onRoundTrip(text, parameters);
          return query(text, parameters);
        };
      }
      if (property === "begin") {
        return (run: Callback) => {
          onRoundTrip("begin", []);
          onRoundTrip("commit", []);
          const begun = waiting();
          return within(
            TRANSACTION_DEADLINE_MS,
            (target as Sql).begin((sql) => {
              begun?.();
              return run(withDeadlines(sql, { prepare, onRoundTrip, onFailure, onSilence, routing }));
            }),
            { onFailure },
          );
        };
      }
      if (property === "savepoint") {
        return (run: Callback) => (target as TransactionSql).savepoint((sql) => run(withDeadlines(sql, options)));
      }
      return Reflect.get(target, property, receiver);
    },
  });
}
