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
  /** Use named prepared statements for every query. */
  prepare: boolean;
  /** Called with the SQL of each round trip to the server. */
  onRoundTrip: (statement: string, parameters: readonly unknown[]) => void;
  /** Called with the error of every failed statement and transaction. */
  onFailure: Failed;
  /** Called when a sent statement has had no answer for longer than the server's own statement timeout. */
  onSilence?: (() => void) | undefined;
  pipelines?: Pipelines | undefined;
  routing: Routing;
};

/**
 * Settles as `work` does, or rejects at the deadline. The outcome is then unknown, so only idempotent work may be
 * retried. After some connection failures the driver never settles its queries (porsager/postgres issue 1186), so every
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
      // Errors with this name are logged with their SQL.
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

/** Reports the start and end of a statement to the observer, if there is one. */
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

/** The rows of a query, subject to the statement deadline. */
const rowsOf = (
  query: PromiseLike<unknown>,
  statement: string,
  { onFailure, onLate }: { onFailure: Failed; onLate?: () => void },
): Promise<unknown> =>
  observed(statement, within(STATEMENT_DEADLINE_MS, query, { statement, onFailure, onLate }).then(compactRows));

/** Returns a function that reports, once, how long something waited for a connection. */
function waiting(): (() => void) | undefined {
  const observer = statementObserver();
  if (!observer) return undefined;
  const since = performance.now();
  return () => {
    observer.waited((performance.now() - since) / 1000);
  };
}

/**
 * The driver's `onexecute` callback, called when it sends a query on a connection. Returns whether the driver may send
 * another query before the answer. That is unsafe for unprepared queries: a pooler such as PgBouncer 1.18 assigns the
 * server connection to another client as soon as it has answered, even if the next query has already started, and the
 * statements and parameters of two clients mix.
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

/** A query that is sent when it is awaited, like the driver's own queries. */
function boundQuery(query: Pending, statement: string, ends: { onFailure: Failed; onLate?: () => void }) {
  return {
    values: () => rowsOf(query.values(), statement, ends),
    then: (onDone?: (value: unknown) => unknown, onFail?: (reason: unknown) => unknown) =>
      rowsOf(query, statement, ends).then(onDone, onFail),
  };
}

/** A query that rejects without being sent. */
const refused = (refusal: TypeError): Pending => ({
  values: () => Promise.reject(refusal),
  then: (onDone, onFail) => Promise.reject(refusal).then(onDone, onFail),
});

type Callback = (sql: TransactionSql) => Promise<unknown>;

/**
 * Wraps the client so that every statement and transaction has a deadline. With pipelines, adds `unsafeShort` for
 * pipelined statements and `unsafeThrough` for statements over another server's pipelines. Drizzle calls the driver
 * through `unsafe`, `begin` and `savepoint` only.
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
  // Failures there say nothing about the connections to the coordinator.
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
