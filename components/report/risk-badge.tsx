import { CircleCheck, OctagonX, TriangleAlert } from "lucide-react";

import type { ReportStatus } from "@/lib/contract/report";
import { cn } from "@/components/ui/class-names";

const LOOK = {
  PASS: { word: "Pass", Icon: CircleCheck, tint: "bg-pass-bg text-pass", text: "text-pass" },
  SUSPICIOUS: { word: "Suspicious", Icon: TriangleAlert, tint: "bg-susp-bg text-susp", text: "text-susp" },
  DECEPTIVE: { word: "Deceptive", Icon: OctagonX, tint: "bg-dec-bg text-dec", text: "text-dec" },
} as const;

export const riskWord = (status: ReportStatus): string => LOOK[status].word;

/** The verdict as shape, word and colour. */
export function RiskBadge({ status, size = "sm" }: { status: ReportStatus; size?: "sm" | "lg" }) {
  const { word, Icon, tint } = LOOK[status];
  return (
    <span
      className={cn(
        "badge inline-flex items-center rounded-md font-medium",
        size === "sm" ? "h-5.5 gap-1 px-1.5 text-xs" : "h-7.5 gap-1.5 px-3 text-base",
        tint,
      )}
    >
      <Icon aria-hidden className={size === "sm" ? "size-3.5" : "size-4"} />
      {word}
    </span>
  );
}

export function RiskIcon({ status }: { status: ReportStatus }) {
  const { word, Icon, text } = LOOK[status];
  return <Icon role="img" aria-label={word} className={cn("size-4 shrink-0", text)} />;
}
