"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
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
