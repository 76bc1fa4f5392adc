import { createKeyAction, endOverlapAction, revokeKeyAction, rotateKeyAction } from "@/app/(console)/actions/keys";
import { pageContext, readForPage } from "@/app/_server/page";
import { creatorName } from "@/components/console/creator-name";
import { CreateKey } from "@/components/console/key-dialogs";
import { KeyTable } from "@/components/console/key-table";
import { PageHeader, Panel } from "@/components/ui/panel";
import { EmptyState, RestrictedState } from "@/components/ui/states";
import { listKeys } from "@/lib/api-keys";
import type { Context } from "@/lib/context";
import { listMembers, readWorkspace, roleHas } from "@/lib/workspaces";

export const metadata = { title: "Keys" };

type Props = { params: Promise<{ workspaceId: string }> };

async function readKeys(context: Context, workspaceId: string) {
  const { role } = await readWorkspace(context, { workspaceId });
  const [keys, members] = await Promise.all([
    listKeys(context, { workspaceId }),
    listMembers(context, { workspaceId }),
  ]);
  const text = (at: Date | null) => at?.toISOString() ?? null;
  return {
    canManage: role === undefined || roleHas(role, "apiKey.manage"),
    keys: keys.map(({ keyId, name, kind, state, preview, lastFour, ...key }) => ({
      keyId,
      name,
      kind,
      state,
      shown: `${preview}…${lastFour}`,
      createdBy: creatorName(key.createdBy, members),
      createdAt: key.createdAt.toISOString(),
      lastUsedAt: text(key.lastUsedAt),
      expiresAt: text(key.expiresAt),
      revokedAt: text(key.revokedAt),
    })),
  };
}

export default async function KeysPage({ params }: Props) {
  const { workspaceId } = await params;
  const context = await pageContext(`/w/${workspaceId}/keys`);
  const reading = await readForPage(() => readKeys(context, workspaceId));
  if (!reading.ok) {
    return (
      <>
        <PageHeader title="Keys" />
        <Panel>
          <RestrictedState title="Keys are not part of your role">
            {reading.restriction}. Owners, admins and developers can.
          </RestrictedState>
        </Panel>
      </>
    );
  }
  const { keys, canManage } = reading.value;
  return (
    <>
      <PageHeader
        title="Keys"
        lead="Your servers read Reports with these. A key is secret, shown once, and works for every Web App of this workspace."
        actions={canManage ? <CreateKey workspaceId={workspaceId} create={createKeyAction} /> : null}
      />
      <Panel>
        {keys.length === 0 ? (
          <EmptyState title="No key yet">Create one to read Reports from your server.</EmptyState>
        ) : (
          <KeyTable
            workspaceId={workspaceId}
            keys={keys}
            now={context.now.toISOString()}
            canManage={canManage}
            rotate={rotateKeyAction}
            endOverlap={endOverlapAction}
            revoke={revokeKeyAction}
          />
        )}
      </Panel>
    </>
  );
}
