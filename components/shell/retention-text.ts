import { counted } from "@/components/ui/counted";

type Kept = { retentionDays: number | null; keptDays: number };

/** Retention of visits in words: a workspace's own is applied per visit, the instance's by dropping months. */
export function retentionText({ retentionDays, keptDays }: Kept): string {
  const days = counted(keptDays, "day");
  return retentionDays === null ? `${days}, then dropped by whole months` : `${days}, then deleted within the hour`;
}
