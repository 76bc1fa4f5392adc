import { REASON_COPY } from "@/components/report/reason-copy";
import { RiskBadge } from "@/components/report/risk-badge";
import { REASONS } from "@/lib/contract/report";

export const metadata = { title: "Reasons", alternates: { types: { "text/markdown": "/docs/reasons.md" } } };

const VERDICTS = [
  { status: "PASS", text: "Nothing needs attention." },
  {
    status: "SUSPICIOUS",
    text: "Something needs attention; weigh it with what you know of the account and the business.",
  },
  { status: "DECEPTIVE", text: "Clear signs of disguise, automation or a high-risk network." },
] as const;

export default function ReasonsPage() {
  return (
    <article className="prose">
      <h1>Reasons</h1>
      <p>
        A Report has one verdict and the findings behind it. Each finding is a category and its own severity. Imprint
        explains and never recommends an action: the decision is yours.
      </p>
      <h2 id="verdicts">Verdicts</h2>
      <ul className="list-none! p-0!">
        {VERDICTS.map(({ status, text }) => (
          <li key={status} className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <span className="w-28 shrink-0">
              <RiskBadge status={status} />
            </span>
            <span className="min-w-0 flex-1 basis-60">
              <code>{status}</code> {text}
            </span>
          </li>
        ))}
      </ul>
      <h2 id="findings">Findings</h2>
      {REASONS.map((reason) => {
        const { title, meaning, harmlessCauses } = REASON_COPY[reason];
        return (
          <section key={reason} aria-labelledby={reason} className="border-t pt-4">
            <h3 id={reason} className="mt-0!">
              {title}
            </h3>
            <p className="font-mono text-xs text-fg-muted">{reason}</p>
            <p className="mt-1">{meaning}</p>
            <p className="mt-1 text-fg-muted">Also seen with: {harmlessCauses}.</p>
          </section>
        );
      })}
    </article>
  );
}
