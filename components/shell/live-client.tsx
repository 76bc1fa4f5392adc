"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";

/** What React Query keeps for one part of a page that is read again by itself. */
export function LiveClient({ children }: { children: ReactNode }) {
  const [client] = useState(() => new QueryClient());
  useEffect(
    () => () => {
      client.clear();
    },
    [client],
  );
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

/** Reads JSON of this service; fails unless the answer is a success. The route answers what `Answer` says. */
export async function readJson<Answer>(path: string, signal: AbortSignal): Promise<Answer> {
  const answer = await fetch(path, { signal });
  if (!answer.ok) throw new Error(String(answer.status));
  return (await answer.json()) as Answer; // safe: each route's answer is typed where it is made
}
