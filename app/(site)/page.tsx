import { redirect } from "next/navigation";

import { currentActor, readForPage, requestFacts } from "@/app/_server/page";
import { pageHref } from "@/components/shell/pages";
import { ButtonLink } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import type { RawQuery } from "@/components/ui/filter-texts";
import { JsonBlock } from "@/components/ui/json-block";
import { Panel } from "@/components/ui/panel";
import { DemoRun } from "@/components/report/demo-run";
import { Findings } from "@/components/report/findings";
import { VerdictPanel } from "@/components/report/verdict-panel";
import { database } from "@/db/client";
import { readSamples } from "@/lib/interfaces/documents";
import { now } from "@/lib/platform/clock";
import { env } from "@/lib/platform/env";
import { isAppError } from "@/lib/contract/errors";
import { hasAnyOwner, listWorkspacesOf } from "@/lib/tenancy/workspaces";
import { type ConsoleReport, readLiveReport } from "@/lib/visits/reports";
import example from "./_components/example-visit.json";

const EXAMPLE = example as Pick<ConsoleReport, "report" | "rulesVersion" | "surface" | "findings">;
const MAX_IMPRINT_LENGTH = 100;

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

/** Signed-in people are redirected to the Console. */
async function enterWorkspace(): Promise<void> {
  const actor = await currentActor();
  if (!actor) return;
  const [first] = await listWorkspacesOf({ db: database() }, { userId: actor.userId });
  if (first) redirect(pageHref("overview", { workspaceId: first.workspaceId }));
}

/** Whether this installation has not been set up; false if the database cannot tell. */
async function isNew(): Promise<boolean> {
  try {
    return !(await hasAnyOwner(database()));
  } catch {
    return false;
  }
}

function Begin() {
  return (
    <Panel className="mt-6 border-accent p-4">
      <h2 className="font-semibold">This installation is new</h2>
      <p className="mt-1 text-fg-muted">
        Open the set-up link that the service printed when it started: it makes the first owner, a workspace and a Web
        App. It ends in <code className="font-mono text-xs">/setup?token=…</code> and works once. If it is lost, start
        the service again, and it prints another.
      </p>
    </Panel>
  );
}

/** The Report of this browser's own recent visit; undefined for any other. */
async function readOwn(environmentId: string, imprint: string): Promise<ConsoleReport | undefined> {
  const context = { db: database(), now: now(), ...(await requestFacts()) };
  const read = await readForPage(() =>
    readLiveReport(context, { environmentId, imprint }).catch((error: unknown) => {
      if (isAppError(error) && error.code === "report_not_found") return undefined;
      throw error;
    }),
  );
  return read.ok ? read.value : undefined;
}

type LiveProps = { environmentId: string; imprint: string | undefined; own: ConsoleReport | undefined };

/** Runs the component in the visitor's browser. */
function LiveRun({ environmentId, imprint, own }: LiveProps) {
  return (
    <section aria-labelledby="live" className="mt-14">
      <h2 id="live" className="text-base font-semibold">
        What it says of you
      </h2>
      <p className="mt-1 mb-3 max-w-176 text-fg-muted">
        The component runs in this browser, for this page. The visit is stored like any other and deleted like any
        other; its Report is shown here for five minutes, to your address alone.
      </p>
      <div className="flex flex-col items-start gap-3">
        <DemoRun environmentId={environmentId} shown="/?imprint=" />
      </div>
      {own ? <Showcase {...own} /> : null}
      {imprint !== undefined && !own ? (
        <p className="mt-3 text-fg-muted">
          That visit is too long ago, or was made from another address. Run it again.
        </p>
      ) : null}
    </section>
  );
}

function Example() {
  return (
    <section aria-labelledby="example" className="mt-14">
      <h2 id="example" className="text-base font-semibold">
        A Report, and what it rests on
      </h2>
      <p className="mt-1 max-w-176 text-fg-muted">
        Of a visit in the demo data, as the rules of this release assess it. Each finding says what was seen, what was
        expected, and what harmless things look the same.
      </p>
      <Showcase {...EXAMPLE} webApp={{ name: "Shop" }} origin="https://shop.example" />
    </section>
  );
}

type ShowcaseProps = Pick<ConsoleReport, "report" | "rulesVersion" | "surface" | "findings"> & {
  webApp: { name: string };
  origin: string;
};

/** A Report with its evidence, for people without an account. */
function Showcase({ findings, ...view }: ShowcaseProps) {
  return (
    <div className="mt-4 flex flex-col gap-4">
      <VerdictPanel view={view} zone="UTC" />
      <div className="grid gap-4 nav:grid-cols-2">
        <Findings findings={findings} />
        <div className="min-w-0 self-start">
          <JsonBlock label="The Report as your server reads it" value={view.report} />
        </div>
      </div>
    </div>
  );
}

type Props = { searchParams: Promise<RawQuery> };

export default async function LandingPage({ searchParams }: Props) {
  await enterWorkspace();
  const environmentId = env.PUBLIC_DEMO_ENVIRONMENT;
  const { imprint: given } = await searchParams;
  const imprint = typeof given === "string" ? given.slice(0, MAX_IMPRINT_LENGTH) : undefined;
  const [[curl], isFresh, own] = await Promise.all([
    readSamples(["report.sh"]),
    isNew(),
    environmentId !== undefined && imprint !== undefined ? readOwn(environmentId, imprint) : undefined,
  ]);
  return (
    <main id="main" tabIndex={-1} className="mx-auto w-full max-w-320 px-4 pt-12 pb-20 outline-none sm:px-6 sm:pt-16">
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
          {isFresh ? <Begin /> : null}
        </div>
        <div className="flex min-w-0 flex-col gap-3">
          {curl ? <CodeBlock label="Read a Report" html={curl.html} /> : null}
          <ol className="flex flex-col gap-2">
            {STEPS.map(({ title, text }, index) => (
              <li key={title} className="flex gap-3">
                <span className="text-fg-muted">{index + 1}</span>
                <p>
                  <span className="font-semibold">{title}.</span> <span className="text-fg-muted">{text}</span>
                </p>
              </li>
            ))}
          </ol>
        </div>
      </div>
      {environmentId === undefined ? null : <LiveRun environmentId={environmentId} imprint={imprint} own={own} />}
      {own ? null : <Example />}
    </main>
  );
}
