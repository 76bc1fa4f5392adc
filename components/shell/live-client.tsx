"use client";

import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";

/** A React Query client for one polled part of a page. */
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

const SIGNED_OUT = "401";

/** Message for a failed request. */
export const failureText = ({ message }: Error): string =>
  message === SIGNED_OUT ? "you are signed out: reload the page" : "the service did not answer";

/** Fetches JSON from this service; throws an error with the status unless the response is a success. */
export async function readJson<Answer>(path: string, signal: AbortSignal): Promise<Answer> {
  const answer = await fetch(path, { signal });
  if (!answer.ok) throw new Error(String(answer.status));
  return (await answer.json()) as Answer; // safe: each route types its answer
}

/** Reads `path` every `intervalMs` while the page is visible, until an answer is the last. */
export function usePolled<Answer>(
  path: string,
  initial: Answer,
  intervalMs: number,
  isLast: (answer: Answer) => boolean = () => false,
) {
  const {
    data = initial,
    error,
    refetch,
  } = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => readJson<Answer>(path, signal),
    retry: false,
    refetchInterval: ({ state }) => (state.data !== undefined && isLast(state.data) ? false : intervalMs),
  });
  return { data, error, refetch };
}
