import { setLabelAction } from "@/app/(console)/actions/labels";
import { openPage, titledById } from "@/app/_server/console-page";
import { Breadcrumb } from "@/components/shell/breadcrumb";
import { pageZone } from "@/app/_server/zone";
import { ZoneSwitch } from "@/components/ui/zone-switch";
import { AddToCase } from "@/app/(console)/_components/add-to-case";
import { ReportCopies, ReportView } from "@/components/report/report-view";
import { visitTitle } from "@/components/report/verdict-panel";
import { PageHeader } from "@/components/ui/panel";
import { baseUrl } from "@/lib/platform/env";
import { readReportForConsole } from "@/lib/visits/reports";

type Props = { params: Promise<{ workspaceId: string; imprint: string }> };

export const generateMetadata = titledById("report", "imprint");

export default async function ReportPage({ params }: Props) {
  const { workspaceId, imprint } = await params;
  const page = await openPage("report", { workspaceId, imprint }, (context) =>
    readReportForConsole(context, { workspaceId, imprint }),
  );
  if (!page.ok) return page.restricted;
  const [view, zone] = [page.value, await pageZone()];
  return (
    <>
      <PageHeader
        title={visitTitle(view)}
        above={<Breadcrumb workspaceId={workspaceId} list="reports" id={imprint} />}
        actions={
          <>
            <ZoneSwitch zone={zone} />
            <AddToCase workspaceId={workspaceId} items={[imprint]} what="this visit" />
            <ReportCopies workspaceId={workspaceId} view={view} baseUrl={baseUrl()} />
          </>
        }
      />
      <ReportView workspaceId={workspaceId} view={view} now={page.context.now} zone={zone} setLabel={setLabelAction} />
    </>
  );
}
