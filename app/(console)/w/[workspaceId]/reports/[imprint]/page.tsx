import type { Metadata } from "next";
import Link from "next/link";

import { pageContext, readForPage } from "@/app/_server/page";
import { pageZone } from "@/app/_server/zone";
import { ZoneSwitch } from "@/components/ui/zone-switch";
import { ReportCopies, ReportView } from "@/components/report/report-view";
import { visitTitle } from "@/components/report/verdict-panel";
import { shortId } from "@/components/ui/id";
import { PageHeader } from "@/components/ui/panel";
import { RestrictedState } from "@/components/ui/states";
import { baseUrl } from "@/lib/platform/env";
import { readReportForConsole } from "@/lib/visits/reports";

type Props = { params: Promise<{ workspaceId: string; imprint: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Report ${shortId((await params).imprint)}` };
}

export default async function ReportPage({ params }: Props) {
  const { workspaceId, imprint } = await params;
  const list = `/w/${workspaceId}/reports`;
  const context = await pageContext(`${list}/${imprint}`);
  const reading = await readForPage(() => readReportForConsole(context, { workspaceId, imprint }));
  if (!reading.ok)
    return <RestrictedState title="Reports are not part of your role">{reading.restriction}.</RestrictedState>;
  const [view, zone] = [reading.value, await pageZone()];
  return (
    <>
      <PageHeader
        title={visitTitle(view)}
        above={
          <nav aria-label="Breadcrumb">
            <Link href={list} className="hover:text-fg">
              Reports
            </Link>{" "}
            /{" "}
            <span className="font-mono text-xs" title={imprint}>
              {shortId(imprint)}
            </span>
          </nav>
        }
        actions={
          <>
            <ZoneSwitch zone={zone} />
            <ReportCopies view={view} baseUrl={baseUrl()} />
          </>
        }
      />
      <ReportView workspaceId={workspaceId} view={view} now={context.now} zone={zone} />
    </>
  );
}
