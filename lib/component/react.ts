import { useCallback, useInsertionEffect, useMemo, useRef, useState } from "react";

import type { ImprintClient, ImprintError, ImprintOptions, ImprintResult, RunOptions } from "./api";
import { createImprint } from "./entry-package";

export type UseImprint = {
  /** As `run()` of the client. A rejection that nobody handles is no unhandled rejection: `error` has it too. */
  run: (options?: RunOptions) => Promise<ImprintResult>;
  status: "idle" | "running" | "done" | "failed";
  imprint: string | null;
  error: ImprintError | null;
};

type State = Omit<UseImprint, "run">;

const IDLE: State = { status: "idle", imprint: null, error: null };

/** A client that the first run makes, which is in the browser; a wrong option then is an error of that run. */
type LazyClient = { open: () => ImprintClient; latestRun?: Promise<ImprintResult> };

/** Runs the component on demand and keeps the outcome of the last run, under the options that hold now. Nothing happens while rendering. */
export function useImprint(options: ImprintOptions): UseImprint {
  // Untyped pages pass anything: the client refuses it.
  const { environmentId, endpoint, storage, timeoutMs } = Object(options) as Partial<ImprintOptions>;
  const latest = useRef(options);
  const needsConsent = "consent" in Object(options);
  const client = useMemo((): LazyClient => {
    let made: ImprintClient | undefined;
    const consent = () => {
      const given = latest.current.consent;
      return typeof given === "function" ? given() : (given ?? false);
    };
    return {
      open: () => (made ??= createImprint(needsConsent ? { ...latest.current, consent } : latest.current)),
    };
  }, [environmentId, endpoint, storage, timeoutMs, needsConsent]);
  const current = useRef(client);
  // Ahead of every effect that may run the component, those of children included.
  useInsertionEffect(() => {
    latest.current = options;
    current.current = client;
  });
  const [shown, setShown] = useState({ client, state: IDLE });
  const run = useCallback(
    (runOptions?: RunOptions) => {
      const running = (async () => client.open().run(runOptions))();
      client.latestRun = running;
      const show = (state: State) => {
        // What a later run or other options have overtaken is for its caller alone.
        if (client.latestRun === running && current.current === client) setShown({ client, state });
      };
      show({ status: "running", imprint: null, error: null });
      running.then(
        ({ imprint }) => {
          show({ status: "done", imprint, error: null });
        },
        (error: unknown) => {
          show({ status: "failed", imprint: null, error: error as ImprintError });
        },
      );
      return running;
    },
    [client],
  );
  return { ...(shown.client === client ? shown.state : IDLE), run };
}
