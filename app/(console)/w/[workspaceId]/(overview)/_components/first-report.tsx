import { Check } from "lucide-react";
import { Link } from "@/components/ui/link";
import type { ReactNode } from "react";

import { CodeTabs } from "@/components/ui/code-tabs";
import { PageHeader } from "@/components/ui/panel";
import type { Code } from "@/lib/interfaces/documents";

type Step = { title: string; aside?: ReactNode; children: ReactNode; isDone: boolean };

function StepRow({ step, number }: { step: Step; number: number }) {
  return (
    <li className="flex gap-4 border-b p-4 last:border-b-0">
      {step.isDone ? (
        <span className="mt-px flex size-5.5 shrink-0 items-center justify-center rounded-full bg-pass-bg text-pass">
          <Check aria-hidden className="size-3" strokeWidth={3} />
          <span className="sr-only">Done:</span>
        </span>
      ) : (
        <span className="mt-px flex size-5.5 shrink-0 items-center justify-center rounded-full bg-accent text-xs font-semibold text-accent-fg">
          {number}
        </span>
      )}
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap justify-between gap-x-4">
          <h2 className="font-semibold">{step.title}</h2>
          {step.aside ? <p className="text-fg-muted">{step.aside}</p> : null}
        </div>
        {step.children}
      </div>
    </li>
  );
}

const HINTS = [
  {
    title: "Protect the list",
    text: "Only the origins you name may submit. Refused ones are shown here for 24 hours.",
  },
  {
    title: "Send the account",
    text: "Add X-Account-Ref to the Report request to see accounts per device. Never an e-mail address.",
  },
  { title: "Invite your team", text: "Analysts read reports; seeing addresses is a permission of its own." },
];

type Props = {
  /** Code samples for a page and a server, with the Web App's environment id filled in. */
  samples: { page: readonly Code[]; server: readonly Code[] };
  webApp: { name: string; environmentId: string; origins: readonly string[] } | undefined;
  apiKey: { name: string; shown: string; createdBy: string; createdAt: ReactNode } | undefined;
  createWebApp: ReactNode;
  createKey: ReactNode;
  wait: ReactNode;
  /** Address of the demo; undefined until there is a Web App. */
  demoHref: string | undefined;
};

/** The three steps to a first Report, shown until the first visit arrives. */
export function FirstReport(props: Props) {
  const { samples, webApp, apiKey, createWebApp, createKey, wait, demoHref } = props;
  const steps: Step[] = [
    {
      isDone: webApp !== undefined,
      title: webApp ? `Web App “${webApp.name}”` : "Create a Web App",
      children: webApp ? (
        <p className="text-fg-muted">
          Environment <code className="font-mono text-xs break-all text-fg">{webApp.environmentId}</code> · allowed{" "}
          {webApp.origins.length === 1 ? "origin" : "origins"}{" "}
          <code className="font-mono text-xs break-all text-fg">
            {webApp.origins.slice(0, 3).join(", ") || "none: every submission is refused"}
          </code>
          {webApp.origins.length > 3 ? ` and ${webApp.origins.length - 3} more` : ""}
        </p>
      ) : (
        <div className="mt-1 text-fg-muted">{createWebApp}</div>
      ),
    },
    {
      isDone: apiKey !== undefined,
      title: apiKey ? `Server key “${apiKey.name}”` : "Create a server key",
      aside: apiKey ? <>shown once, created {apiKey.createdAt}</> : undefined,
      children: apiKey ? (
        <p className="text-fg-muted">
          <code className="font-mono text-xs text-fg">{apiKey.shown}</code> · created by {apiKey.createdBy}
        </p>
      ) : (
        <div className="mt-1 text-fg-muted">{createKey}</div>
      ),
    },
    {
      isDone: false,
      title: "Put the component on your sign-in page",
      children: (
        <>
          <div className="mt-2 flex flex-col gap-2.5">
            <CodeTabs label="On your page" codes={samples.page} />
            <CodeTabs label="On your server" codes={samples.server} />
          </div>
          {wait}
          {demoHref === undefined ? null : (
            <p className="mt-3 text-fg-muted">
              No page at hand?{" "}
              <Link className="link" href={demoHref}>
                Run the component in this browser
              </Link>
              .
            </p>
          )}
        </>
      ),
    },
  ];
  return (
    <>
      <PageHeader
        title="First Report"
        lead="Three steps. This page watches for your first visit and tells you what it sees."
      />
      <ol className="rounded-lg border bg-surface">
        {steps.map((step, index) => (
          <StepRow key={step.title} step={step} number={index + 1} />
        ))}
      </ol>
      <ul className="mt-4 grid gap-4 nav:grid-cols-3">
        {HINTS.map(({ title, text }) => (
          <li key={title} className="rounded-lg border bg-surface p-4">
            <h2 className="font-semibold">{title}</h2>
            <p className="text-fg-muted">{text}</p>
          </li>
        ))}
      </ul>
    </>
  );
}
