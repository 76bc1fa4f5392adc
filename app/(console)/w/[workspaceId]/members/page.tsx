import { readConsequencesAction } from "@/app/(console)/actions/consequences";
import { openPage, pageMetadata } from "@/app/_server/console-page";
import { creatorName } from "@/components/shell/creator-name";
import { FindBox } from "@/components/ui/find-box";
import { findInList } from "@/components/ui/find-in-list";
import { PageHeader, Panel } from "@/components/ui/panel";
import { pageHref } from "@/components/shell/pages";
import { EmptyState } from "@/components/ui/states";
import type { Context } from "@/lib/platform/context";
import { type Access, holds, listInvitations, listMembers } from "@/lib/tenancy/workspaces";
import { InvitationTable, InviteMember } from "./_components/invitations";
import { MemberTable } from "./_components/member-forms";
import {
  inviteMemberAction,
  removeMemberAction,
  renewInvitationAction,
  revokeInvitationAction,
  setMemberRoleAction,
} from "./actions";

export const metadata = pageMetadata("members");

type Query = { find?: string | string[]; invited?: string | string[] };
type Props = { params: Promise<{ workspaceId: string }>; searchParams: Promise<Query> };

async function readPeople(context: Context, access: Access) {
  const { workspaceId } = access;
  const canManage = holds(access, "member.manage");
  const [members, invitations] = await Promise.all([
    listMembers(context, { workspaceId }),
    canManage ? listInvitations(context, { workspaceId }) : [],
  ]);
  return { members, invitations, canManage };
}

export default async function MembersPage({ params, searchParams }: Props) {
  const [{ workspaceId }, query] = [await params, await searchParams];
  const page = await openPage("members", { workspaceId }, readPeople);
  if (!page.ok) return page.restricted;
  const { members, invitations, canManage } = page.value;
  const now = page.context.now.toISOString();
  const path = pageHref("members", { workspaceId });
  const found = findInList(members, query.find, ({ email }) => [email]);
  const invited = findInList(invitations, query.invited, ({ email }) => [email]);
  return (
    <>
      <PageHeader
        title="Members"
        lead="Roles decide what a person may do. Seeing addresses and places is a separate permission."
        actions={canManage ? <InviteMember workspaceId={workspaceId} invite={inviteMemberAction} /> : null}
      />
      <Panel>
        <FindBox path={path} found={found} label="Address of a member" />
        {members.length === 0 ? (
          <EmptyState title="Nobody is a member">Operators of this instance can see the workspace anyway.</EmptyState>
        ) : found.rows.length === 0 ? null : (
          <MemberTable
            workspaceId={workspaceId}
            members={found.rows.map(({ userId, email, role: memberRole, canSeeAddresses, createdAt }) => ({
              userId,
              email,
              role: memberRole,
              canSeeAddresses,
              createdAt: createdAt.toISOString(),
            }))}
            ownUserId={page.context.actor.userId}
            now={now}
            canManage={canManage}
            set={setMemberRoleAction}
            remove={removeMemberAction}
            readConsequences={readConsequencesAction}
          />
        )}
      </Panel>
      {invitations.length > 0 ? (
        <Panel id="invitations" title="Invitations" className="mt-4">
          <FindBox path={path} name="invited" found={invited} label="Address that was invited" />
          {invited.rows.length === 0 ? null : (
            <InvitationTable
              workspaceId={workspaceId}
              invitations={invited.rows.map(({ invitedBy, createdAt, expiresAt, ...invitation }) => ({
                ...invitation,
                invitedBy: creatorName(invitedBy === "" ? "operator" : invitedBy, members),
                createdAt: createdAt.toISOString(),
                expiresAt: expiresAt.toISOString(),
              }))}
              now={now}
              renew={renewInvitationAction}
              revoke={revokeInvitationAction}
            />
          )}
        </Panel>
      ) : null}
    </>
  );
}
