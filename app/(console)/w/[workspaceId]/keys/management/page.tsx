import { openPage, pageMetadata } from "@/app/_server/console-page";
import { Breadcrumb } from "@/components/shell/breadcrumb";
import { creatorName } from "@/components/shell/creator-name";
import { TimeTd } from "@/components/ui/cells";
import { Chip } from "@/components/ui/chip";
import { Link } from "@/components/ui/link";
import { PageHeader, Panel } from "@/components/ui/panel";
import { EmptyState } from "@/components/ui/states";
import { ActionsTh, Table, Td, TextTd } from "@/components/ui/table";
import type { Context } from "@/lib/platform/context";
import { listManagementKeys } from "@/lib/tenancy/management";
import { type Access, holds, listMembers } from "@/lib/tenancy/workspaces";
import { CreateManagementKey } from "./_components/create-management-key";
import { RevokeManagementKey } from "./_components/revoke-management-key";
import { createManagementKeyAction, revokeManagementKeyAction } from "./actions";

export const metadata = pageMetadata("management-keys");

type Props = { params: Promise<{ workspaceId: string }> };

async function readKeys(context: Context, access: Access) {
  const { workspaceId } = access;
  const [keys, members] = await Promise.all([
    listManagementKeys(context, { workspaceId }),
    listMembers(context, { workspaceId }),
  ]);
  return {
    keys: keys.map((key) => ({ ...key, createdBy: creatorName(key.createdBy, members) })),
    canManage: holds(access, "managementKey.manage"),
    canIssueKeys: holds(access, "apiKey.issue"),
  };
}

type Key = Awaited<ReturnType<typeof readKeys>>["keys"][number];

const ManagementKey = (props: { managementKey: Key; workspaceId: string; now: Date; canManage: boolean }) => {
  const { managementKey: row, workspaceId, now, canManage } = props;
  return (
    <tr className={row.state === "active" ? "" : "text-fg-muted"}>
      <TextTd className="font-medium">{row.name}</TextTd>
      <Td className="font-mono text-xs">
        {row.preview}…{row.lastFour}
      </Td>
      <Td>
        <Chip isActive={row.state === "active"}>{row.state}</Chip>
      </Td>
      <Td>{row.scopes.join(", ")}</Td>
      <TextTd>{row.createdBy}</TextTd>
      <TimeTd at={row.lastUsedAt} now={now} />
      <TimeTd at={row.expiresAt} now={now} />
      <Td className="text-right">
        {canManage && row.state === "active" ? (
          <RevokeManagementKey
            name={row.name}
            input={{ workspaceId, keyId: row.keyId }}
            revoke={revokeManagementKeyAction}
          />
        ) : null}
      </Td>
    </tr>
  );
};

export default async function ManagementKeysPage({ params }: Props) {
  const { workspaceId } = await params;
  const page = await openPage("management-keys", { workspaceId }, readKeys);
  if (!page.ok) return page.restricted;
  const { keys, canManage, canIssueKeys } = page.value;
  const { now } = page.context;
  return (
    <>
      <PageHeader
        title="Management keys"
        above={
          <Breadcrumb workspaceId={workspaceId} list="keys">
            Management keys
          </Breadcrumb>
        }
        lead={
          <>
            Scripts manage origins, Web Apps and API keys with these, for example for preview deployments. They read no
            Reports.{" "}
            <Link className="link" href="/docs/manage">
              How to use them
            </Link>
          </>
        }
        actions={
          canManage ? (
            <CreateManagementKey
              workspaceId={workspaceId}
              canIssueKeys={canIssueKeys}
              create={createManagementKeyAction}
            />
          ) : null
        }
      />
      <Panel>
        {keys.length === 0 ? (
          <EmptyState title="No management key yet">
            Create one to let a deployment allow its origin by itself.
          </EmptyState>
        ) : (
          <Table
            label="Management keys"
            columns={["Name", "Key", "State", "Scopes", "Created by", "Last used", "Expires", <ActionsTh />]}
          >
            {keys.map((key) => (
              <ManagementKey
                key={key.keyId}
                managementKey={key}
                workspaceId={workspaceId}
                now={now}
                canManage={canManage}
              />
            ))}
          </Table>
        )}
      </Panel>
    </>
  );
}
