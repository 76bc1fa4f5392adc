import { redirect } from "next/navigation";

import { currentActor } from "@/app/_server/page";
import { ButtonLink } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { JsonBlock } from "@/components/ui/json-block";
import { RiskBadge } from "@/components/report/risk-badge";
import { database } from "@/db/client";
import { readSamples } from "@/lib/interfaces/documents";
import { listWorkspacesOf } from "@/lib/tenancy/workspaces";

const STEPS = [
  {
    title: "Your page asks for an imprint",
    text: "The browser component observes the visit and gets an opaque id. It holds no secret, and only origins that you list may use it.",
  },
  {
    title: "Your server reads the Report",
    text: "With a secret key: device, visits, network, browser, and a verdict with the findings behind it.",
  },
  {
    title: "You decide",
    text: "A Report explains what was seen and what else could explain it. It recommends no action.",
  },
];

const EXAMPLE = {
  device: { id: "dev_3f9c…", seen_before: true },
  risk: { status: "SUSPICIOUS", findings: [{ reason: "HOSTING_NETWORK_DETECTED", status: "SUSPICIOUS" }] },
};

/** Signed-in people are redirected to the Console. */
async function enterWorkspace(): Promise<void> {
  const actor = await currentActor();
  if (!actor) return;
  const [first] = await listWorkspacesOf({ db: database() }, { userId: actor.userId });
  if (first) redirect(`/w/${first.workspaceId}`);
}

export default async function LandingPage() {
  await enterWorkspace();
  const [curl] = await readSamples(["report.sh"]);
  return (
    <main id="main" tabIndex={-1} className="mx-auto w-full max-w-320 px-4 pt-12 pb-20 outline-none sm:px-6 sm:pt-20">
      <div className="grid gap-10 nav:grid-cols-2 nav:gap-16">
        <div className="min-w-0">
          <h1 className="text-[1.75rem] leading-9 font-semibold tracking-tight text-balance">
            {"Know the device behind a sign\u2011in, a registration, a payment"}
          </h1>
          <p className="mt-3 max-w-136 text-base text-fg-muted">
            Imprint recognises devices and reports access risk. It runs on your own machine, on your own PostgreSQL, and
            every verdict says why.
          </p>
          <div className="mt-6 flex flex-wrap gap-2">
            <ButtonLink href="/sign-in" variant="primary">
              Sign in
            </ButtonLink>
            <ButtonLink href="/docs/quickstart">Quickstart</ButtonLink>
            <ButtonLink href="/docs/api">API reference</ButtonLink>
          </div>
          <p className="mt-8 flex flex-wrap gap-2">
            <RiskBadge status="PASS" />
            <RiskBadge status="SUSPICIOUS" />
            <RiskBadge status="DECEPTIVE" />
          </p>
        </div>
        <div className="flex min-w-0 flex-col gap-3">
          {curl ? <CodeBlock label="Read a Report" html={curl.html} /> : null}
          <JsonBlock label="Part of a Report" value={EXAMPLE} />
        </div>
      </div>
      <ol className="mt-14 grid gap-4 nav:grid-cols-3">
        {STEPS.map(({ title, text }, index) => (
          <li key={title} className="rounded-lg border bg-surface p-4">
            <h2 className="font-semibold">
              <span className="mr-2 text-fg-muted">{index + 1}</span>
              {title}
            </h2>
            <p className="mt-1 text-fg-muted">{text}</p>
          </li>
        ))}
      </ol>
    </main>
  );
}
