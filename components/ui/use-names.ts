"use client";

import { useEffect, useState } from "react";

type Named = { id: string; name: string };
type Names = { names: readonly Named[]; state: "loading" | "loaded" | "failed" };

/** What a route of this service lists by name; nothing while it loads, and if that fails. */
export function useNames(path: string): Names {
  const [read, setRead] = useState<Names>({ names: [], state: "loading" });
  useEffect(() => {
    const controller = new AbortController();
    const load = async () => {
      const answer = await fetch(path, { signal: controller.signal });
      if (!answer.ok) throw new Error(String(answer.status));
      const { names } = (await answer.json()) as { names: Named[] }; // safe: our own routes
      setRead({ names, state: "loaded" });
    };
    load().catch(() => {
      if (!controller.signal.aborted) setRead({ names: [], state: "failed" });
    });
    return () => {
      controller.abort();
    };
  }, [path]);
  return read;
}
