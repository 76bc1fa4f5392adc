import { CircleCheck, CircleX, TriangleAlert } from "lucide-react";

import { cn } from "@/components/ui/class-names";
import { counted } from "@/components/ui/counted";
import { Panel } from "@/components/ui/panel";
import type { CheckResult } from "@/lib/operations/instance";
import { ADMIN_COMMAND } from "@/lib/platform/program";

type Status = CheckResult["status"];

const STATES = {
  ok: { Icon: CircleCheck, className: "bg-pass-bg text-pass", mark: "fine" },
  warn: { Icon: TriangleAlert, className: "bg-susp-bg text-susp", mark: "needs attention" },
  fail: { Icon: CircleX, className: "bg-dec-bg text-dec", mark: "broken" },
} as const;

function verdictText(broken: number, attention: number): string {
  if (broken === 0 && attention === 0) return "This instance is healthy";
  const parts = [
    broken > 0 && `${counted(broken, "thing")} ${broken === 1 ? "is" : "are"} broken`,
    attention > 0 &&
      `${broken > 0 ? attention : counted(attention, "thing")} ${attention === 1 ? "needs" : "need"} attention`,
  ];
  return parts.filter((part) => part !== false).join(", ");
}

function FactList({ facts }: { facts: readonly CheckResult[] }) {
  return (
    <ul>
      {facts.map(({ name, status, text, fix }) => {
        const { Icon, className, mark } = STATES[status];
        return (
          <li key={name} className="flex gap-3 border-b px-4 py-2 last:border-b-0">
            <span className={cn("mt-px flex size-5.5 shrink-0 items-center justify-center rounded-full", className)}>
              <Icon aria-hidden className="size-3.5" />
              <span className="sr-only">{mark}:</span>
            </span>
            <div className="min-w-0 flex-1 sm:flex sm:gap-3">
              <span className="block w-32 shrink-0 font-mono text-xs leading-5">{name}</span>
              <p className="min-w-0 wrap-anywhere">
                {text}
                {fix === undefined ? null : <span className="block text-fg-muted">{fix}</span>}
              </p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}

/** One verdict over all checks, then problems, worst first; the others behind a disclosure. */
export function Health({ facts }: { facts: readonly CheckResult[] }) {
  const of = (status: Status) => facts.filter((fact) => fact.status === status);
  const [broken, attention, fine] = [of("fail"), of("warn"), of("ok")];
  const { Icon, className } = STATES[broken.length > 0 ? "fail" : attention.length > 0 ? "warn" : "ok"];
  return (
    <Panel
      id="health"
      title="Health"
      aside={
        <>
          the same as <code className="font-mono text-xs">{ADMIN_COMMAND} doctor</code>
        </>
      }
    >
      <p className={cn("flex items-center gap-2.5 px-4 py-3 text-base font-semibold", className)}>
        <Icon aria-hidden className="size-5" />
        {verdictText(broken.length, attention.length)}
      </p>
      <FactList facts={[...broken, ...attention]} />
      <details className="border-t">
        <summary className="px-4 py-2 text-fg-muted">{counted(fine.length, "check")} found nothing to do</summary>
        <FactList facts={fine} />
      </details>
    </Panel>
  );
}
