import { setLabelAction } from "@/app/(console)/actions/labels";
import { openPage } from "@/app/_server/console-page";
import { pageZone } from "@/app/_server/zone";
import { AddToCase } from "@/app/(console)/_components/add-to-case";
import { ReportCopies, ReportGlance } from "@/components/report/report-view";
import { visitTitle } from "@/components/report/verdict-panel";
import { pageHref } from "@/components/shell/pages";
import { baseUrl } from "@/lib/platform/env";
import { readReportForConsole } from "@/lib/visits/reports";
import { SidePanel } from "../../_components/side-panel";

type Props = { params: Promise<{ workspaceId: string; imprint: string }> };

export default async function ReportPanel({ params }: Props) {
  const { workspaceId, imprint } = await params;
  const href = pageHref("report", { workspaceId, imprint });
  const page = await openPage("report", { workspaceId, imprint }, (context) =>
    readReportForConsole(context, { workspaceId, imprint }),
  );
  if (!page.ok)
    return (
      <SidePanel title="Report" href={href}>
        {page.restricted}
      </SidePanel>
    );
  const view = page.value;
  return (
    <SidePanel
      title={visitTitle(view)}
      href={href}
      actions={
        <>
          <AddToCase workspaceId={workspaceId} items={[imprint]} what="this visit" />
          <ReportCopies workspaceId={workspaceId} view={view} baseUrl={baseUrl()} />
        </>
      }
    >
      <ReportGlance
        workspaceId={workspaceId}
        view={view}
        now={page.context.now}
        zone={await pageZone()}
        setLabel={setLabelAction}
      />
    </SidePanel>
  );
}
