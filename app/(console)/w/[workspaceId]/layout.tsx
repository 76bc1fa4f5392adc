import type { ReactNode } from "react";

import { deleteDemoWorkspaceAction } from "@/app/(console)/actions/demo-data";
import { signOutAction } from "@/app/(console)/actions/session";
import { createWorkspaceAction } from "@/app/(console)/actions/workspaces";
import { hiddenPages } from "@/app/_server/console-page";
import { pageContext, readForPage } from "@/app/_server/page";
import { DemoBanner } from "@/components/shell/demo-banner";
import { pageHref } from "@/components/shell/pages";
import { PersonProvider } from "@/components/shell/person-provider";
import { Shell } from "@/components/shell/shell";
import { NavigationProgress } from "@/components/ui/navigation-progress";
import { MessagePage } from "@/components/ui/message-page";
import { ToastProvider } from "@/components/ui/toast";
import { holds, listWorkspacesOf, readWorkspace } from "@/lib/tenancy/workspaces";

/** Demo data that is not complete by then was interrupted. */
const LONGEST_MS = 10 * 60_000;

type Props = { params: Promise<{ workspaceId: string }>; children: ReactNode };

export default async function WorkspaceLayout({ params, children }: Props) {
  const { workspaceId } = await params;
  const context = await pageContext(pageHref("overview", { workspaceId }));
  const reading = await readForPage(async () => ({
    workspace: await readWorkspace(context, { workspaceId }),
    workspaces: await listWorkspacesOf(context, { userId: context.actor.userId }),
  }));
  if (!reading.ok) return <MessagePage title="Not permitted">{reading.restriction}.</MessagePage>;
  const { workspace, workspaces } = reading.value;
  const summary = ({ workspaceId: id, name, plan }: typeof workspace | (typeof workspaces)[number]) => ({
    workspaceId: id,
    name,
    plan,
  });
  return (
    <PersonProvider userId={context.actor.userId}>
      <ToastProvider>
        <NavigationProgress>
          <Shell
            data={{
              workspace: summary(workspace),
              workspaces: workspaces.map(summary),
              email: context.actor.email,
              canCreateWorkspace: context.actor.isOperator,
              mayIssueKeys: holds(workspace, "apiKey.issue"),
              mayInvite: holds(workspace, "member.manage"),
              hidden: hiddenPages({ role: workspace.role, isOperator: context.actor.isOperator }),
            }}
            signOut={signOutAction}
            createWorkspace={createWorkspaceAction}
          >
            {workspace.demoPercent === null ? null : (
              <DemoBanner
                workspaceId={workspaceId}
                percent={workspace.demoPercent}
                isStuck={
                  workspace.demoPercent < 100 && context.now.getTime() - workspace.createdAt.getTime() > LONGEST_MS
                }
                remove={context.actor.isOperator ? deleteDemoWorkspaceAction : undefined}
              />
            )}
            {children}
          </Shell>
        </NavigationProgress>
      </ToastProvider>
    </PersonProvider>
  );
}
