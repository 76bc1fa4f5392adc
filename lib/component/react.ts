import { useCallback, useEffect, useMemo, useRef, useState } from "react";

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

/** Runs the component on demand and keeps the outcome of the last run. Nothing happens while rendering. */
export function useImprint(options: ImprintOptions): UseImprint {
  const [state, setState] = useState<State>({ status: "idle", imprint: null, error: null });
  // Untyped pages pass anything: the client refuses it.
  const { environmentId, endpoint, storage, timeoutMs } = Object(options) as Partial<ImprintOptions>;
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  // Made anew when one of the options changes, by the first run, which is in the browser; a wrong option then becomes `error` instead of breaking the page.
  const needsConsent = "consent" in Object(options);
  const client = useMemo(() => {
    let made: ImprintClient | undefined;
    const consent = () => {
      const given = latest.current.consent;
      return typeof given === "function" ? given() : (given ?? false);
    };
    return () => (made ??= createImprint(needsConsent ? { ...latest.current, consent } : latest.current));
  }, [environmentId, endpoint, storage, timeoutMs, needsConsent]);
  const run = useCallback(
    (options?: RunOptions) => {
      setState({ status: "running", imprint: null, error: null });
      const running = (async () => client().run(options))();
      running.then(
        ({ imprint }) => {
          setState({ status: "done", imprint, error: null });
        },
        (error: unknown) => {
          setState({ status: "failed", imprint: null, error: error as ImprintError });
        },
      );
      return running;
    },
    [client],
  );
  return { ...state, run };
}
