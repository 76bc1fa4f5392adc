import { readConsequencesAction } from "@/app/(console)/actions/consequences";
import { openPage, pageMetadata } from "@/app/_server/console-page";
import { pageHref } from "@/components/shell/pages";
import { planName } from "@/components/shell/plan-name";
import { FindBox } from "@/components/ui/find-box";
import { findInList } from "@/components/ui/find-in-list";
import { Link } from "@/components/ui/link";
import { PageHeader, Panel } from "@/components/ui/panel";
import { EmptyState } from "@/components/ui/states";
import type { Context } from "@/lib/platform/context";
import { listKeys } from "@/lib/tenancy/api-keys";
import { type Access, holds, listMembers, PLAN_LIMITS } from "@/lib/tenancy/workspaces";
import { CreateKey } from "./_components/key-dialogs";
import { toKeyRow } from "./_components/key-row";
import { KeyTable } from "./_components/key-table";
import { UnusedKeys } from "./_components/unused-keys";
import {
  createKeyAction,
  endOverlapAction,
  extendOverlapAction,
  revokeKeyAction,
  revokeUnusedKeysAction,
  rotateKeyAction,
} from "./actions";

export const metadata = pageMetadata("keys");

type Props = { params: Promise<{ workspaceId: string }>; searchParams: Promise<{ find?: string | string[] }> };

async function readKeys(context: Context, access: Access) {
  const { workspaceId } = access;
  const [keys, members] = await Promise.all([
    listKeys(context, { workspaceId }),
    listMembers(context, { workspaceId }),
  ]);
  return {
    plan: access.plan,
    canManage: holds(access, "apiKey.manage"),
    canIssue: holds(access, "apiKey.issue"),
    keys: keys.map((key) => toKeyRow(key, members)),
  };
}

export default async function KeysPage({ params, searchParams }: Props) {
  const [{ workspaceId }, { find }] = [await params, await searchParams];
  const page = await openPage("keys", { workspaceId }, readKeys);
  if (!page.ok) return page.restricted;
  const { keys, canManage, canIssue, plan } = page.value;
  const found = findInList(keys, find, ({ name, shown, createdBy }) => [name, shown, createdBy]);
  return (
    <>
      <PageHeader
        title="Keys"
        lead={
          <>
            {`Your servers read Reports with these. A key is secret, shown once, and works for every Web App of this workspace, with ${PLAN_LIMITS[plan].requestsPerSecond} requests a second each on the ${planName(plan)} plan. `}
            <Link className="link" href={pageHref("management-keys", { workspaceId })}>
              Management keys
            </Link>{" "}
            are for scripts.
          </>
        }
        actions={canIssue ? <CreateKey workspaceId={workspaceId} create={createKeyAction} /> : null}
      />
      {canManage && !canIssue ? (
        <p className="mb-4 text-fg-muted">
          A key reads Reports with their addresses and places, which you may not see: only members who may see them can
          create and rotate keys. You can revoke them.
        </p>
      ) : null}
      <UnusedKeys
        workspaceId={workspaceId}
        keys={keys.filter(({ isUnused }) => isUnused)}
        canManage={canManage}
        revoke={revokeUnusedKeysAction}
      />
      <Panel>
        <FindBox path={pageHref("keys", { workspaceId })} found={found} label="Name, key or creator" />
        {keys.length === 0 ? (
          <EmptyState title="No key yet">Create one to read Reports from your server.</EmptyState>
        ) : found.rows.length === 0 ? null : (
          <KeyTable
            workspaceId={workspaceId}
            keys={found.rows}
            now={page.context.now.toISOString()}
            canManage={canManage}
            canIssue={canIssue}
            rotate={rotateKeyAction}
            extend={extendOverlapAction}
            endOverlap={endOverlapAction}
            revoke={revokeKeyAction}
            readConsequences={readConsequencesAction}
          />
        )}
      </Panel>
    </>
  );
}
