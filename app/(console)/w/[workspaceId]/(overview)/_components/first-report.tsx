import { Check } from "lucide-react";
import { Link } from "@/components/ui/link";
import type { ReactNode } from "react";

import { pageHref } from "@/components/shell/pages";
import { ButtonLink } from "@/components/ui/button";
import { CodeTabs } from "@/components/ui/code-tabs";
import { PageHeader, Panel } from "@/components/ui/panel";
import type { Code } from "@/lib/interfaces/documents";
import { foreign } from "@/components/ui/foreign";

type Step = { title: string; aside?: ReactNode; children: ReactNode; isDone: boolean };

function StepRow({ step, number, Heading }: { step: Step; number: number; Heading: "h2" | "h3" }) {
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
          <Heading className="min-w-0 font-semibold">{step.title}</Heading>
          {step.aside ? <p className="text-fg-muted">{step.aside}</p> : null}
        </div>
        {step.children}
      </div>
    </li>
  );
}

type Props = {
  workspaceId: string;
  /** Code samples for a page and a server, with the Web App's environment id filled in. */
  samples: { page: readonly Code[]; server: readonly Code[] };
  webApp: { webAppId: string; name: string; environmentId: string; origins: readonly string[] } | undefined;
  apiKey: { name: string; shown: string; createdBy: string; createdAt: ReactNode } | undefined;
  /** Whether this person may see and create keys. */
  canManage: boolean;
  hasVisits: boolean;
  /** Time at which a server first read a Report. */
  firstDelivered: ReactNode | undefined;
  wait: ReactNode;
  /** Dismisses the steps; undefined while there is nothing else to show. */
  dismiss: ReactNode | undefined;
};

function webAppStep({ workspaceId, webApp }: Props): Step {
  if (!webApp)
    return {
      isDone: false,
      title: "Create a Web App",
      children: (
        <div className="mt-1">
          <ButtonLink href={pageHref("web-apps", { workspaceId })}>To Web Apps</ButtonLink>
        </div>
      ),
    };
  const { webAppId, name, environmentId, origins } = webApp;
  const environment = (
    <>
      Environment <code className="font-mono text-xs break-all text-fg">{environmentId}</code>
    </>
  );
  if (origins.length === 0)
    return {
      isDone: false,
      title: `Allow the origin of your page for “${foreign(name)}”`,
      children: (
        <p className="text-fg-muted">
          {environment}. No origin is allowed, so every submission is refused.{" "}
          <Link className="link" href={`${pageHref("web-app", { workspaceId, webAppId })}#origins`}>
            Allow one
          </Link>
        </p>
      ),
    };
  return {
    isDone: true,
    title: `Web App “${foreign(name)}”`,
    children: (
      <p className="text-fg-muted">
        {environment} · allowed {origins.length === 1 ? "origin" : "origins"}{" "}
        <code className="font-mono text-xs break-all text-fg">{origins.slice(0, 3).join(", ")}</code>
        {origins.length > 3 ? ` and ${origins.length - 3} more` : ""}
      </p>
    ),
  };
}

function keyStep({ workspaceId, apiKey, canManage }: Props): Step {
  if (apiKey)
    return {
      isDone: true,
      title: `Server key “${foreign(apiKey.name)}”`,
      aside: <>shown once, created {apiKey.createdAt}</>,
      children: (
        <p className="text-fg-muted">
          <code className="font-mono text-xs text-fg">{apiKey.shown}</code> · created by {apiKey.createdBy}
        </p>
      ),
    };
  return {
    isDone: false,
    title: "Create a server key",
    children: (
      <div className="mt-1 text-fg-muted">
        {canManage ? (
          <ButtonLink href={pageHref("keys", { workspaceId })}>To Keys</ButtonLink>
        ) : (
          "Owners, admins and developers see and create keys."
        )}
      </div>
    ),
  };
}

function visitStep({ workspaceId, samples, webApp, hasVisits, wait }: Props): Step {
  if (hasVisits) return { isDone: true, title: "The first visit arrived", children: null };
  return {
    isDone: false,
    title: "Put the component on your sign-in page",
    children: (
      <>
        <div className="mt-2">
          <CodeTabs label="On your page" codes={samples.page} />
        </div>
        {wait}
        {webApp === undefined ? null : (
          <p className="mt-3 text-fg-muted">
            No page at hand?{" "}
            <Link className="link" href={pageHref("demo", { workspaceId })}>
              Run the component in this browser
            </Link>
            .
          </p>
        )}
      </>
    ),
  };
}

function deliveryStep({ samples, firstDelivered }: Props): Step {
  if (firstDelivered !== undefined)
    return { isDone: true, title: "Your server read its first Report", aside: firstDelivered, children: null };
  return {
    isDone: false,
    title: "Read the Report on your server",
    children: (
      <>
        <div className="mt-2">
          <CodeTabs label="On your server" codes={samples.server} />
        </div>
        <p className="mt-2 text-fg-muted">
          Your page sends the imprint to your server, which reads the Report with the key.{" "}
          <Link className="link" href="/docs/quickstart#3-read-the-report-on-your-server">
            How
          </Link>
        </p>
      </>
    ),
  };
}

function Hints({ workspaceId, webApp }: Pick<Props, "workspaceId" | "webApp">) {
  const hints = [
    {
      title: "Protect the list",
      text: "Only the origins you name may submit. Refused ones are shown for 24 hours.",
      href: webApp
        ? pageHref("web-app", { workspaceId, webAppId: webApp.webAppId })
        : pageHref("web-apps", { workspaceId }),
    },
    {
      title: "Send the account",
      text: "Add X-Account-Ref to the Report request to see accounts per device. Never an e-mail address.",
      href: "/docs/account-map",
    },
    {
      title: "Invite your team",
      text: "Analysts read reports; seeing addresses is a separate permission.",
      href: pageHref("members", { workspaceId }),
    },
  ];
  return (
    <ul className="mt-4 grid gap-4 nav:grid-cols-3">
      {hints.map(({ title, text, href }) => (
        <li key={title} className="relative rounded-lg border bg-surface p-4 hover:bg-surface-2">
          <h2 className="font-semibold">
            <Link href={href} className="after:absolute after:inset-0 hover:underline">
              {title}
            </Link>
          </h2>
          <p className="text-fg-muted">{text}</p>
        </li>
      ))}
    </ul>
  );
}

/** The steps to a first Report read by a server: alone until the first visit, then above the visits. */
export function FirstReport(props: Props) {
  const steps = [webAppStep(props), keyStep(props), visitStep(props), deliveryStep(props)];
  const open = steps.filter(({ isDone }) => !isDone).length;
  const list = (
    <ol className={props.hasVisits ? "" : "rounded-lg border bg-surface"}>
      {steps.map((step, index) => (
        <StepRow key={step.title} step={step} number={index + 1} Heading={props.hasVisits ? "h3" : "h2"} />
      ))}
    </ol>
  );
  if (props.hasVisits)
    return (
      <Panel
        id="steps"
        className="mb-4"
        title={open === 0 ? "First steps: all done" : `First steps: ${open} left`}
        aside={props.dismiss}
      >
        {list}
      </Panel>
    );
  return (
    <>
      <PageHeader
        title="First Report"
        lead="Four steps. This page watches for your first visit and tells you what it sees."
      />
      {list}
      <Hints {...props} />
    </>
  );
}
