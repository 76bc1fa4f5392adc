"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect } from "react";

import { LiveClient, readJson } from "@/components/shell/live-client";

const INTERVAL_MS = 3_000;

export type NewerAnswer = { count: number; hasMore: boolean };
/** The address that counts what is newer than the first Report that is shown. */
export type LiveTailProps = { newerPath: string };

function Tail({ newerPath }: LiveTailProps) {
  const router = useRouter();
  const { data, isError } = useQuery({
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
  const text = isError ? "the service did not answer" : count > 0 ? news : "checking every 3 s";
  return (
    <span role="status" className="text-xs text-fg-muted">
      {text}
    </span>
  );
}

/** Reads the list again when there is something new, every three seconds while the page can be seen. */
export default function LiveTail(props: LiveTailProps) {
  return (
    <LiveClient>
      <Tail {...props} />
    </LiveClient>
  );
}
