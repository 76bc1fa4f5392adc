import { pageContext, readForPage } from "@/app/_server/page";
import { pageZone } from "@/app/_server/zone";
import { SidePanel } from "../../_components/side-panel";
import { ReportCopies, ReportGlance } from "@/components/report/report-view";
import { visitTitle } from "@/components/report/verdict-panel";
import { RestrictedState } from "@/components/ui/states";
import { baseUrl } from "@/lib/platform/env";
import { readReportForConsole } from "@/lib/visits/reports";

type Props = { params: Promise<{ workspaceId: string; imprint: string }> };

export default async function ReportPanel({ params }: Props) {
  const { workspaceId, imprint } = await params;
  const href = `/w/${workspaceId}/reports/${imprint}`;
  const context = await pageContext(href);
  const reading = await readForPage(() => readReportForConsole(context, { workspaceId, imprint }));
  if (!reading.ok)
    return (
      <SidePanel title="Report" href={href}>
        <RestrictedState title="Reports are not part of your role">{reading.restriction}.</RestrictedState>
      </SidePanel>
    );
  const view = reading.value;
  return (
    <SidePanel title={visitTitle(view)} href={href} actions={<ReportCopies view={view} baseUrl={baseUrl()} />}>
      <ReportGlance workspaceId={workspaceId} view={view} now={context.now} zone={await pageZone()} />
    </SidePanel>
  );
}
