"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect } from "react";

import { failureText, LiveClient, readJson } from "@/components/shell/live-client";

const INTERVAL_MS = 3_000;

export type NewerAnswer = { count: number; hasMore: boolean };
/** The route that counts Reports newer than the first one of the list. */
export type LiveTailProps = { newerPath: string };

function Tail({ newerPath }: LiveTailProps) {
  const router = useRouter();
  const { data, error } = useQuery({
    queryKey: ["newer-reports", newerPath],
    queryFn: ({ signal }) => readJson<NewerAnswer>(newerPath, signal),
    retry: false,
    refetchInterval: INTERVAL_MS,
  });
  const count = data?.count ?? 0;
  useEffect(() => {
    if (count > 0) router.refresh();
  }, [count, newerPath, router]);
  const news = `${count}${data?.hasMore ? " or more" : ""} new`;
  const text = error ? failureText(error) : count > 0 ? news : "checking every 3 s";
  return (
    <span role="status" className="text-xs text-fg-muted">
      {text}
    </span>
  );
}

/** Polls every three seconds while the page is visible, and refreshes the list when there are new Reports. */
export default function LiveTail(props: LiveTailProps) {
  return (
    <LiveClient>
      <Tail {...props} />
    </LiveClient>
  );
}
