import type { ReactNode } from "react";

import { signOutAction } from "@/app/(console)/actions/session";
import { createWorkspaceAction } from "@/app/(console)/actions/workspaces";
import { pageContext, readForPage } from "@/app/_server/page";
import type { NavigationKey } from "@/components/shell/navigation";
import { Shell } from "@/components/shell/shell";
import { MessagePage } from "@/components/ui/message-page";
import { ToastProvider } from "@/components/ui/toast";
import { listWorkspacesOf, type Permission, type Role, readWorkspace, roleHas } from "@/lib/tenancy/workspaces";

/** Pages that need more than membership. Each page still checks for itself; this only hides its link. */
const NEEDS: readonly (readonly [NavigationKey, Permission])[] = [
  ["keys", "apiKey.read"],
  ["members", "member.read"],
  ["audit", "audit.read"],
];

const hiddenFrom = (role: Role | undefined, isOperator: boolean): NavigationKey[] => [
  ...NEEDS.filter(([, permission]) => role !== undefined && !roleHas(role, permission)).map(([key]) => key),
  ...(isOperator ? [] : (["trials"] as const)),
];

type Props = { params: Promise<{ workspaceId: string }>; children: ReactNode };

export default async function WorkspaceLayout({ params, children }: Props) {
  const { workspaceId } = await params;
  const context = await pageContext(`/w/${workspaceId}`);
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
    <ToastProvider>
      <Shell
        data={{
          workspace: summary(workspace),
          workspaces: workspaces.map(summary),
          email: context.actor.email,
          canCreateWorkspace: context.actor.isOperator,
          hidden: hiddenFrom(workspace.role, context.actor.isOperator),
        }}
        signOut={signOutAction}
        createWorkspace={createWorkspaceAction}
      >
        {children}
      </Shell>
    </ToastProvider>
  );
}
