import { openPage, pageMetadata } from "@/app/_server/console-page";
import { basisText, intervalText, shareText } from "@/components/report/measured-text";
import { pageHref } from "@/components/shell/pages";
import { ButtonLink } from "@/components/ui/button";
import { Figure, FigureGrid } from "@/components/ui/figure";
import type { RawQuery } from "@/components/ui/filter-texts";
import { Link } from "@/components/ui/link";
import { PageHeader, Panel } from "@/components/ui/panel";
import { dateText } from "@/components/ui/time-text";
import { UTC } from "@/components/ui/zone";
import { listRules, type Measured } from "@/lib/visits/rules";
import { daysOf, readSpan, SpanLinks } from "./_components/rule-span";
import { QuietRules, RuleTable } from "./_components/rule-table";

export const metadata = pageMetadata("rules");

const DAY_MS = 86_400_000;

type Props = {
  params: Promise<{ workspaceId: string }>;
  searchParams: Promise<RawQuery>;
};

function Share({ name, value, children }: { name: string; value: Measured | undefined; children: string }) {
  return (
    <Figure name={name} value={value ? shareText(value) : "–"}>
      {value ? `${intervalText(value)}, from ${basisText(value)}` : children}
    </Figure>
  );
}

export default async function RulesPage({ params, searchParams }: Props) {
  const { workspaceId } = await params;
  const span = readSpan((await searchParams)["span"]);
  const path = pageHref("rules", { workspaceId });
  const page = await openPage(
    "rules",
    { workspaceId },
    (context) => {
      const { now } = context;
      const from = new Date(now.getTime() - daysOf(span) * DAY_MS);
      return listRules(context, { workspaceId, from, to: new Date(now.getTime() + 60_000) });
    },
    path,
  );
  if (!page.ok) return page.restricted;
  const { rules, labelled, caught, falseAccusations, countedSince } = page.value;
  const isPartly =
    countedSince !== undefined && page.context.now.getTime() - countedSince.getTime() < daysOf(span) * DAY_MS;
  const fired = rules.filter(({ visits }) => visits > 0);
  const others = rules.filter(({ visits }) => visits === 0);
  const labels = labelled.fraud + labelled.legitimate + labelled.tester;
  return (
    <>
      <PageHeader
        title="Rules"
        lead={
          <>
            How often each rule fires, and how right it was by your labels.{" "}
            <Link className="link" href="/docs/rules">
              How it is measured
            </Link>
          </>
        }
        actions={
          <>
            <SpanLinks path={path} span={span} />
            <ButtonLink href={pageHref("labels", { workspaceId })}>Labels</ButtonLink>
          </>
        }
      />
      <Panel className="mb-4">
        <FigureGrid className="sm:grid-cols-3">
          <Share name="Fraud that was not passed" value={caught}>
            No visit of this time is labelled fraud
          </Share>
          <Share name="Legitimate visits that were not passed" value={falseAccusations}>
            No visit of this time is labelled legitimate
          </Share>
          <Figure name="Labelled visits" value={labels}>
            {labelled.fraud} fraud, {labelled.legitimate} legitimate, {labelled.tester} by testers
          </Figure>
        </FigureGrid>
      </Panel>
      <Panel
        id="fired"
        title="Rules that fired"
        aside={isPartly ? `counted since ${dateText(countedSince, UTC)}` : `last ${daysOf(span)} days`}
        className="mb-4"
      >
        {fired.length > 0 ? (
          <RuleTable workspaceId={workspaceId} rules={fired} />
        ) : (
          <p className="px-4 py-3 text-fg-muted">No rule fired in this time.</p>
        )}
      </Panel>
      <QuietRules workspaceId={workspaceId} rules={others} />
    </>
  );
}
